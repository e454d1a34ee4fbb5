"""Draws logo.png: the tide at the foot of the moon. `python -m scripts.logo [FILE]`.

256 pixels, four shapes and no letters, so that it can still be told at 32. Drawn from formulas and
written by `zlib` alone: the same bytes wherever the same zlib is.
"""

import struct
import sys
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).resolve().parent.parent / "logo.png"
SIDE = 256
FINER = 4
"""Points drawn for each pixel, along each side, and averaged."""

type Shape = NDArray[np.float64]
type Colour = tuple[int, int, int]

NIGHT: tuple[Colour, Colour] = ((16, 42, 67), (36, 84, 124))
MOON: Colour = (250, 236, 200)
WAVES: tuple[tuple[float, float, float, Colour], ...] = (
    (0.52, 0.045, 0.10, (74, 144, 184)),
    (0.66, 0.045, 0.55, (122, 190, 214)),
    (0.80, 0.040, 0.95, (226, 243, 246)),
)
"""Of each: height of its line, of its crests, how far it is along, in shares of the side."""


def picture() -> NDArray[np.uint8]:
    """Rows of pixels, red, green, blue and opacity."""
    side = SIDE * FINER
    y, x = (axis / side for axis in np.mgrid[0:side, 0:side] + 0.5)
    colours = np.empty((side, side, 3))
    for channel in range(3):
        top, bottom = (each[channel] for each in NIGHT)
        colours[..., channel] = top + (bottom - top) * y
    colours[np.hypot(x - 0.5, y - 0.40) < 0.235] = MOON
    for line, crest, along, colour in WAVES:
        colours[y > line + crest * np.sin(2 * np.pi * (1.25 * x + along))] = colour
    opacity = 255.0 * _rounded(x, y)
    return _averaged(np.dstack([colours, opacity]))


def png(pixels: NDArray[np.uint8]) -> bytes:
    """The picture as a PNG file."""
    height, width, _ = pixels.shape
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _rounded(x: Shape, y: Shape, radius: float = 0.22) -> Shape:
    """1 inside a square with round corners, 0 outside."""
    beyond = [np.maximum(np.abs(axis - 0.5) - (0.5 - radius), 0.0) for axis in (x, y)]
    return (np.hypot(*beyond) <= radius).astype(np.float64)


def _averaged(fine: Shape) -> NDArray[np.uint8]:
    """A pixel for every square of points; what is outside colours no edge."""
    squares = fine.reshape(SIDE, FINER, SIDE, FINER, 4)
    weight = squares[..., 3:]
    opacity = weight.mean(axis=(1, 3))
    seen = (squares[..., :3] * weight).sum(axis=(1, 3)) / np.maximum(weight.sum(axis=(1, 3)), 1.0)
    return np.rint(np.dstack([seen, opacity])).astype(np.uint8)


def _chunk(name: bytes, data: bytes) -> bytes:
    checked = name + data
    return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))


if __name__ == "__main__":
    (Path(sys.argv[1]) if len(sys.argv) > 1 else FILE).write_bytes(png(picture()))
