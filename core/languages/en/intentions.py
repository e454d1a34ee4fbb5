"""What English speakers decide, wonder about, think up and come to see, as patterns. Pure."""

from ...model.intentions import IntentionType
from ...model.memory import Kind
from ..extraction_rule import ExtractionRule
from .extraction_rules import ERRAND, WHEN
from .phrases import phrases

_X = r"(?P<x>(?:(?!\byour?\b)[^,.]){4,80})"
_I = r"(?:i|we)(?: (?:just|finally|suddenly|also|still|really|only now|now))*"

_APPOINTMENT = (
    "(?:appointment|interview|exam|meeting|flight|surgery|wedding|check-?up|viva|audition"
    "|rehearsal|deadline|concert|presentation|viewing|operation|funeral|reunion|party|match|gig"
    "|fitting|trial|tasting|scan|haircut|assessment|inspection|induction|driving test"
    "|parents['’]? evening|(?:hen|stag) (?:do|night|weekend))"
)
_OVER = (
    r"(?!.*\b(?:was|were|went|got (?:cancelled|moved)|cancelled|moved|put|postponed|rescheduled"
    r"|over|boring|fun|great|not|never|no|any|last|every|another)\b|.*n['’]t\b)"
)
"""What an appointment is not told with that is still to come."""
_CLOCK = "(?: [0-9]{1,2}(?:[:.][0-9]{2})? ?(?:am|pm))?"
_OF = r"(?: (?:with|at|for|of|in) [^,.]{1,30}?)?"


def _rule(
    name: str, pattern: str, importance: float, sort: IntentionType, *cues: str
) -> ExtractionRule:
    return ExtractionRule(
        name,
        phrases(pattern),
        importance,
        kind=Kind.PROSPECTIVE,
        cues=cues,
        intention=sort,
    )


RULES: tuple[ExtractionRule, ...] = (
    ExtractionRule(
        "plan without its speaker",
        phrases(
            r"(?P<x>(?:gotta|got to|need to|have to|going|flying|heading|moving|off) "
            rf"(?!{ERRAND}\b)(?:(?!\byour?\b)[^,.]){{0,60}}\b{WHEN}(?: [^,.]{{1,30}})?)"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        template="{who}'s plan: {clause}",
        cues=("plans", "what is coming up"),
    ),
    ExtractionRule(
        "reminder",
        phrases(
            r"(?:(?:please|pls|and|also|can you|could you|will you|would you) )*"
            r"(?:remind me|don['’]t let me forget)"
            rf"(?: {WHEN})? (?:to|about|that i(?:['’]ve| have| need)) (?P<x>[^,.]{{3,80}})"
        ),
        0.7,
        kind=Kind.PROSPECTIVE,
        template="{who} asked: {clause}",
        cues=("plans", "reminders", "what is coming up"),
        to_bot=True,
    ),
    ExtractionRule(
        "appointment",
        phrases(
            r"(?:(?:i|we)(?:['’]ve| have)? )?(?:got|have)? ?"
            rf"(?P<x>an? (?:[\w'’-]+ ){{0,3}}?{_APPOINTMENT}"
            rf"(?: (?:with|at|for) [^,.]{{2,30}})? {WHEN}(?: [^,.]{{1,30}})?)"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        template="{who}'s appointment: {x}",
        cues=("plans", "appointments"),
    ),
    _rule(
        "shared decision",
        rf"we(?:['’]ve| have)?(?: finally| just| all)* (?:decided|agreed) (?:to|on) {_X}",
        0.65,
        IntentionType.DECISION,
        "decisions",
        "what was decided",
    ),
    _rule(
        "decision",
        r"(?:from (?:today|tomorrow|now) on|starting (?:today|tomorrow|now|next week))"
        rf" (?:i|we)(?:['’]ll| will|['’]m| am|['’]re| are)? "
        rf"(?=(?:use|using|go|going|switch|stop|quit|only|no longer|never|eat|run|train)\b){_X}",
        0.65,
        IntentionType.DECISION,
        "decisions",
        "what was decided",
    ),
    _rule(
        "open question",
        rf"(?:{_I} (?:wonder|don['’]t know(?: yet)?|haven['’]t decided(?: yet)?|can['’]t decide)"
        r"|(?:i['’]m|i am|we['’]re|we are)(?: still| not quite)? (?:wondering|not sure|unsure|torn)"
        rf"(?: yet)?)(?: about)? (?P<x>(?:whether|which)\b(?:(?!\byour?\b)[^,.]){{4,80}})",
        0.6,
        IntentionType.QUESTION,
        "open questions",
        "not decided yet",
    ),
    _rule(
        "idea",
        rf"(?:{_I} (?:had|have|got)|i['’]ve (?:had|got)) (?:an|a new|this) idea"
        rf" (?:to|that|about|of|for) {_X}",
        0.55,
        IntentionType.IDEA,
        "ideas",
    ),
    _rule(
        "shared idea",
        rf"(?:i think|i was thinking|i['’]ve been thinking) (?:that )?(?:i|we) could {_X}",
        0.55,
        IntentionType.IDEA,
        "ideas",
    ),
    _rule(
        "insight",
        rf"(?:{_I}(?:['’]ve| have)? (?:realised|realized|came to see|come to see|understood)"
        rf"(?: now)?(?: that)?|it (?:just |finally )?dawned on me(?: that)?) {_X}",
        0.6,
        IntentionType.INSIGHT,
        "insights",
        "what was understood",
    ),
)
"""Tried in order, after what people say of themselves."""

APPOINTMENTS: tuple[ExtractionRule, ...] = (
    ExtractionRule(
        "appointment by its name",
        phrases(
            rf"{_OVER}(?:(?:my|our|the) )?(?P<x>(?!(?:my|our|the|his|her|their|your|a|an)\b)"
            rf"(?:[\w'’-]+ ){{0,3}}?{_APPOINTMENT}{_OF}(?: is|['’]s)?"
            rf"(?: (?:now|booked|set|scheduled|fixed|arranged)(?: in)?)?(?: for)? {WHEN}"
            rf"{_CLOCK}{_OF})"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        template="{who}'s appointment: {x}",
        cues=("plans", "appointments"),
    ),
    ExtractionRule(
        "errand without its speaker",
        phrases(
            r"(?P<x>(?:viewing|seeing|visiting|meeting|picking up|dropping off|collecting|starting"
            rf"|hosting|having) (?!{ERRAND}\b)(?:(?!\byour?\b)[^,.]){{1,50}} {WHEN}{_OF})"
        ),
        0.6,
        kind=Kind.PROSPECTIVE,
        template="{who}'s plan: {clause}",
        cues=("plans", "what is coming up"),
    ),
)
"""Tried last: what an attribute is told with is that first."""
