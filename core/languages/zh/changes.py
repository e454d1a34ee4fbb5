"""What Chinese speakers say has changed about themselves, and what it is called. Pure.

Families of forms: a move, a new place of work, a trade taken up, an exchange of one thing for
another, a bond made or broken, something given up. Who it is about may be left out.
"""

import re

from ...text.traditional import SIMPLIFIED
from ..extraction_rule import NAMED, ExtractionRule, change_rule
from ..scripts import either_script
from .words import CITY, KIN, NICKNAME

_TIME = (
    "(?:今[天早晚年]|昨[天晚]|前[天年几两]天?|去年|这个?(?:月|周|星期|礼拜)|[上大]+上?个?(?:周"
    "|月|星期|礼拜|学期)"
    "[一二三四五六日天末初底]?|最近|近来|前阵子|前不久|前段时间|不久前|这阵子|这段时间|本周"
    "|[0-9一二三四五六七八九十]+月(?:份|初|底|[0-9]+[号日])?|[年月][初底](?!就)"
    "|周[一二三四五六日天末]|过完年|年后|[一两二三四五六七八九十几半0-9]+个?[天周月年](?:半|多)?前"
    "|毕业后|结婚后|婚后|从?(?:今天|这周|这个月|今年|现在)(?:开始|起))"
)
_ADVERB = (
    f"{_TIME}(?:的时候)?|刚刚?|才|已经?|终于|现在|如今|目前|眼下|后来|结果|又|也|都|就|便|正式"
    f"|成功|突然|直接|自己"
    "|一家人?|全家|真的|确实|总算|干脆|果断|还是|索性|其实|悄悄|这次|早就?|彻底|完全|重新"
    "|[和跟]家人|一个人"
)
ADVERBS = f"(?:{_ADVERB})*+"
KIN_OR_SELF = rf"(?:(?:我们家?|咱们?|俺|本人|我(?:[的家]?(?:{KIN}))?)家?)"
ANYBODY = rf"(?:{KIN_OR_SELF}|{_ADVERB})*+"
"""The speaker or somebody of theirs, who may be left out, and when."""

_NOT_TO_COME = "(?![^，]*(?:要|想|打算|准备|考虑|计划|决定|即将|马上|快|下个?[周月]|明[年天]|年后))"
_X = r"(?P<x>(?![这那哪你您他她它我了过着]|一?下)[^了你您]{1,20}?)"
_PLACE = r"(?P<x>(?![这那哪你您他她它我了过着]|医院|院|酒店|宾馆|民宿)[^的了你您]{1,14}?)"
_HOUSE = r"(?P<x>[^了你您我]{2,12}?的(?:[新老小]?房子|公寓|家|套房|小区|宿舍|出租屋))"
_FROM = r"(?:从[^，了]{1,12}?)?"
_DONE = r"(?:了|啦)?"
_AFTER = r"(?:了|来了|去了|[去来](?=住|了)|定居了?|生活了?|发展了?|这边了?|那边了?|住了?)*"
_WORKING = r"(?:工作|上班|干活|任职|就职|干|实习|教书)?"
_ONE = r"(?:[一两]?[台部辆个只把款家份位名套间条])?"

SCHOOL = r"(?:大学|学院|中学|小学|高中|初中|职高|技校|幼儿园|研究生院|附中|理工|师大|[一二三]中)$"
_JOB = either_script(
    r"(?:医生|护士|老师|教师|律师|厨师|[设工]\w*师|会计|司机|警察|军人|记者|作家|画家|演员"
    r"|歌手|程序员|公务员|教授|经理"
    r"|销售|老板|翻译|编辑|导游|[员师家手长商监工匠客])$|自由职业|^(?:学生|大学生|研究生|博士"
    r"|博士后|硕士|做[^了]{1,8}的|运营|产品|开发|设计|测试|前端|后端|算法|客服|行政|人事|财务|市场|文员|总监|主管|店长|保安|实习生?)$"
)
_REGION = either_script(
    rf"(?:{CITY}|河北|山西|辽宁|吉林|黑龙江|江苏|浙江|安徽|福建|江西"
    r"|山东|河南|湖北|湖南|广东|广西|海南|四川|贵州|云南|西藏|陕西|甘肃|青海|宁夏|新疆|内蒙古|台湾"
    r"|[\u4e00-\u9fff]{1,5}[省市县区镇州国])(?:那边|这边)?$"
)
_FLOOR = either_script("[0-9一二三四五六七八九十]+[楼层]")
"""住六楼 tells no place that a town would be replaced by."""

_NOWHERE = either_script(
    "外[面头边地]|家里?|房子?住?|这里|这边|那里|那边|酒店|宾馆|民宿|医院|隔壁|附近|楼[上下]"
)
"""在外面住 tells where one does not live."""

_ROOTS = either_script(r"来自|老家|出生|生在|从小|籍贯")
INSTRUMENT = (
    "(?:电|木|民谣|古典)?(?:吉他|钢琴|小提琴|大提琴|中提琴|手风琴|电子琴|口琴|古琴|琴|尤克里里|古筝"
    "|二胡|琵琶|竹?笛子?|长笛|箫|萨克斯|架子鼓|鼓|贝斯|葫芦丝|小号|单簧管)"
)
_HABITS = {
    "instrument": either_script(f"[学弹练拉吹打玩]?{INSTRUMENT}"),
    "favourite:drink": either_script(
        "喝?(?:[黑冰热红绿花白凉]|乌龙|茉莉|普洱)?(?:咖啡|茶|奶茶|可乐|豆浆|牛奶|美式|拿铁|气泡水|果汁|雪碧"
        "|柠檬水|白开水|苏打水)"
    ),
    "smoking": either_script("[抽吸]?烟"),
    "alcohol": either_script("喝?酒"),
    "language": either_script(
        "(?:[学说])?(?:[英日韩法德俄泰]语|[日英法德韩]文|西班牙语|葡萄牙语|意大利语|粤语)"
    ),
}
"""What is no taste, but something of its own that is begun and given up."""
_FAMILY = either_script(rf"(?:{KIN})$|双胞胎")
_ANIMAL = either_script("[猫狗兔鱼鸟龟鹦仓鼠]|柯基|金毛|柴犬|泰迪|布偶|英短|蜥蜴|哈士奇")

NOUNS = {
    "工作": "workplace",
    "公司": "workplace",
    "单位": "workplace",
    "职业": "job",
    "专业": "major",
    "学校": "school",
    "名字": "name",
    "昵称": "nickname",
    "网名": "nickname",
    "住址": "residence",
    "地址": "residence",
    "家": "residence",
    "家乡": "home_town",
    "老家": "home_town",
    "手机号": "contact:phone",
    "手机号码": "contact:phone",
    "电话": "contact:phone",
    "号码": "contact:phone",
    "邮箱": "contact:email",
    "微信": "contact:wechat",
    "领导": "boss",
    "上司": "boss",
    "主管": "boss",
    "房东": "landlord",
    "室友": "flatmate",
    "舍友": "flatmate",
    "手机": "device:phone",
    "电脑": "device:computer",
    "车": "car",
    "车子": "car",
    "生日": "birthday",
    "身高": "height",
    "体重": "weight",
    "血型": "blood_type",
    "星座": "zodiac",
    "生肖": "zodiac_animal",
    "属相": "zodiac_animal",
    "MBTI": "personality",
    "爱好": "hobby",
    "母语": "mother_tongue",
    "梦想": "dream",
    "房租": "rent",
    "月薪": "salary",
    "工资": "salary",
}
"""The attribute that a noun names; any other names itself."""

_NOUN = (
    rf"{'|'.join(sorted(NOUNS, key=len, reverse=True))}"
    "|[^，。了我你您他她从把将在]{1,4}(?:时间|日期|课)"
)


def _whole(pattern: str) -> re.Pattern[str]:
    return either_script(pattern, re.I)


def _change(
    name: str, slot: str, pattern: str, value: str = "", *, denies: bool = False
) -> ExtractionRule:
    return change_rule(f"change of {name}", slot, _whole(pattern), 0.7, value, denies=denies)


RULES: tuple[ExtractionRule, ...] = (
    _change(
        "home in a house",
        "residence",
        rf"{ANYBODY}{_FROM}(?:搬|住)(?:回|去|到|进|来|往|至)+{_DONE}{_HOUSE}{_AFTER}",
    ),
    _change(
        "home",
        "residence",
        rf"{ANYBODY}{_FROM}(?:搬(?:家|回|去|到|进|来|往|至)+|移居|迁居|定居|落户|安家|住到|住进"
        rf"|住回|租到)(?:在|到|去|于)?{_DONE}{_PLACE}{_AFTER}",
    ),
    _change(
        "home",
        "residence",
        rf"(?:{KIN_OR_SELF}{ADVERBS}|(?:现在|目前|如今|眼下)(?:是|都|已经)*)(?:住|租)(?:在)?"
        rf"(?!院|校|过|着|在|一起|得)(?P<x>(?:[^的了你您过着得不]{{2,14}}))",
    ),
    _change("home", "residence", rf"{ANYBODY}搬家{_DONE}", denies=True),
    _change(
        "work",
        "workplace",
        rf"{ANYBODY}{_FROM}(?:(?:跳槽|入职|换工作|加盟)(?:到|去|进|至|成功)*|(?:调动?|转岗"
        rf"|应聘)(?:到|去|进|至)+)"
        rf"{_DONE}(?P<x>[^的了你您到去]{{2,14}}?){_WORKING}{_AFTER}",
    ),
    _change(
        "work",
        "workplace",
        rf"{ANYBODY}(?:去|到|加入|进)了?(?!家|外面?)(?P<x>[^的了你您我]{{2,14}}?)(?:上班|工作"
        rf"|任职|就职|干活|做事|入职|报到)(?:了|去了)*",
    ),
    _change(
        "work",
        "workplace",
        rf"{ANYBODY}(?:被|从)?(?:{_NOT_TO_COME}[^，了我]{{2,10}}?)?(?:裸辞|辞职|离职|辞|被?裁|下岗|失业|退休"
        rf"|不干)(?:了|掉了|啦)",
        denies=True,
    ),
    _change(
        "trade",
        "job",
        rf"{ANYBODY}(?:转行|改行|转岗|转|跨行|升职|升|晋升|提拔|被?评|被?聘|当选|成|变成|改"
        rf"|转型)(?:去|到|做|当|为|成|上|了)*(?:做|当|为|成|上){_DONE}{_ONE}{_X}{_DONE}",
    ),
    _change(
        "trade",
        "job",
        rf"(?:{KIN_OR_SELF}|{_ADVERB})++(?:[在去][^，了我你您他她]{{0,12}}?)?(?:当上?|做起?|干起?"
        rf"|成了){_DONE}{_ONE}(?P<x>[^，了的你您我]{{0,6}}(?:员|师|家|手|长|商|监|匠|生意|编辑"
        rf"|经理|老板|司机|老师|医生|护士|教练|博主|销售|客服|骑手|店主|翻译|会计|律师|记者"
        rf"|演员|警察|教授|公务员))(?:了)?",
    ),
    _change(
        "studies",
        "school",
        rf"{ANYBODY}(?:从[^，了]{{2,12}})?(?:毕业|退学|辍学)(?:了|啦)",
        denies=True,
    ),
    _change(
        "studies",
        "school",
        rf"{ANYBODY}{_FROM}(?:考上|考进|考取|考到|转学|升入|升|上|就读|被|读|保研|录取)(?:到|去"
        rf"|至|于|在)?{_DONE}"
        r"(?P<x>[^，了的你您我]{0,12}?(?:大学|学院|中学|小学|高中|初中|附中|理工|研究生"
        r"|[一二三四五六七八九]中|师大|北大|清华|复旦|交大|浙大))"
        r"(?:录取|读研|读博|读书|上学|研究生)*(?:了)?",
    ),
    _change(
        "studies", "major", rf"{ANYBODY}(?:转|换)(?:了)?专业(?:到|去|成|为|了)*{_X}(?:专业)?{_DONE}"
    ),
    _change(
        "name",
        "nickname",
        rf"{ANYBODY}(?:改名|(?:改|换)(?:了?个)?(?:名字?|网名|昵称))(?:叫|为|成|作"
        rf"|字)*{_DONE}{NICKNAME}(?:了|吧)*",
    ),
    _change(
        "bond",
        "marital",
        rf"{ANYBODY}(?:和[^，]{{1,8}}|跟[^，]{{1,8}})?(?:结婚|领证|办婚礼|成家|嫁人)(?:了|啦)",
        "已婚",
    ),
    _change(
        "bond",
        "marital",
        rf"{ANYBODY}(?:和[^，]{{1,8}}|跟[^，]{{1,8}})?(?:订婚|求婚成功)(?:了|啦)",
        "已订婚",
    ),
    _change(
        "bond",
        "marital",
        rf"{ANYBODY}(?:和[^，]{{1,8}}|跟[^，]{{1,8}})?(?:离婚|离)(?:了|啦)",
        "离异",
    ),
    _change(
        "bond",
        "marital",
        rf"{ANYBODY}(?:和[^，]{{1,8}}|跟[^，]{{1,8}}|被)?(?:分手|分开|掰|恢复单身|单身|绿"
        rf"|甩)(?:了|啦)",
        "单身",
    ),
    _change(
        "bond",
        "marital",
        rf"{ANYBODY}(?:脱单|恋爱|谈恋爱|有对象|有男朋友|有女朋友|交(?:了|到)?[男女]朋友"
        rf"|和[^，]{{1,8}}在一起|跟[^，]{{1,8}}在一起)(?:了|啦)",
        "恋爱中",
    ),
    _change(
        "exchange",
        NAMED,
        rf"{ANYBODY}(?:把|将)?(?P<of>{_NOUN})(?:也|又|都|已经"
        rf"|现在)*(?:给)?(?:改|换|变|调|转|升级|挪|移)(?:成|为|到|用|去|回|在"
        rf"|至){_DONE}{_ONE}{_X}{_AFTER}",
    ),
    _change(
        "exchange",
        NAMED,
        rf"{ANYBODY}(?:新)?(?:换|买|提|入手|入|改用|改开|改骑){_DONE}{_ONE}(?:新的?)?(?P<of>手机(?!号)"
        rf"|电脑|车|平板|相机|耳机|工作|专业)(?:了)?(?:是|叫|，)?{_X}{_DONE}",
    ),
    _change(
        "taste",
        "like",
        rf"{ANYBODY}(?:改|换)(?:喝|吃|玩|听|看|学|练|打|用|抽|养|骑|开|做){_DONE}{_X}{_DONE}",
    ),
    _change(
        "taste",
        "like",
        rf"{ANYBODY}(?:爱上|喜欢上|迷上|入坑|沉迷|改成喜欢|开始喜欢){_DONE}{_X}{_DONE}",
    ),
    _change(
        "taste",
        "like",
        rf"{ANYBODY}(?:把)?(?:戒|戒掉|戒断|弃|弃坑|放弃|脱粉|卸载|退坑){_DONE}(?!\d){_X}{_DONE}",
        denies=True,
    ),
    _change(
        "taste",
        "like",
        rf"{ANYBODY}(?:把)?(?P<x>[^，了我你您]{{1,6}}?)(?:也|都|已经|给)*(?:戒掉?|放弃|卸载|弃坑"
        rf"|退坑)(?:了|啦)",
        denies=True,
    ),
    _change(
        "diet",
        "diet",
        rf"{ANYBODY}(?:开始|改|改成|转)?(?P<x>吃素|吃全素|纯素|生酮|低碳|吃肉|吃荤|减脂餐)(?:了"
        rf"|啦)?",
    ),
    _change(
        "weight",
        "weight",
        rf"{ANYBODY}(?:体重)?(?:瘦|胖|减|涨|掉)(?:到|成"
        rf"|回){_DONE}(?P<x>[0-9一二三四五六七八九十百]+(?:\.\d)?(?:多)?(?:斤|公斤|kg))(?:了)?",
    ),
)
"""Tried after what people say of what there is."""

_NO_LONGER = either_script(
    r"(?P<before>.*?)(?:已经|早就?|早已|再也|从此|以后|现在|目前)*(?:不再|不(?:会|想|用|能"
    r"|打算)?|没(?:有)?再?|没在)(?P<after>[^不没].*?)(?:了|啦)?$"
)
_ENDS = either_script("不再|再也不|(?:已经|早就|现在)不|[不没].*了$")

HOLDER = either_script(
    rf"^{ADVERBS}我(?:[的家]|(?:们?家)?里?(?:还|也)?有了?一?[个位])?(?P<kin>{KIN})"
)
"""Somebody of theirs, where a clause begins with them."""

OMITTED = either_script(
    r"(?:现在|如今|目前|眼下|刚|最近|不再|已经|早就|再也|没在|不在|不[住喝吃抽玩养学做]"
    r"|对[^，]{1,8}不?过敏|最?喜欢|最爱)"
)
TAKES_BACK = either_script(
    r"(?:啊|哦|等等|等下|抱歉|对不起|不好意思|其实)*(?:不对不?对?|错了|(?:我)?(?:刚才?|刚刚"
    r"|上次|之前)?(?:说|记|打|写)错了?|更正(?:一下)?"
    r"|纠正(?:一下)?|口误)[\s，,。.：:！!]*"
)
MEANT = either_script(
    r"(?:不是)?(?:我(?:刚才?|刚刚)?(?:说的|的意思|想说的|指的)(?:是|应该是)|应该(?:是|说是?)"
    r"|其实是)"
)
INSTEAD = either_script("(?:应该|其实|明明)?(?:就)?是")
NOT_THAT = either_script("(?:我[^，]{0,6})?(?:并)?不是(?P<x>[^，]{1,40}?)[啦啊呀哦]?")


TRAILING = either_script("(?:这边|那边|附近|好了|了)$")
"""What follows a value and is no part of it."""


def no_longer(clause: str) -> str:
    """不再住在北京了 as 住在北京; any other clause as it is."""
    match = _NO_LONGER.fullmatch(clause) if _ENDS.search(clause) else None
    return clause if match is None else match["before"] + match["after"]


def narrowed(slot: str, value: str, clause: str) -> str:
    """A school is no workplace, what somebody is not always a trade, and a child no pet."""
    value, clause = value.translate(SIMPLIFIED), clause.translate(SIMPLIFIED)
    if slot == "residence":
        if _FLOOR.match(value) or _NOWHERE.fullmatch(value):
            return ""
        return "home_town" if value != "老家" and _ROOTS.search(clause) else slot
    if slot == "workplace":
        # Where one works is no employer.
        if _REGION.match(value):
            return ""
        learns = re.search(r"读|上学|念书", clause) or re.search(SCHOOL, value)
        teaches = re.search("教|工作|上班|任职|当", clause)
        return "school" if learns and not teaches else slot
    if slot == "like" or (slot == "major" and "学的" in clause):
        return next((name for name, words in _HABITS.items() if words.fullmatch(value)), slot)
    if slot == "job":
        return slot if _JOB.search(value) else ""
    if slot == "pet":
        return "family" if _FAMILY.search(value) and not _ANIMAL.search(value) else slot
    return slot
