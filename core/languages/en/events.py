"""How English speakers tell of an event, by its type. Pure."""

from collections.abc import Mapping

from ...model.knowledge import EventType

_ONE = "(?:a|an|the|my|our|his|her|their)"

EVENTS: Mapping[EventType, str] = {
    EventType.ILLNESS: (
        r"\b(?:was|were|been|am|is|got|fell|feeling) (?:really |very |so )?"
        r"(?:sick|ill|hospitali[sz]ed)\b(?! of)"
        rf"|\b(?:caught|got|have|had|has|diagnosed with|down with) (?:{_ONE} )?(?:bad |nasty )?"
        r"(?:flu|cold|fever|covid|pneumonia|surgery|operation|concussion|migraine)\b"
        rf"|\bbroke {_ONE} (?:arm|leg|wrist|ankle|foot|hip|finger|toe|collarbone)\b"
    ),
    EventType.APPOINTMENT: (
        rf"\b(?:have|had|made|booked|got|scheduled) {_ONE} (?:[a-z]+ ){{0,2}}"
        r"(?:appointment|check-?up|viewing)\b"
        r"|\b(?:appointment|check-?up|dentist) (?:is )?(?:on|at|tomorrow|today|next|this)\b"
        r"|\b(?:going to|see|saw|seeing) the (?:dentist|doctor|optician|vet)\b"
    ),
    EventType.EXAM: (
        r"\b(?:passed|failed|took|taking|sat|sitting|have|had|studying for|revising for) "
        rf"(?:{_ONE} )?(?:[a-z]+ ){{0,2}}(?:exams?|finals|driving test|ielts|toefl|interview)\b"
    ),
    EventType.MOVE: (
        r"\b(?:moved|moving) (?:out|in|house|home|apartments?|flats?|into|to|from)\b"
        r"(?! the next| on)"
    ),
    EventType.CELEBRATION: (
        r"\b(?:celebrat(?:ed|ing|e)|threw|throwing|attended|going to|went to|had|hosted)\b.{0,25}"
        r"\b(?:birthday|wedding|anniversary|graduation|baby shower|party)\b"
        r"|\bgot (?:married|engaged)\b"
    ),
    EventType.TRIP: (
        r"\b(?:trip|vacation|holiday|camping|hiking|backpacking) (?:to|in|around|at)\b"
        rf"|\b(?:went|going|go) on {_ONE} (?:[a-z]+ )?(?:trip|vacation|holiday)\b"
        r"|\b(?:went|going|go) (?:camping|hiking|backpacking)\b"
        r"|\b(?:flew|flying|travell?ed|travell?ing) to [a-z]"
        rf"|\bbooked (?:{_ONE} )?(?:flights?|hotel|train)\b"
    ),
    EventType.PURCHASE: (
        r"\b(?:bought|ordered|purchased) [a-z]|\bgot (?:a|myself a|us a) (?:brand )?new "
        r"(?!job|boss|name)[a-z]|\b(?:going|want|planning|plan|need) to buy\b"
    ),
    EventType.MEETING: (
        rf"\b(?:have|had|having|attended|scheduled|set up) {_ONE} (?:[a-z]+ ){{0,2}}meeting\b"
        r"|\bmet (?:up )?with [a-z]"
        r"|\b(?:had|having|grab(?:bed)?) (?:lunch|dinner|coffee|drinks) with\b"
    ),
    EventType.JOB: (
        r"\b(?:started|starting|got|landed|lost|quit|left|leaving) (?:a|my|the|this|his|her) "
        r"(?:[a-z]+ )?job\b|\bgot (?:promoted|laid off|fired|hired)\b|\bretired\b"
    ),
    EventType.PROJECT: (
        r"\b(?:started|starting|finished|finishing|launched|launching|working on|leading|shipped)"
        r"\b.{0,25}\b(?:project|thesis|dissertation|prototype)\b"
    ),
}
