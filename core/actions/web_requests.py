"""The note of what was asked for from the page, in the audit log."""

from uuid import uuid4

from ..model.times import local_date, zone
from ..ports import AuditEntry
from .context import Context

REQUESTED = "requested"


async def note_request(context: Context, name: str, *, changes: bool) -> None:
    """That the caller made this request: each that changes something, others once a day."""
    day = local_date(context.now, zone(context.timezone))
    by = context.caller.signature
    key = f"web:{uuid4()}" if changes else f"web:{day}:{by}:{name}"
    entry = AuditEntry(key, f"web:{name}", "", REQUESTED, by, context.now)
    await context.journal.audit([entry])
