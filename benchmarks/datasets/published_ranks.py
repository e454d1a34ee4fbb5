"""How published embedders rank MADial's memories: `published_ranks.json` beside its dialogues."""

from collections.abc import Mapping
from pathlib import Path

from .madial import said_before
from .reading import Complaints, NoData, files, json_lines, json_value

type Ranks = Mapping[tuple[str, ...], tuple[str, ...]]
"""Labels of memories, best first, by what was said before the dialogue's test turn."""


def read(folder: Path, complaints: Complaints) -> dict[str, Ranks]:
    """By the embedder's name. Raises NoData without any that fits."""
    (ranked,) = files(folder, "published_ranks.json")
    (dialogues,) = files(folder, "dialogues.jsonl")
    texts: dict[str, tuple[str, ...]] = {}
    for where, line in json_lines(dialogues, complaints):
        try:
            texts[str(line["id"])] = tuple(said.text for said in said_before(line))
        except (IndexError, KeyError, TypeError, ValueError) as error:
            complaints.add(where, repr(error))
    found: dict[str, Ranks] = {}
    told = json_value(ranked, complaints)
    for name, by_dialogue in told.items() if isinstance(told, dict) else ():
        try:
            found[name] = {
                texts[dialogue]: tuple(f"m{int(number)}" for number in order)
                for dialogue, order in by_dialogue.items()
                if dialogue in texts
            }
        except (AttributeError, TypeError, ValueError) as error:
            complaints.add(f"{ranked.name}.{name}", repr(error))
    if not found:
        raise NoData(f"{ranked} ranks nothing: {'; '.join(complaints.found)}")
    return found
