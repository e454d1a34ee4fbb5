"""The page of a run: when, on what machine and how it was measured, above the tables."""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..command import progress
from .chart import draw
from .table import READING, behind, losses, tables

OWN_WORDS = {
    "proactive": "ProactiveMemBench: half a year of a person's chats in Chinese, and turns that "
    "need a memory without naming it",
    "madial": "MADial-Bench: a person's facts in Chinese, and dialogues that should bring one up",
    "locomo": "LoCoMo: two people's months in English, and questions about single messages",
    "cdconv": "CDConv: somebody says one thing in Chinese and, in every second pair, later the "
    "opposite; the two answers of an exchange as one person's words",
    "beam": "BEAM, chats of 100K tokens: long work with an assistant in English, and questions "
    "about ten abilities",
    "memdaily": "MemDaily: a few messages of somebody's days in Chinese, a question each",
    "precision": "PrecisionMemBench: one person's beliefs, told in a chat in English whatever "
    "their field",
    "longmemeval": "LongMemEval-S: a question each over many dated chats in English",
    "halumem": "HaluMem: a person's years in chats in English; its evidence names a session and no "
    "message, so that any turn of the session counts as found",
    "changes": "things that change as they are told in chat, in both languages, written for these "
    "benchmarks by two hands",
}


CHART = (
    "By set and system, with intervals: the evidence among the first ten, both sides of a "
    "contradiction, or how often the present comes before what it took the place of"
)

FAIRNESS = """\
**What these figures do not prove.** The numbers that decide what Tidemark brings up were fitted
(`benchmarks.fit_recall`) on the development splits of LoCoMo, MADial and ProactiveMemBench, on the
openings of CDConv and on what one of two hands wrote of the changes; whoever measures on the same
splits finds it at its best. The baselines were fitted on nothing. Of what is here, only the other
hand's changes and the contradictions of CDConv are in no fit."""


@dataclass(frozen=True, slots=True)
class Run:
    """What was asked for on the command line."""

    systems: Sequence[str]
    options: Mapping[str, Any]

    @classmethod
    def of(cls, options: Namespace, systems: Sequence[str]) -> "Run":
        """Of a parsed command line."""
        return cls(systems, vars(options))

    @property
    def command(self) -> str:
        """The same again; whoever reads it has folders of his own."""
        given = self.options
        words = ["python -m benchmarks.scoreboard --data FOLDER"]
        words += [f"--system {name}" for name in given["system"] or ()]
        words += [f"--set {name}" for name in given["set"] or ()]
        words += [f"--{name} {given[name]}" for name in _LIMITS if given[name] < ALL]
        for name, most in given["sample"]:
            words.append(f"--sample {name}={':'.join(map(str, most))}")
        words += [f"--{name} FOLDER" for name in ("models", "vectors", "resume") if given[name]]
        return " ".join([*words, f"--embedder {given['embedder']} --seed {given['seed']}"])


ALL = 1_000_000
"""Of anything, for which no limit was given."""

_LIMITS = ("lives", "messages", "questions")


def write(file: Path, result: Mapping[str, Any], run: Run) -> None:
    """The page, and its chart beside it where matplotlib is there."""
    chart = file.with_suffix(".png")
    try:
        draw(chart, result["sets"])
    except ImportError:
        progress("no chart: it is drawn with matplotlib, which is not installed")
        chart = None
    file.write_text(page(result, run, chart, datetime.now(UTC)), "utf-8")


def page(result: Mapping[str, Any], run: Run, chart: Path | None, at: datetime) -> str:
    """In Markdown."""
    told = ["# Scoreboard", "", *_about(result, run, at), "", FAIRNESS]
    if chart is not None:
        told += ["", f"![{CHART}]({chart.name})"]
    told += ["", "## Where something simpler is better", ""]
    told += list(losses(result["sets"])) or ["Nowhere, in these figures."]
    if others := list(behind(result["sets"])):
        told += ["", "The product's other variants, each beside all that is not the product:", ""]
        told += others
    told += ["", "(apart): the intervals do not overlap."]
    told += ["", "## How to read it", "", READING]
    for name, systems in result["sets"].items():
        told += ["", f"## {name}", "", *_told_of(name, result), ""]
        told += tables(systems)
    return "\n".join([*told, ""])


def _about(result: Mapping[str, Any], run: Run, at: datetime) -> Iterator[str]:
    facts = result["machine"]
    yield "Written by the command itself; nothing on this page is typed by hand."
    yield ""
    yield f"    {run.command}"
    yield ""
    yield (
        f"On {at:%d %B %Y}, on a machine with {facts['cores']} cores and {facts['memory_gib']} GiB "
        f"of memory (Python {facts['python']}); {_load(facts)} Embedder: "
        f"{result['embedder']}. Seed {result['seed']}."
    )
    if cut := [f"{result[name]} {name}" for name in _LIMITS if result[name] < ALL]:
        yield f"A sample, not the whole sets: of each at most {', '.join(cut)}."
    yield _measured(result["commits"])
    if run.options["finished"]:
        yield (
            "Not all lives of every set have been finished; each set says how many lives and "
            "questions its figures rest on."
        )


def _measured(commits: Sequence[str]) -> str:
    if len(commits) == 1 and commits[0]:
        return f"All of it was measured at commit {commits[0]}."
    known = ", ".join(filter(None, commits)) or "not known"
    return (
        "Lives that an earlier run with the same options has finished are taken as they are, by "
        f"whatever version they were measured: commits {known}."
    )


def _load(facts: Mapping[str, Any]) -> str:
    before, after = facts["load_before"], facts["load_after"]
    if before is None:
        return "its load is not known."
    return f"its load was {before:g} before and {after:g} after the run."


def _told_of(name: str, result: Mapping[str, Any]) -> Iterator[str]:
    size, most = result["sizes"][name], result["samples"].get(name)
    yield f"{OWN_WORDS.get(name, name)[:1].upper()}{OWN_WORDS.get(name, name)[1:]}."
    yield (
        f"{size['lives']} lives, {size['messages']} messages, {size['questions']} questions, "
        f"{size['idle']} turns that need nothing."
    )
    if most is not None:
        yield (
            f"A sample, not the whole set: at most {most['lives']} lives, and of each at most "
            f"{most['messages']} messages and {most['questions']} questions."
        )
