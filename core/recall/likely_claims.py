"""What holds of the attribute that a turn asks for by its meaning, whatever its words."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..conflict.slots import told_by
from ..languages.inquiries import whose
from ..languages.language import Marker
from ..languages.markers import codes_in, marker
from ..model.claims import slot_of
from ..model.memory import Memory
from ..ports import Filter
from ..scoring.coefficients import Coefficients
from .legs.parallel import Searched
from .legs.slot import MOST, MOST_HELD, place_of
from .partial_failure import Failures
from .question import Question, Sources, Understood
from .relatives import own_subjects
from .slots import asks_for_past
from .trace import Hit, Leg, LegReport, LegState

LEAST = 0.3
"""How likely at least a turn asks for an attribute whose claim is brought up for that."""

OF_BEST = 0.3
"""Of what the likeliest attribute has, what another one must have to be told beside it."""

TOLD = 2
"""Claims that are brought up so."""

MOST_FOUND = 3
"""Claims of the slot leg in all, where no form of a question says what it asks for."""


async def with_likely(
    understood: Understood,
    searched: Searched,
    sources: Sources,
    model: Coefficients,
    failures: Failures,
) -> Searched:
    """What the legs found, and by the slot what holds of the likeliest attributes of who is meant.

    Where a form of the question says what it asks for, and something is known of that, nothing is
    added. `understood.recalls` tells how likely it asks for what is remembered.
    """
    sure = any(not each.words for each in understood.inquiries)
    known = searched.found.get(Leg.SLOT, [])
    meaning, question = searched.meaning, understood.question
    if meaning is None or (sure and known) or understood.recalls < LEAST:
        return searched
    subjects = _subjects(question)
    told = model.asked.likely(meaning.alone, meaning.fingerprint) if subjects else {}
    likely = {key: share * understood.recalls for key, share in told.items()}
    if max(likely.values(), default=0.0) < LEAST:
        return searched
    keys = [key for key, share in likely.items() if share >= LEAST]
    held = await failures.spared(Leg.SLOT, _held(keys, subjects, question, sources), [])
    found = _likeliest(held, likely, past=asks_for_past(question.text))
    return _beside(searched, found) if found else searched


def _subjects(question: Question) -> Sequence[str]:
    """Who is asked about, if it is the asker or somebody of theirs; nobody of whom it is unsure."""
    if Leg.SLOT in question.without:
        return []
    who = whose(question.text)
    if who is None:
        return []
    of_self = marker(Marker.SELF, codes_in(question.text)).search(question.text) is not None
    return own_subjects(who, question) if who or of_self else []


async def _held(
    keys: Sequence[str], subjects: Sequence[str], question: Question, sources: Sources
) -> list[Memory]:
    """Claims of the subjects: those of these very attributes, and the newest of all."""
    newest = Filter(
        question.scopes,
        recallable=True,
        holds=None if asks_for_past(question.text) else True,
    )
    slots = frozenset(slot_of(key, subject) for key in keys for subject in subjects)
    read = sources.store.page
    found = await asyncio.gather(
        read(replace(newest, slots=slots), limit=MOST), read(newest, limit=MOST_HELD)
    )
    known = {memory.id: memory for page in found for memory in page}
    return [each for each in known.values() if each.claim and each.claim.subject in subjects]


def _likeliest(
    held: Sequence[Memory], likely: Mapping[str, float], *, past: bool
) -> list[tuple[Memory, float]]:
    """Of the claims those that are likely asked for, each with how likely, the likeliest first."""
    told = [(each, told_by(each.claim.attribute, likely)) for each in held if each.claim]
    least = max(LEAST, OF_BEST * max((share for _, share in told), default=0.0))
    asked = [(memory, share) for memory, share in told if share >= least]
    return sorted(asked, key=lambda each: (-each[1], *place_of(each[0], past=past)))[:TOLD]


def _beside(searched: Searched, found: Sequence[tuple[Memory, float]]) -> Searched:
    """The hits of the slot leg anew: what is likely asked for before what it had found."""
    ids = {memory.id for memory, _ in found}
    before = [each for each in searched.found.get(Leg.SLOT, []) if each[0] not in ids]
    told = [(memory.id, Hit(Leg.SLOT, 1, share, share)) for memory, share in found]
    hits = [
        (id, replace(hit, rank=rank))
        for rank, (id, hit) in enumerate([*told, *before][:MOST_FOUND], start=1)
    ]
    reports = [each for each in searched.reports if each.leg is not Leg.SLOT]
    ran = next((each for each in searched.reports if each.leg is Leg.SLOT), None)
    report = replace(ran or LegReport(Leg.SLOT, LegState.OK), hits=len(hits))
    found_now = {**searched.found, Leg.SLOT: hits}
    return replace(searched, found=found_now, reports=[*reports, report])
