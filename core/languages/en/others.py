"""Clauses about somebody else, after whom an English clause without a subject goes on. Pure."""

from ...text.lazy_pattern import lazy_pattern
from .kin import KIN

_FIRST = (
    r"(?:(?:and|but|also|oh|plus|because|so|actually|well|though|then|apparently|today|yesterday"
    r"|recently|last (?:week|month|night)),? )*"
)
_NO_NAME = (
    "I|We|You|My|Our|The|This|That|It|And|But|So|Then|Now|Just|Still|Also|Even|Today|Yesterday"
    "|Tomorrow|Recently|Finally|Actually|Got|Quit|Left|Moved|Started|Changed|Bought|Sold|Took|Went"
    "|Came|Let|Work|Life|Weather|Wedding|Rent|Had|Been|Was|Am|Not|No|Yes|Yeah|Ok|Okay|Well|Oh|Hi|Hello|Hey|Sorry|Thanks"
)
_DOES = (
    r"(?=\s+(?:has|had|just|also|finally|recently|is|was|will|[a-z]{2,}ed|[a-z]{2,}s|quit|left|got"
    r"|went|came|took|bought|sold|lost|found|began|split|broke|gave|met|had)\b|['’]s\s+(?:an?|been|got|lost|left|had|ill|sick|fine|nice|allergic"
    r"|(?!(?:wedding|meeting|viewing|fitting|christening|hearing|evening|morning|training)\b)[a-z]+ing)\b)"
)

_KIN = "|".join(KIN.values())

OTHERS = lazy_pattern(
    rf"(?i:{_FIRST}(?:(?:she|he|they|it)\b|(?:my|our|his|her|their|the|a)\s+(?:[a-z]+\s+){{0,2}}?"
    r"(?:friend|mate|flatmate|roommate|housemate|colleague|coworker|co-worker|boss|manager|teacher"
    r"|classmate|neighbour|neighbor|ex|landlord|landlady|niece|nephew)s?\b"
    rf"|(?:my|our|his|her|their)\s+(?:{_KIN})\b(?!\s+and\s+I\b)))"
    r"|(?i:(?:(?:now|still|also|and|currently|just)\s+)*(?:works|lives|teaches|studies|resides|rents"
    r"|drives|plays|likes|loves|hates|has|owns|drinks|eats|speaks|goes|does|is|doesn['’]t|isn['’]t"
    r"|hasn['’]t)\b)"
    r"|(?i:(?:poor|dear|lovely|wee|our)) [A-Z][a-z]+\b"
    rf"|{_FIRST}(?!(?:it|that|this|there|here|what|who|let|wedding)\b)[a-z]{{2,}}['’]?s\s+an?\s"
    rf"|{_FIRST}(?!(?:{_NO_NAME})\b|[A-Z][a-z]+(?:ly|ing)\b)[A-Z][a-z]+{_DOES}"
)
"""A verb in the third person without a subject is nobody's who speaks of themselves."""
