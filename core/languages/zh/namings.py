"""How Chinese speakers say that somebody has another name, as patterns over sentences. Pure."""

import re

from ..scripts import either_script
from .surnames import SURNAMES
from .words import KIN

_HAN = "[\u4e00-\u9fff]"
_LATIN = r"[A-Za-z][\w'’-]*(?: [A-Z][\w'’-]*)?"
_PART = "[^\\W的了是在叫姓喊称管你您我他她它们这那谁都也就还和跟]"
_NO_NAME = "周[一二三四五六日末]|何[时况必]|任[何务]|万一|余额|钱包|程[度序]"
_FULL = rf"(?!{_NO_NAME})[{''.join(sorted(SURNAMES))}](?:{_PART}){{1,2}}"
_SHORT = rf"[老小阿大](?:{_PART}){{1,2}}"
_ROLE = (
    "(?:我的?|我们的?)?(?:大学|高中|初中|公司|单位|隔壁)?(?:的)?"
    "(?:同事|同学|朋友|好友|室友|舍友|邻居|客户|领导|上司|主管|师傅|师兄|师姐|哥们|队友)?"
)
_WHO = rf"{_ROLE}(?P<who>{_FULL}|{_SHORT}|(?<!{_HAN})(?:{_PART}){{2,4}}|{_LATIN})"
_X = rf" ?(?P<x>(?:{_PART}){{1,4}}|{_LATIN})(?=$|[，,])"
_THEY = "(?:我们?|大家|咱们?|别人|朋友们?|同事们?|同学们?|公司里?的?人?|家里人?)"
_USUALLY = "(?:一般|平时|私下里?|习惯|喜欢|通常|一直|总是|从来|都|就|也)*"
_CALL = "(?:叫|喊|称呼?)(?:作|做|为)?"
_REAL = "(?:大名|全名|真名|本名|原名|真实姓名)"

APPOSITION = either_script(
    rf"我(?:[的家]|们家)?(?P<kin>{KIN})"
    rf"(?P<name>(?!{_NO_NAME}|向来)[{''.join(sorted(SURNAMES))}](?:{_PART}){{1,2}}?|阿(?:{_PART})|(?!天|常|刚|慢|偷|悄|早|好|时|年|整|渐|往|偏|明明)(?P<twice>{_PART})(?P=twice))"
    "(?P<rest>(?:[在住是对叫属姓从考去来当做开养]|上[班学]|今[年天]|昨天|明[天年]|最近|有|喜欢|不吃|每天|[0-9]|已经|刚).*)"
)
"""我女儿李静在深圳上班 says what she is called, too."""

THEY_CALL = either_script(rf"{_THEY}{_USUALLY}{_CALL}[他她它]{_X}")

CALLED: tuple[re.Pattern[str], ...] = tuple(
    map(
        either_script,
        (
            rf"{_THEY}{_USUALLY}[管把]{_WHO}{_CALL}{_X}",
            rf"{_THEY}{_USUALLY}[叫喊称]{_WHO}(?:作|做|为){_X}",
            rf"(?:^|[，,叫是]){_WHO}[，,](?:但|不过|所以|然后)?{_THEY}{_USUALLY}{_CALL}[他她]{_X}",
            rf"{_THEY}{_USUALLY}{_CALL}[他她] ?(?P<x>(?:{_PART}){{1,4}}|{_LATIN})[，,]他?她?的?"
            rf"(?:{_REAL}|其实|本来)*(?:就?是|叫)?(?P<who>{_FULL}|{_LATIN})$",
            rf"{_WHO}的?(?:外号|绰号|花名|英文名|昵称|小名|网名)(?:就?是|叫做?){_X}",
            rf"(?:^|[，,])(?P<x>{_SHORT}|(?:{_PART}){{2,4}}|{_LATIN})(?:的?{_REAL}|其实)(?:就?是|叫做?)"
            rf"(?P<who>{_FULL}|{_LATIN})(?=$|[，,])",
        ),
    )
)
"""Each finds somebody by the group `who`, and another name of theirs, `x`."""
