"""An example of a system that is not ours: the published plugin livingmemory, from a checkout.

    git clone https://github.com/lxfight-s-Astrbot-Plugins/astrbot_plugin_livingmemory
    LIVINGMEMORY=…/astrbot_plugin_livingmemory python -m benchmarks.scoreboard --data FOLDER \
        --system astrbot_plugin_tidemark.benchmarks.comparing.livingmemory:LivingMemory

Its engine is driven as its own handlers drive it: `add_memory`, then `search_memories`. It stores
what a chat model makes of a conversation; here no model is called, and it is told the messages,
with the recorded facts beside them where a set has any. It has no decision that nothing is needed:
it shows its best five, which is its default, and is as sure as the best one's score. AstrBot, whose
database of vectors it uses, makes a folder `data` where the command runs.
"""

import importlib
import os
import sys
from collections import defaultdict
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any

from ...core.ports import Embedder
from ...core.text.token_count import best_counter
from ..datasets.reading import NoData
from .system import Answer, Fact, Item, Question, Turn

CHECKOUT = "LIVINGMEMORY"
"""The environment variable that names the checkout."""

PACKAGE = "livingmemory_checkout"
HOST_VECTORS = "astrbot.core.db.vec_db.faiss_impl.vec_db"
SESSION = "board:FriendMessage:chat"
SHOWN = 5
RANKED = 50


def checkout() -> None:
    """Make the checkout a package, as the host does. Raises NoData if none is named."""
    folder = os.environ.get(CHECKOUT, "")
    if not Path(folder, "core", "managers", "memory_engine.py").is_file():
        raise NoData(f"{CHECKOUT} names no checkout of the plugin: {folder!r}")
    spec = ModuleSpec(PACKAGE, None, is_package=True)
    spec.submodule_search_locations = [folder]
    sys.modules[PACKAGE] = module_from_spec(spec)


@dataclass(slots=True)
class Provider:
    """Our embedder as a provider of the host."""

    embedder: Embedder
    size: int

    def get_dim(self) -> int:
        """Of a vector."""
        return self.size

    async def get_embedding(self, text: str) -> list[float]:
        """Of a text to be found, or to search with: the host knows no difference."""
        (vector,) = await self.embedder.embed_documents([text])
        return vector.tolist()

    async def get_embeddings(self, texts: Sequence[str]) -> list[list[float]]:
        """Of several."""
        return [vector.tolist() for vector in await self.embedder.embed_documents(texts)]


@dataclass(slots=True)
class LivingMemory:
    """One chat's memory in the plugin's own files."""

    folder: Path
    embedder: Embedder | None
    _engine: Any = None
    _vectors: Any = None
    _items: dict[int, Item] = field(default_factory=dict[int, Item])
    _waiting: defaultdict[str, list[Fact]] = field(
        default_factory=lambda: defaultdict[str, list[Fact]](list)
    )

    async def learn(self, fact: Fact) -> None:
        """Remembered when the last of its turns is heard."""
        for each in fact.rests_on:
            self._waiting[each].append(fact)

    async def add(self, turn: Turn) -> None:
        """Remember it at its own time, with what is learnt of it."""
        text = f"{turn.text}\n{turn.answer}" if turn.answer else turn.text
        await self._remember(Item(frozenset({turn.id} - {""}), text), turn.at)
        for fact in self._waiting.pop(turn.id, []):
            if not any(fact in others for others in self._waiting.values()):
                await self._remember(Item(fact.rests_on, fact.text, learnt=True), turn.at)

    async def rest(self, at: float) -> None:
        """It forgets by the clock of the machine, which stands still here."""

    async def block(self, question: Question, budget: int | None = None) -> Answer:
        """Its search."""
        engine = await self._opened()
        found = await engine.search_memories(question.text, k=RANKED, session_id=SESSION)
        known = [(self._items[one.doc_id], one) for one in found if one.doc_id in self._items]
        ranked = tuple(item for item, _ in known)
        certainty = float(known[0][1].final_score) if known else 0.0
        count, shown, tokens = best_counter()[0], list[Item](), 0
        for item in ranked[:SHOWN] if budget is None else ranked:
            cost = count(item.text) + 1
            if budget is not None and tokens + cost > budget:
                break
            shown.append(item)
            tokens += cost
        return Answer(ranked, tuple(shown), tokens, certainty)

    async def answered(self) -> None:
        """A search leaves no trace but the time of the last access."""

    async def memories(self) -> Sequence[Item]:
        """Everything: nothing is forgotten while its clock stands still."""
        return list(self._items.values())

    async def close(self) -> int:
        """No model was called."""
        if self._engine is not None:
            await self._engine.close()
            await self._vectors.close()
        return 0

    async def _remember(self, item: Item, at: float) -> None:
        engine = await self._opened()
        times = {"create_time": at, "last_access_time": at}
        number = await engine.add_memory(
            item.text, session_id=SESSION, metadata=times, preserve_create_time=True
        )
        self._items[int(number)] = item

    async def _opened(self) -> Any:
        if self._engine is None:
            if self.embedder is None:
                raise NoData("livingmemory needs an embedder")
            checkout()
            (vector,) = await self.embedder.embed_documents(["."])
            # The host logs to standard output, where the figures go.
            with redirect_stdout(sys.stderr):
                faiss = importlib.import_module(HOST_VECTORS)
                module = importlib.import_module(f"{PACKAGE}.core.managers.memory_engine")
            file = str(self.folder / "livingmemory.db")
            index = str(self.folder / "livingmemory.index")
            self._vectors = faiss.FaissVecDB(file, index, Provider(self.embedder, len(vector)))
            await self._vectors.initialize()
            self._engine = module.MemoryEngine(file, self._vectors, config={})
            await self._engine.initialize()
        return self._engine
