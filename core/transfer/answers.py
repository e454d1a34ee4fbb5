"""Seals on the bot's answers in exports: an import takes only answers sealed here."""

from dataclasses import replace
from hmac import compare_digest

from ..model.memory import REPLY_MARK, Kind, Memory, unmarked
from ..ports import Ledger
from ..records.evidence import without_reply
from .lines import ExportedMemory


def seal_of(memory: Memory, ledger: Ledger) -> str:
    """Proves later that the answer in a memory was exported here; "" if it has none."""
    if memory.kind is not Kind.EVIDENCE or REPLY_MARK not in memory.text:
        return ""
    return ledger.seal(memory.id, memory.scope, memory.text)


def vouched(entry: ExportedMemory, ledger: Ledger) -> ExportedMemory:
    """The entry, with an answer of the bot's only where its seal is ours.

    Of a turn, any other answer goes: the record is what a person said, and as words it would be
    quoted as theirs. A mark elsewhere becomes an arrow, as in everything people write.
    """
    memory = entry.memory
    seal = seal_of(memory, ledger)
    if seal and compare_digest(seal.encode(), entry.seal.encode("utf-8", "replace")):
        return entry
    said = without_reply(memory).text if memory.kind is Kind.EVIDENCE else memory.text
    text = unmarked(said if said.strip() else memory.text)
    told = replace(memory, text=text, summary=unmarked(memory.summary))
    # The vector was made of other words; it would still find the memory by them.
    return entry if told == memory else replace(entry, memory=told, vector=None)
