"""The systems by their names, and how one is made for a life."""

import importlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

from ...core.embedding.hashed import HashedEmbedder
from ...core.model.conversation import ScopeKind
from ...core.ports import Embedder
from ...core.settings import RecallSettings, Settings
from ...core.text.token_count import estimate_tokens
from ..datasets.reading import NoData
from ..living.installation import DEFAULTS, KEPT, Learning
from ..living.script import Life
from .baselines import Baseline
from .system import MemorySystem
from .tidemark import Tidemark

BASELINES: Mapping[str, tuple[frozenset[str], bool]] = {
    "nothing": (frozenset(), False),
    "words": (frozenset({"words"}), False),
    "dense": (frozenset({"vectors"}), False),
    "fusion": (frozenset({"words", "vectors"}), False),
    "fusion-recorded": (frozenset({"words", "vectors"}), True),
}
"""Their legs, and whether the recorded facts are told to them."""

PRODUCT: Mapping[str, tuple[Learning, str, Settings]] = {
    "tidemark": ("rules", "shared", KEPT),
    "tidemark-words": ("rules", "none", KEPT),
    "tidemark-hashed": ("rules", "hashed", KEPT),
    "tidemark-unlearnt": ("none", "shared", KEPT),
    "tidemark-recorded": ("recorded", "shared", KEPT),
    "tidemark-forgetting": ("rules", "shared", DEFAULTS),
    "tidemark-ranks": ("rules", "shared", replace(KEPT, recall=RecallSettings(fusion="ranks"))),
    "tidemark-graphless": (
        "rules",
        "shared",
        replace(KEPT, recall=RecallSettings(graph_weight=0.0)),
    ),
}
"""How it learns, its embedder, and its settings: what is told stays, but for the last."""

NAMES = (*BASELINES, *PRODUCT)
USUAL = ("words", "dense", "fusion", "tidemark", "tidemark-recorded")


def made(
    name: str, folder: Path, embedder: Embedder | None, life: Life, chance: Random
) -> tuple[MemorySystem, bool]:
    """The system of a name for one life, and whether it is told the recorded facts.

    Raises NoData for a name that is none.
    """
    if name in BASELINES:
        legs, learns = BASELINES[name]
        if "vectors" in legs and embedder is None:
            raise NoData(f"{name} needs an embedder")
        return Baseline(embedder, estimate_tokens, chance, legs), learns
    if name in PRODUCT:
        learning, own, settings = PRODUCT[name]
        shared = {"shared": embedder, "none": None, "hashed": HashedEmbedder()}[own]
        group = life.scope.kind is ScopeKind.GROUP
        return Tidemark(
            folder, shared, learning, settings, group, life.language
        ), learning == "recorded"
    module, colon, kind = name.partition(":")
    if not colon:
        raise NoData(f"no system is called {name}")
    try:
        return getattr(importlib.import_module(module), kind)(folder, embedder), True
    except (ImportError, AttributeError) as error:
        raise NoData(f"{name}: {error}") from error
