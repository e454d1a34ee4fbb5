"""What Chinese speakers say has taken the place of something else. Pure.

A change may be announced in one clause and its value given in the next: 换工作了，现在在体检中心.
Such pairs are read as one clause, with the comma between them.
"""

from ..extraction_rule import NAMED, ExtractionRule, change_rule
from ..scripts import either_script
from .changes import ADVERBS, ANYBODY, INSTRUMENT, KIN_OR_SELF

_X = r"(?P<x>(?![这那哪你您他她它我了过着个不没有很太好]|一?下)[^，了你您]{1,16}?)"
_PLACE = (
    r"(?P<x>(?![这那哪你您他她它我]|收拾|整理|打包|忙|找|适应|装修|等|休息|路上|家里?$|公司|医院)"
    r"[^，的了你您我]{2,14}?)"
)
_ORGANISATION = (
    r"(?P<x>(?![一这那哪新个])[^，了的你您我他她]{1,12}?(?:公司|集团|厂|店|中心|医院|诊所|学校|大学|学院|中学|小学|高中|幼儿园"
    r"|银行|机构|事务所|工作室|研究所|研究院|设计院|出版社|杂志社|报社|电视台|[局院所馆站社部]|国企|外企"
    r"|央企|私企|民企|事业单位|[A-Za-z][\w .&-]{1,20}))"
)
_CALLED = r"(?P<x>(?![这那哪你您他她它我不没很太好])[^，了你您的]{1,10}?)"
_ONE = r"(?:[一两]?[台部辆个只把款家份位名套间条支])?"
_DONE = "(?:了|啦|掉了|成功了?)*"
_AFTER = "(?:了|呢|去了|那边|这边|附近|啦)*"
_THING = "手机|电脑|笔记本|车子?|平板|相机"
_PERSON = "领导|上司|主管|老板|房东|室友|舍友"
_LEFT = (
    "(?:换(?:了?工作|了?份工作|了?个?公司|了?个?单位|单位|公司|东家|人)|跳槽|跳了槽|找到新?工作"
    "|有了?新工作|离职|辞职|裸辞|辞|被裁|入职|转行|改行)"
)
_USES = "喝|弹|拉|吹|玩|听|练|学|骑|跑|打|吃|用|穿|追|看"


def _replaced(
    name: str, slot: str, pattern: str, value: str = "", *, denies: bool = False
) -> ExtractionRule:
    return change_rule(
        f"replacement of {name}", slot, either_script(pattern), 0.65, value, denies=denies
    )


PAIRS: tuple[ExtractionRule, ...] = (
    _replaced(
        "work",
        "workplace",
        rf"{ANYBODY}{_LEFT}{_DONE}，(?:{ADVERBS})(?:人)?"
        rf"(?:新(?:公司|单位|东家|工作)(?:是|叫|在)?|入职|换到|换成|[在去到进是])(?:了)?(?:一?家)?"
        rf"{_ORGANISATION}(?:上班|工作|做事|干活|任职|[做当][^，了]{{1,6}})?{_AFTER}",
    ),
    _replaced(
        "trade",
        "job",
        rf"{ANYBODY}{_LEFT}{_DONE}，{ADVERBS}(?:改|去|转|回家|跑去)*(?:做|当|干|开)(?:起|上)?{_DONE}"
        rf"{_ONE}{_X}{_AFTER}",
    ),
    _replaced(
        "home",
        "residence",
        rf"{ANYBODY}(?:又|刚)?(?:搬家|搬走|搬|换房子?|退租|换了?个?(?:房子|地方住?|住处))(?:了|啦)+，"
        rf"{ADVERBS}(?:(?:搬|住|租|落脚)(?:在|到|去|进)?|新家(?:就)?(?:在|是)|新地址(?:是|在)?|这[次回](?:在|去|是))"
        rf"(?:了)?{_PLACE}(?:住|{_AFTER})*",
    ),
    _replaced(
        "home",
        "residence",
        rf"{KIN_OR_SELF}{ADVERBS}(?:回来|回国|回老家|搬走|搬家)(?:了|啦)+，{ADVERBS}在{_PLACE}"
        r"(?:落了?户|安了?家|定居|定了居|住下|租了?房子?)(?:了)?",
    ),
    _replaced(
        "thing",
        NAMED,
        rf"{ANYBODY}(?:把)?(?:我的?|旧|老|原来的?|之前的?|那[台部辆个])*(?P<of>{_THING})"
        rf"(?:{ADVERBS})(?:也|又|给|终于)*(?:换|坏|丢|卖|送人|报废|淘汰|退役|进水)(?:掉)?(?:了|啦)+，"
        rf"{ADVERBS}(?:重新|咬牙|只好)*(?:换|买|入手|入|用|改用|改开|提|订|开|升级|组)(?:的|上|成|了|到)*"
        rf"(?:是)?{_ONE}(?:新的?)?(?!新?号){_X}{_AFTER}",
    ),
    _replaced(
        "thing",
        NAMED,
        rf"{ANYBODY}(?:换|买|入手|入|提|配|组)(?:了)?{_ONE}(?:新的?)?(?P<of>{_THING})(?:了|啦)*，"
        rf"(?:这[次回]|新的|现在)?(?:是|用的?是?|买的?是?|换的?是?|开的?是){_ONE}{_X}{_AFTER}",
    ),
    _replaced(
        "person",
        NAMED,
        rf"{KIN_OR_SELF}(?:的|们)?(?:公司|部门|组里?|这边)?(?P<of>{_PERSON}){ADVERBS}"
        rf"(?:换人?|走|调走|离职|搬走|退休|跳槽|卖房|搬出去)(?:了|啦)+，{ADVERBS}"
        rf"(?:(?:是|换成|变成)|(?:新(?:来)?的?|接手的?|接任的?)(?:{_PERSON}|那位)?(?:是|叫|姓|换成)?|来了)"
        rf"(?:一?[个位])?(?:叫|姓)?{_CALLED}(?:的[^，]*)?",
    ),
    _replaced(
        "person",
        NAMED,
        rf"{KIN_OR_SELF}们?(?:公司|部门|组里?|这边)?(?:又|刚)?换(?:了)?(?:新|个|位)*(?P<of>{_PERSON})(?:了"
        rf"|啦)*，{ADVERBS}"
        rf"(?:(?:是|换成|变成)|(?:新(?:来)?的?|接手的?|接任的?)(?:{_PERSON}|那位)?(?:是|叫|姓|换成)?|来了)"
        rf"(?:一?[个位])?(?:叫|姓)?{_CALLED}(?:的[^，]*)?",
    ),
)
"""A clause that announces a change and the next that says to what; tried before all others."""

RULES: tuple[ExtractionRule, ...] = (
    _replaced(
        "home",
        "residence",
        rf"{ANYBODY}(?:从|由)[^，了]{{1,12}}?(?:搬|换|回|转)(?:家|回|去|到|进|来|往|至)*(?:了)?{_PLACE}(?:住"
        rf"|{_AFTER})*",
    ),
    _replaced(
        "home",
        "residence",
        rf"{KIN_OR_SELF}{ADVERBS}在{_PLACE}(?:租|落|安)(?:了|下)?(?:[一]?[套间个处])?(?:新)?(?:房子?|公寓|家|户"
        rf"|单间)(?:了|住)*",
    ),
    _replaced(
        "home",
        "residence",
        rf"{ANYBODY}(?:新家|新房子?|新地址|现住址)(?:就)?(?:在|是){_PLACE}{_AFTER}",
    ),
    _replaced(
        "work",
        "workplace",
        rf"{ANYBODY}(?:换|跳|调|转|挪|去|到|入职|加入|进)(?:槽|岗)?(?:到|去|进|至|了)+(?:一?家)?{_ORGANISATION}"
        rf"(?:上班|工作|做事|干活|任职|报到|当[^，了]{{1,6}})?{_AFTER}",
    ),
    _replaced(
        "work",
        "workplace",
        rf"{ANYBODY}(?:新(?:公司|单位|东家)|新工作)(?:是|叫|在)(?:一?家)?{_ORGANISATION}{_AFTER}",
    ),
    _replaced(
        "work",
        "workplace",
        rf"{ANYBODY}(?:接|签|拿|收)(?:到)?(?:了)?{_ORGANISATION}的?(?:offer|录用通知|聘书)(?:了)?",
    ),
    _replaced(
        "person",
        NAMED,
        rf"{KIN_OR_SELF}(?:们|的)?(?:新)?(?P<of>{_PERSON})(?:{ADVERBS})(?:换成|换了|变成|现在是|现在叫|是|叫)(?:了)?"
        rf"(?:一?[个位])?(?:姓)?{_CALLED}(?:的[^，]*)?(?:了)?",
    ),
    _replaced(
        "person",
        NAMED,
        rf"(?:新来|新)的?(?P<of>{_PERSON})(?:是|姓|叫)(?:一?[个位])?(?:姓|叫)?{_CALLED}(?:的[^，]*)?",
    ),
    _replaced(
        "favourite food",
        "favourite:food",
        rf"{ANYBODY}(?:最爱吃的?|最喜欢吃的?|最馋的?)(?:菜|东西|一口)?(?:也|已经)*(?:换成|变成|改成|成|是)(?:了)?{_X}{_AFTER}",
    ),
    _replaced(
        "favourite",
        "like",
        rf"{ANYBODY}(?:心头好|最爱)(?:也|已经)*(?:换成|变成|改成)(?:了)?{_X}{_AFTER}",
    ),
    _replaced(
        "instrument",
        "instrument",
        rf"{KIN_OR_SELF}{ADVERBS}(?<=.)(?:改|换|转|开始|去|在|报班|报名"
        rf"|跟着?[^，了]{{1,6}})*(?:学|弹|练|拉|吹|玩|打)(?:起|上|成)?(?:了)?"
        rf"(?P<x>{INSTRUMENT})(?:了|呢|啦)*",
    ),
    _replaced(
        "instrument",
        "instrument",
        rf"{ANYBODY}(?:已经|早就?|现在|再也|从此)*(?:不|没)(?:再|怎么)?(?:学|弹|练|拉|吹|玩|打)"
        rf"(?P<x>{INSTRUMENT})(?:了|啦)",
        denies=True,
    ),
    _replaced(
        "taste",
        "like",
        rf"{ANYBODY}(?:已经|早就?|现在|再也|从此)*(?:不|没)(?:再|怎么)?(?!打算|听话)(?:{_USES})(?!到|见|懂|了){_X}(?:了|啦)",
        denies=True,
    ),
    _replaced(
        "glasses",
        "glasses",
        rf"{ANYBODY}(?:做|动)(?:了)?(?P<x>近视手术|全飞秒|半飞秒|激光手术|飞秒)(?:手术)?(?:了|啦)*",
    ),
    _replaced(
        "debt", "debt", rf"{ANYBODY}(?:提前|终于|全部|都|已经)*(?:还清|还完)(?:了|啦)+", denies=True
    ),
    _replaced("debt", "debt", rf"{ANYBODY}(?:从此|终于|总算)*无债一身轻(?:了|啦)*", denies=True),
    _replaced(
        "pet",
        "pet",
        rf"{ANYBODY}(?:又|新|刚|终于)*(?:领养|收养|捡|接)(?:回|到)?(?:了)?(?:来|家)?(?:[一两二三]?[只条匹个])"
        r"(?P<x>[^，了你您]{0,8}?(?:猫咪?|狗狗?|兔子?|仓鼠|鹦鹉|龟|柯基|金毛|柴犬|泰迪|布偶|英短|哈士奇|边牧|豚鼠))"
        r"(?:回家|回来)?(?:了)?",
    ),
    _replaced(
        "single", "marital", rf"{ANYBODY}(?:回归|恢复|又是|又)(?:单身|一个人)(?:了|啦)*", "单身"
    ),
)
"""Tried after all other rules."""
