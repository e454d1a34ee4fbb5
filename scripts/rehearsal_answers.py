"""The rehearsal model's part in `benchmarks.answers`: it repeats notes, and judges by words."""

import json
import re

from ..core.languages.terms import content_terms

HALF = 0.5
"""Of the reference's content terms a right reply holds."""

_NOTE = re.compile(r"^\[\d+\] (.+)$", re.M)


def answer(prompt: str) -> str:
    """The notes that share content with the message, all of them if none does."""
    notes = _NOTE.findall(_within("notes", prompt))
    asked = content_terms(_within("message", prompt))
    found = [note for note in notes if content_terms(note) & asked] or notes
    return json.dumps({"answer": " ".join(found) or "I do not know."}, ensure_ascii=False)


def verdict(prompt: str) -> str:
    """Right if the reply holds half of the reference's words; of no reference, if it is short."""
    reference, reply = _within("reference", prompt), _within("reply", prompt)
    wanted = content_terms(reference)
    held = wanted & content_terms(reply)
    right = len(held) >= HALF * len(wanted) if wanted else reply == "I do not know."
    return json.dumps({"right": right})


def _within(name: str, prompt: str) -> str:
    found = re.search(rf"^<{name}>$(.*?)^</{name}>$", prompt, re.S | re.M)
    return found[1].strip() if found else ""
