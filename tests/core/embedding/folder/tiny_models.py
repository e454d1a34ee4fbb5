"""Model folders in miniature: every character is a token, its vector drawn by chance."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from astrbot_plugin_tidemark.core.embedding.calibrator import PAIRS
from astrbot_plugin_tidemark.core.embedding.local.model import FLOAT, Graph

WIDTH = 16
INT64, WHOLE = 7, ("texts", "tokens")
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def characters() -> list[str]:
    """Of the built-in sample and the probes, which all get vectors of their own."""
    texts = [text for pairs in PAIRS.values() for pair in pairs for text in pair]
    return sorted({*"".join(texts), *"abcdefghijklmnopqrstuvwxyz: "})


def tokenizer() -> str:
    """A `tokenizer.json` that cuts a text into its characters, between two marks."""
    words = [*MARKS, *characters()]
    special = [
        {"id": i, "content": mark, "special": True, "single_word": False, "lstrip": False}
        | {"rstrip": False, "normalized": False}
        for i, mark in enumerate(MARKS)
    ]
    pair = [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
    ]
    single = [*pair, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": special,
            "normalizer": None,
            "pre_tokenizer": {
                "type": "Split",
                "pattern": {"Regex": "."},
                "behavior": "Isolated",
                "invert": False,
            },
            "post_processor": {
                "type": "TemplateProcessing",
                "single": single,
                "pair": [*single, {"Sequence": {"id": "B", "type_id": 1}}],
                "special_tokens": {
                    mark: {"id": mark, "ids": [MARKS.index(mark)], "tokens": [mark]}
                    for mark in ("[CLS]", "[SEP]")
                },
            },
            "decoder": None,
            "model": {
                "type": "WordLevel",
                "vocab": {word: place for place, word in enumerate(words)},
                "unk_token": "[UNK]",
            },
        }
    )


def network(
    *,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
    output: str = "last_hidden_state",
    scale: float = 1.0,
) -> bytes:
    """A network that looks up a vector for each token; with `sentence_embedding` only the first."""
    graph = Graph()
    for name in inputs:
        graph.take(name, INT64, WHOLE)
    rows = np.random.default_rng(5).normal(size=(len(MARKS) + len(characters()), WIDTH))
    table = graph.constant((rows * scale).astype(np.float32))
    if output == "sentence_embedding":
        (state,) = graph.add("Gather", [table, "input_ids"])
        first = graph.constant(np.array(1, np.int64))
        graph.add("Gather", [state, first], {"axis": 1}, name=output)
        graph.give(output, FLOAT, ("texts", WIDTH))
    else:
        graph.add("Gather", [table, "input_ids"], name=output)
        graph.give(output, FLOAT, (*WHOLE, WIDTH))
    return graph.model("tests")


def judge(liked: str, *, classes: int = 1, score: float = 4.0) -> bytes:
    """A network whose last logit is high for pairs that hold one character."""
    graph = Graph()
    graph.take("input_ids", INT64, WHOLE)
    graph.take("attention_mask", INT64, WHOLE)
    graph.take("token_type_ids", INT64, WHOLE)
    table = np.full((len(MARKS) + len(characters()), classes), -3.0, np.float32)
    table[len(MARKS) + characters().index(liked), -1] = score
    (rows,) = graph.add("Gather", [graph.constant(table), "input_ids"])
    graph.add("ReduceMax", [rows], {"axes": [1], "keepdims": 0}, name="logits")
    graph.give("logits", FLOAT, ("texts", classes))
    return graph.model("tests")


def write(folder: Path, model: bytes | None = None, **told: Mapping[str, Any] | list[Any]) -> Path:
    """A folder with this network and these JSON files, `__` in their names for `/`."""
    folder.mkdir(exist_ok=True, parents=True)
    (folder / "model.onnx").write_bytes(network() if model is None else model)
    (folder / "tokenizer.json").write_text(tokenizer(), encoding="utf-8")
    for name, content in told.items():
        path = folder / f"{name.replace('__', '/')}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return folder
