"""Lines of an export: what is written is read back, and what strangers wrote is looked at."""

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from astrbot_plugin_tidemark.core.model.memory import Memory, Sentiment, Standing
from astrbot_plugin_tidemark.core.records.serialisation import NotARecord
from astrbot_plugin_tidemark.core.transfer import export_file as lines
from astrbot_plugin_tidemark.core.transfer.export_file import ExportedMemory, Header
from astrbot_plugin_tidemark.core.transfer.foreign.rows import NotASource, SourceProblem
from hypothesis import given
from hypothesis import strategies as st

from ...storage.memories import complete, memory, populations

any_text = st.text(st.characters(exclude_categories=()), max_size=30)
HEADER = Header(5.0, "journal", ("private/qq/901/default",))


def claim(**changes: Any) -> dict[str, Any]:
    """A claim as an export writes it."""
    return {"subject": "@", "attribute": "age", "value": "30", "valid_from": 1.0, **changes}


def written(**changes: Any) -> bytes:
    """A sound line with some fields of its memory replaced by dotted name."""
    fields = json.loads(lines.line_of(ExportedMemory(complete("a"))))
    for name, value in changes.items():
        *parents, last = name.split("__")
        place = fields["memory"]
        for parent in parents:
            place = place[parent]
        place[last] = value
    return json.dumps(fields).encode()


def refused_field(line: bytes) -> str:
    """What of the line does not fit; "" for the line as a whole."""
    with pytest.raises(NotARecord) as caught:
        lines.read_line(line)
    return caught.value.field


@given(populations, any_text)
def test_any_memory_comes_back_from_one_line_of_valid_utf8(
    population: list[Memory], text: str
) -> None:
    # A mood without intensity and a bin without an end are nothing to reject.
    odd = replace(complete("a"), sentiment=Sentiment(), standing=Standing())
    for one in [*population, memory("odd", text, cues=(text,)), odd]:
        line = lines.line_of(ExportedMemory(one))
        assert lines.read_line(line) == ExportedMemory(one)
        assert line.decode("utf-8").find("\n") == len(line.decode("utf-8")) - 1


def test_the_header_and_every_field_are_written_also_at_its_default() -> None:
    line = json.loads(lines.line_of(ExportedMemory(memory("a", "tea"))))
    assert line["memory"]["vitality"]["last_decay_at"] == 0.0
    assert line["memory"]["successor"] is None
    assert line["memory"]["standing"]["status"] == "live"
    assert lines.read_header(lines.line_of(HEADER)) == replace(HEADER, scopes=None)
    assert lines.read_line(lines.line_of(7)) == 7


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"{",
        b"[1]",
        b"PK\x03\x04",
        b'{"memory": {}}',
        b'{"format": "somebody-elses", "version": 1}',
        b'{"format": "tidemark-memories"}',
        b'{"format": "tidemark-memories", "version": true}',
    ],
)
def test_a_file_of_another_program_has_no_header(line: bytes) -> None:
    assert lines.read_header(line) is None


@pytest.mark.parametrize("version", [0, 2])
def test_a_file_of_another_version_is_refused(version: int) -> None:
    with pytest.raises(NotASource) as caught:
        lines.read_header(json.dumps({"format": lines.FORMAT, "version": version}).encode())
    assert caught.value.problem is SourceProblem.VERSION


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"not json", ""),
        (b"[" * 100_000, ""),
        (b"{}", "memory"),
        (b'{"memory": []}', "memory"),
        (b'{"count": -1}', "memory"),
        (b'{"count": true}', "memory"),
        (b'{"memory": {}}', "id"),
        (written(vitality__strength="4"), "vitality.strength"),
        (written(vitality__strength=True), "vitality.strength"),
        (written(kind="rumour"), "kind"),
        (written(text=5), "text"),
        (written(text=None), "text"),
        (written(created_at="yesterday"), "created_at"),
        (written(id=""), "id"),
        (written(id="../../etc/passwd"), "id"),
        (written(id="a" * 65), "id"),
        (written(scope="somewhere"), "scope"),
        (written(scope="public/qq/901/default"), "scope"),
        (written(vitality__strength=-1), "vitality.strength"),
        (written(vitality__strength=1 << 60), "vitality.strength"),
        (written(vitality__useful_score=float("nan")), "vitality.useful_score"),
        (written(vitality__last_decay_at=float("inf")), "vitality.last_decay_at"),
        (written(vitality__judged=[-4]), "vitality.judged"),
        (written(origin__turns=[1 << 63]), "origin.turns"),
        (written(importance=1.01), "importance"),
        (written(sentiment__intensity=-0.1), "sentiment.intensity"),
        (written(standing__purge_at=1e12), "standing.purge_at"),
        (written(claim=claim(valid_from=float("inf"))), "claim.valid_from"),
        (written(claim=claim(valid_to=-1e12)), "claim.valid_to"),
        (written(claim=claim(value="x" * 100_001)), "claim.value"),
        (written(vitality__settled_at=float("inf")), "vitality.settled_at"),
        (written(claim=claim(subject=None)), "claim.subject"),
        (written(access__count=-1), "access.count"),
        (written(text="x" * 100_001), "text"),
        (b" " * (lines.LONGEST_LINE + 1), ""),
    ],
    ids=lambda case: str(case)[:40],
)
def test_a_line_is_rejected_with_the_field_that_does_not_fit(line: bytes, expected: str) -> None:
    assert refused_field(line) == expected


@pytest.mark.parametrize(
    "vector",
    [
        5,
        {},
        {"fingerprint": "x:2"},
        {"fingerprint": "x:2", "float32": 5},
        {"fingerprint": "x:2", "float32": "!!"},
        {"fingerprint": "x:2", "float32": "AAAA"},
        {"fingerprint": "x:2", "float32": "AAAAAAAAAAA="},
        {"fingerprint": "x:3", "float32": "AACAPwAAAAA="},
        {"fingerprint": "x:2", "float32": "AADAfwAAAAA="},
    ],
    ids=str,
)
def test_a_line_with_a_vector_that_points_nowhere_is_rejected_as_a_whole(vector: object) -> None:
    fields = json.loads(written()) | {"vector": vector}
    assert refused_field(json.dumps(fields).encode()) == "vector"


@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_be_rejected(line: bytes) -> None:
    with suppress(NotARecord):
        lines.read_line(line)
    with suppress(NotASource):
        lines.read_header(line)
