"""Files that are said to be pictures: whether they are, and small copies of them.

The host brings Pillow; with one that does not nothing here is a picture.
"""

from base64 import b64encode
from io import BytesIO
from pathlib import Path

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
MOST_PIXELS = 40_000_000
"""Of a picture that is read. A small file may unfold into one that fills the memory."""

PREVIEW_SIDE = 256
LARGEST_PREVIEW = 256_000
"""Bytes, as text. One of `PREVIEW_SIDE` pixels has a tenth of that."""


def is_picture(file: Path) -> bool:
    """Whether it is a picture of a bearable size. Its head alone is read for that."""
    try:
        from PIL import Image
    except ImportError:
        return False
    try:
        with Image.open(file, formats=FORMATS) as picture:
            return picture.width * picture.height <= MOST_PIXELS
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False


def preview_of(file: Path) -> str:
    """A small JPEG of the picture, as base64, without what its file tells besides; "" for none."""
    if not is_picture(file):
        return ""
    from PIL import Image

    written = BytesIO()
    try:
        with Image.open(file, formats=FORMATS) as picture:
            picture.draft("RGB", (PREVIEW_SIDE, PREVIEW_SIDE))
            small = picture.convert("RGB")
        small.thumbnail((PREVIEW_SIDE, PREVIEW_SIDE))
        # A new one: what a camera wrote beside the picture (where it was taken) stays behind.
        bare = Image.new("RGB", small.size)
        bare.paste(small)
        bare.save(written, "JPEG", quality=70)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return ""
    told = b64encode(written.getvalue()).decode("ascii")
    return told if len(told) <= LARGEST_PREVIEW else ""
