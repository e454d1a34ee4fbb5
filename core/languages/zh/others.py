"""Clauses about somebody else, after whom a Chinese clause without a subject goes on. Pure."""

from ..scripts import either_script
from .kin import KIN

_FIRST = (
    "(?:不过|但是?|而且|并且|其实|然后|因为|所以|另外|还有|对了|可是|听说|刚才?|今天|昨天|昨晚|最近|上周"
    "|上个月)*"
)
_KIN = "|".join(KIN.values())
_KNOWN = "同事|朋友|好友|室友|舍友|同学|同桌|闺蜜|哥们|兄弟|邻居|前任|徒弟|师兄|师姐|师弟|师妹"
SURNAMES = (
    "张王李赵陈刘杨黄周吴徐孙朱胡郭林罗郑梁谢宋唐许韩冯邓曹彭曾肖董袁潘蒋蔡余杜叶程苏魏吕丁沈姚卢姜崔"
    "钟谭陆汪范石廖贾夏韦傅邹孟熊秦邱尹薛闫段雷侯陶黎贺顾毛郝龚邵钱严覃武戴莫孔汤"
)
_DOES = (
    "(?=(?:也|都|就|又|已经?|刚|终于|今天|昨天|最近|去年|前?几天|要|想|说|不|没|跟|和)*"
    "(?:[他她]|换|搬|辞|离|去了|跳槽|转|升|生了|结婚|分手|住|在|回|来了|考|买|卖|养|当|做|开|毕业|退休|入职|调|找"
    "|生病|病了|感冒|发烧|受伤|身体|人[很挺不]|[0-9]+岁))"
)
_TITLES = (
    "老板|师傅|老师|医生|护士|经理|主任|教授|同学|律师|教练|先生|女士|小姐|阿姨|叔叔|姐|哥|姨|叔|伯|婶|嫂|总|生"
    "|太(?!多|少|大|小|累|忙)"
)
_SOMEBODY = (
    "客人|顾客|熟客|客户|租客|供应商|实习生|新人|新同事|店员|员工|服务员|保姆|病人|患者|亲戚|前夫|前妻|网友"
    "|队友|隔壁|楼[上下]|对面"
)
NAMED = (
    "阿(?!姨|里|司匹|莫西|奇霉|胶|根廷|联酋|拉伯|富汗)[\u4e00-\u9fff]"
    f"|[小老](?!毛病|程序|黄[鱼瓜车]|汤|林子|石头|许)[{SURNAMES}]|[{SURNAMES}何江田任](?:{_TITLES})"
)
BY_NAME = either_script(
    rf"{_FIRST}(?:(?:我们?|咱们?)?的?(?:隔壁|对门|楼[上下]|单位|公司|班上)?的?(?:{_KNOWN})?的?)?(?P<named>{NAMED})"
    r"(?![们家的])[他她]?"
)
OF_NAMED = frozenset(
    (
        "allergy|dislike|illness|birthday|fact of diet|change of diet|fact of medicine"
        "|fact of intolerance|fact of day of birth|fact of bout of a lasting illness"
    ).split("|")
)
_STRANGER = "人|[男女][生的]|姑娘|小伙子?|小哥|小姐姐|妹子|帅哥|美女"
_COMES = "(?:有|来|新来|招|认识|遇到?|碰到?|看|接)(?:了|过|到)?一?[个位名]"
"""Who comes into a story for the first time."""

OTHERS = either_script(
    rf"{_FIRST}(?:[他她它]|他们|她们|人家|别人|有人|(?:我们?|咱们?)?[的家]?(?:{_KIN})(?!和我|跟我)"
    rf"|(?:我们?|咱们?)?(?:公司|单位|班上?|隔壁)?的?(?:一?[个位])?(?:{_KNOWN})"
    rf"|(?!.*[我咱])(?:[^，我]{{0,8}}的)?(?:一?[个位])?(?:{_SOMEBODY}|{NAMED})"
    rf"|(?!.*[我咱])[^，]{{0,8}}?{_COMES}[^，]{{0,6}}?(?:{_SOMEBODY}|{_KNOWN}|{_KIN}|{NAMED}|{_STRANGER})"
    rf"|[小老阿](?![是时心早想学区家说板])[\u4e00-\u9fff]{_DOES}"
    rf"|[{SURNAMES}][\u4e00-\u9fff]{{1,2}}{_DOES})"
)
"""A name that nobody gave is known by its form and by what is done; a word that only looks like one
costs what the clauses after it would have told, never a wrong memory."""
