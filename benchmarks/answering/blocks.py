"""What is asked, with what a system brings up for it after it has heard the life."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from ..comparing.asking import question_of, told
from ..comparing.system import MemorySystem
from ..datasets.everyday import Earlier
from ..living.script import Life, Need
from .prompts import Asked

SETS = ("locomo", "longmemeval", "madial", "memdaily")
"""Those with answers of their own."""

TOLD_APART = "longmemeval"
"""The set whose questions without an answer are asked; LoCoMo's are left out of its figures."""

UNANSWERABLE = "unanswerable"

type Question = tuple[str, str, str, Sequence[Earlier], Need | None]
"""Category, text, gold, what was said before, and the need."""


async def blocks(life: Life, name: str, system: MemorySystem, *, learns: bool) -> list[Asked]:
    """Every question of a life of the set `name`. `learns`: the recorded facts are told, too."""
    await told(life, system, learns=learns)
    now = f"{datetime.fromtimestamp(life.end, UTC):%Y-%m-%d, %A}"
    found: list[Asked] = []
    for number, (category, text, gold, before, need) in enumerate(_questions(life, name)):
        brought = await system.block(question_of(life, text, before, need))
        await system.answered()
        lines = tuple(item.line or item.text for item in brought.shown)
        said = tuple(f"{each.role.value}: {each.text}" for each in before)
        label = f"{life.name}:{number}" if need is None else need.id
        found.append(Asked(label, name, category, text, gold, now, lines, said))
    return found


def _questions(life: Life, name: str) -> Iterator[Question]:
    for need in life.needs:
        if need.answer:
            yield need.category, need.text, need.answer, need.before, need
    for turn in life.other_person if name == TOLD_APART else ():
        yield UNANSWERABLE, turn.text, "", turn.before, None
