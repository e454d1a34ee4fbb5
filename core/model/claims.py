"""A claim: that an attribute of somebody has a value, from one time until another."""

from dataclasses import dataclass

SPEAKER = "@"
"""Begins the subject of what a speaker says of themselves, or of their relatives and pets."""

LONG_AGO = 0.0
"""Since when that was so of which nothing is known but that it is told as long past."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An attribute of a subject has the value, or if `denied` has it no more.

    `subject` and `attribute` name the slot within the memory's scope, see `core.conflict.slots`.
    It is valid from `valid_from` on, before `valid_to`; None while it holds. Both the same: it was
    never true.
    """

    subject: str
    attribute: str
    value: str
    valid_from: float
    valid_to: float | None = None
    denied: bool = False

    @property
    def slot(self) -> str:
        """The slot as one text: equal for claims of the same attribute of the same subject."""
        return slot_of(self.attribute, self.subject)

    @property
    def relation(self) -> str:
        """The relative or pet of a speaker that it is about: "sister"; "" for anybody else."""
        own, _, relation = self.subject.partition("/")
        return relation if own.startswith(SPEAKER) else ""


def slot_of(attribute: str, subject: str) -> str:
    """The slot of an attribute of a subject as one text."""
    return f"{attribute}\n{subject}"
