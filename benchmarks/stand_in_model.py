"""Random weights of the local model's shape, for machines where it is not installed."""

from hashlib import sha256
from pathlib import Path

import numpy as np

from ..core.embedding.local.install import checksum_file, weights_file

WIDTH, HEADS, FEED, LAYERS = 384, 12, 1536, 12
LETTERS = "abcdefghijklmnopqrstuvwxyz"
PIECES = ("<s>", "<pad>", "</s>", "<unk>", "\u2581", ":", *LETTERS)


def install_stand_in(folder: Path, seed: int) -> None:
    """Write the weights and their checksum. Every letter is a piece."""
    draw = np.random.default_rng(seed)
    arrays: dict[str, np.ndarray] = {
        "shape": np.array([LAYERS, HEADS]),
        "epsilon": np.array(1e-12, np.float32),
        "control": np.array([0, 2, 1, 3]),
        "pieces": _text("\0".join(PIECES)),
        "scores": np.zeros(len(PIECES), np.float32),
        "replaced": np.array([0x3000]),
        "replacements": _text(" "),
        "emb.pos": draw.normal(0, 0.5, (256, WIDTH)).astype(np.float32),
        "emb.type": draw.normal(0, 0.5, (2, WIDTH)).astype(np.float32),
        **_quantised("emb.word", len(PIECES), WIDTH, draw),
        **_normal("emb.ln.w", draw),
        **_normal("emb.ln.b", draw),
    }
    for layer in (f"l{number}" for number in range(LAYERS)):
        for name in ("q", "k", "v", "ao"):
            arrays |= _quantised(f"{layer}.{name}.w", WIDTH, WIDTH, draw)
        arrays |= _quantised(f"{layer}.fi.w", FEED, WIDTH, draw)
        arrays |= _quantised(f"{layer}.fo.w", WIDTH, FEED, draw)
        arrays[f"{layer}.fi.b"] = draw.normal(0, 0.5, FEED).astype(np.float32)
        for name in ("q.b", "k.b", "v.b", "ao.b", "fo.b", "aln.w", "aln.b", "oln.w", "oln.b"):
            arrays |= _normal(f"{layer}.{name}", draw)
    with weights_file(folder).open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
    digest = sha256(weights_file(folder).read_bytes()).hexdigest()
    checksum_file(folder).write_text(digest, encoding="utf-8")


def _quantised(
    name: str, rows: int, width: int, draw: np.random.Generator
) -> dict[str, np.ndarray]:
    return {
        f"{name}.scales": draw.uniform(0.005, 0.02, (rows, width // 32)).astype(np.float16),
        f"{name}.nibbles": draw.integers(0, 256, (rows, width // 2), np.uint8),
    }


def _normal(name: str, draw: np.random.Generator) -> dict[str, np.ndarray]:
    return {name: draw.normal(0, 0.5, WIDTH).astype(np.float32)}


def _text(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), np.uint8)
