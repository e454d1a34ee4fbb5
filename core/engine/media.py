"""Media of messages, described in the text of their turns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..model.knowledge import Media
from ..ports import Turns
from ..records.media import described, worded
from ..settings import DisplaySettings


@dataclass(frozen=True, slots=True)
class MediaDescriptions:
    """Words for pictures, voices and files; `wake` is called when a turn is to be indexed anew."""

    journal: Turns
    display: DisplaySettings
    wake: Callable[[], None]

    def worded(self, said: str, media: Sequence[Media]) -> str:
        """What was said, with what came with it in words."""
        language = self.display.language
        return worded(said, media, "zh" if language == "auto" else language)

    async def describe(self, seq: int, captions: Sequence[str]) -> None:
        """Put what a turn's pictures show into its words; nothing if it is not plain which."""
        turn = await self.journal.turn(seq)
        if turn is None or not turn.text:
            return
        media = described(turn.media, captions)
        if media == turn.media:
            return
        # What came with it is the last line, see `worded`.
        said = turn.text.rpartition("\n")[0]
        await self.journal.describe_turn(seq, self.worded(said, media), media)
        self.wake()
