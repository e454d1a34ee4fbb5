"""`python -m benchmarks.segmentation --data FOLDER --json`: where does a topic end?

Two sessions of one conversation are joined without the time between them; of each only a part is
left, of any length from five turns and without its first turn and its last. The place where they
meet is to be found, within one turn, by numbers fitted on the other conversations. Each session is
in one pair for each drawing; a drawing joins and cuts anew.

| option | default | |
|---|---|---|
| `--data` | | folder with `locomo_dev` and `proactive_zh_dev` |
| `--embedder` | `local` | `none`: words alone |
| `--models` | `.astrbot-dev/models` | the local embedding model |
| `--vectors` | | keep vectors in this folder |
| `--drawings` | `5` | |
| `--write` | off | write `core/scoring/boundaries.json`, fitted on all conversations |

Keys: `benchmark`, `seed`, `drawings`, and by footing (`meaning`, `words`): `stretches`, `f1`,
`centroid` and `middle` by set and their `average`: of boundaries within one turn, where one place
is named for each stretch, with `mean` and `spread` (standard deviation) over the drawings; by the
model, by the distance of a turn from the four before it alone, and by cutting in the middle;
`talks`, cut until no place is left by the fit on the other conversations: `precision` and `recall`
where three short topics follow each other, and `in_40_turns_of_a_session`, the cuts in whole
sessions; `weights`, of the fit on all. A footing whose model is not installed says so under
`missing`.
"""

from .launch import launch

if __name__ == "__main__":
    launch("segmentation_run")
