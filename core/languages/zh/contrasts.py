"""我不是护士，是医生: two clauses that say one thing, as patterns. Pure."""

from ..scripts import either_script
from .words import KIN

DENIED = either_script(rf"(?P<who>我(?:[的家]?(?:{KIN}))?(?:今年|现在)?)(?:并)?不是[^，]{{1,20}}")
ASSERTED = either_script(r"(?:而)?是(?P<y>[^，]{1,20})")
JOINED = ("{who}是{y}", "{who}{y}")
