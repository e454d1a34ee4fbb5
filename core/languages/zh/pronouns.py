"""Chinese pronouns of the third person, and the people they may mean, as patterns. Pure."""

from ..scripts import either_script
from .kin import KIN

_KIN = "|".join(KIN.values())

PRONOUN = either_script(
    "(?P<lead>(?:不过|但是?|而且|并且|其实|然后|因为|所以|另外|还有|对了|可是|平时|听说|上次)*)"
    "(?:(?P<she>她)|(?P<he>他)|(?P<it>它))(?!们|人|[妈爸家])(?P<possessive>的)?"
)
SOMEBODY = either_script(
    rf"(?:我[的家]?|我们家的?|家里?的|有了?[一两三]?[个只条位名]|养了?[一两三]?[只条])[大小]?(?P<kin>{_KIN})"
)
INTRODUCES = either_script(
    r"(?:我|我们|我家|我们家|家里|我[和跟][^，]{1,6})(?:现在|里|还|也|又|就|最近|刚|新)*(?:有|养|认识|遇[到见]|碰[到见]|交)了?(?:[一两二三几]|\d)?[个只条位名匹]"
    rf"(?:[^，]{{0,4}}?(?P<kin>{_KIN})(?=$|，|[名也就]?叫)|[^，]{{1,6}})"
)
BARE_KIN = either_script(
    "(?:老伴|老公|老婆|媳妇|女婿|儿媳|外孙女?|孙[子女](?!兵)|女儿|儿子|闺女|婆婆|公公|岳[父母]|丈母娘|老[妈爸]|[男女]朋?友)"
    "(?![的国饼奴们是都])"
)
"""Who says 女儿 without more means their own; 孩子, 猫 and 妈 are said of anybody's."""
COMPANY = either_script(
    "[和跟与陪]|医生|大夫|老师|同事|同学|朋友|客户|老板|领导|邻居|亲戚|[他她它]们|大家|别人|有人"
    "|个人|男的|女的|先生|女士|阿姨|叔叔"
)
"""Wider than needed: where in doubt a pronoun means nobody."""
