"""What the turns of cases ask for, by numbers that were not fitted on any of them."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..core.languages.scripts import in_one_script
from ..core.ports import Embedder
from ..core.scoring.columns import TurnColumn
from .fit_memory_need_run import WRITTEN, fitted, vectors_of
from .fit_memory_need_turns import BESIDE_RECALL, turns
from .fit_recall_cases import Case


async def with_recalls(
    cases: Sequence[Case], options: Namespace, embedder: Embedder | None
) -> list[Case]:
    """The cases with the column `RECALLS`; by words alone without an embedder of meanings."""
    own = turns(WRITTEN, BESIDE_RECALL)
    need = fitted(own, *await vectors_of(options, own))
    told: dict[str, float] = {}
    for text in {case.text for case in cases}:
        if embedder is None:
            told[text] = need.probability(text)
            continue
        vector = np.asarray(await embedder.embed_query(in_one_script(text)), np.float32)
        told[text] = need.probability(text, vector, (await embedder.identity()).fingerprint)
    return [
        replace(case, known={**case.known, TurnColumn.RECALLS: told[case.text]}) for case in cases
    ]
