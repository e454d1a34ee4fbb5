"""Clauses about somebody else, after whom a Chinese clause without a subject goes on. Pure."""

from ..scripts import either_script
from .kin import KIN

_FIRST = (
    "(?:不过|但是?|而且|并且|其实|然后|因为|所以|另外|还有|对了|可是|听说|刚才?|今天|昨天|昨晚|最近|上周"
    "|上个月)*"
)
_KIN = "|".join(KIN.values())
_KNOWN = "同事|朋友|好友|室友|舍友|同学|同桌|闺蜜|哥们|兄弟|邻居|前任|徒弟|师兄|师姐|师弟|师妹"
_SURNAMES = (
    "张王李赵陈刘杨黄周吴徐孙朱胡郭林罗郑梁谢宋唐许韩冯邓曹彭曾肖董袁潘蒋蔡余杜叶程苏魏吕丁沈姚卢姜崔"
    "钟谭陆汪范石廖贾夏韦傅邹孟熊秦邱尹薛闫段雷侯陶黎贺顾毛郝龚邵钱严覃武戴莫孔汤"
)
_DOES = (
    "(?=(?:也|都|就|又|已经?|刚|终于|今天|昨天|最近|去年|前?几天|要|想|说|不|没|跟|和)*"
    "(?:[他她]|换|搬|辞|离|去了|跳槽|转|升|生了|结婚|分手|住|在|回|来了|考|买|卖|养|当|做|开|毕业|退休|入职|调|找))"
)

OTHERS = either_script(
    rf"{_FIRST}(?:[他她它]|他们|她们|人家|别人|有人|(?:我们?|咱们?)?[的家]?(?:{_KIN})(?!和我|跟我)"
    rf"|(?:我们?|咱们?)?(?:公司|单位|班上?|隔壁)?的?(?:一?[个位])?(?:{_KNOWN})"
    rf"|[小老阿](?![是时心早想学区家说板])[\u4e00-\u9fff]{_DOES}"
    rf"|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}{_DOES})"
)
"""A name that nobody gave is known by its form and by what is done; a word that only looks like one
costs what the clauses after it would have told, never a wrong memory."""
