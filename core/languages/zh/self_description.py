"""What Chinese speakers say of themselves in everyday chat, each by the words of its attribute.

Work and home in one breath, studies, routines, skills, health, things in use. Tried after what is
said of changes and of possessions. Pure.
"""

from ..extraction_rule import NAMED, ExtractionRule, change_rule
from ..scripts import either_script
from .changes import ADVERBS, ANYBODY, KIN_OR_SELF
from .facts import fact
from .words import CITY, DEGREE, KIN

_NUMBER = r"[0-9一二两三四五六七八九十百半几]+"
_REGION = CITY + "|[\u4e00-\u9fff]{1,4}[省市县]"
_ROLE = (
    r"(?P<x>(?!得|好|到|完|梦)[^，了的你您我]{0,6}?(?:运营|产品|开发|设计|测试|前端|后端|算法|销售|客服|行政|人事|财务|市场"
    r"|实习生?|文员|编辑|经理|总监|主管|老师|教师|医生|护士|司机|翻译|会计|律师|记者|公务员|程序员|工程师|设计师|保安|厨师|店长))"
)
_EMPLOYER = r"(?P<x>(?![这那哪一你您他她它我家外])[^，了的你您我他她]{2,10}?)"
_IN_ROLE = _ROLE.replace("(?P<x>", "(?P<role>", 1)
_DONE = "(?:了|啦|呢)*"
_LEFT = "(?:换(?:了?份?工作|公司|单位)|跳槽|离职|辞职|转行|入职)"
_SCHOOLING = (
    "幼儿园(?:[大中小]班)?|[大中小]班|学前班|小学(?:[一二三四五六]年级)?|[一二三四五六]年级|初中|初[一二三]|高中|高[一二三]"
    "|大学|大[一二三四]|研究生|研[一二三]|博士"
)
_EXAM = (
    "雅思|托福|考研|考公|公务员|教资|教师资格证|法考|注会|一建|二建|四级|六级|GRE|GMAT"
    "|[^，了你您我]{1,8}(?:考试|资格证)"
)
_PHONE = (
    "(?:小米|红米|华为|荣耀|苹果|iPhone|三星|vivo|oppo|一加|魅族|realme)"
    "(?!.*(?:电脑|笔记本|平板|耳机|手表|手环|充电|电视|壳|膜|汽车))[^，了你您我的]{0,12}?"
)
_SKILL = (
    "弹[^，了你您我]{1,6}|拉[二小大]?[提胡]琴?|吹[^，了你您我牛]{1,5}|打(?:[^，了你您我电针工车]{1,4}球|架子鼓|麻将|太极)"
    "|说[英日韩法德俄泰粤][语文话]|游泳|开车|做饭|做菜|烘焙|画画|跳舞|唱歌|滑雪|滑冰|编程|写代码|骑车|骑摩托|修电脑|书法|剪辑|摄影"
)
_DOING = (
    "打|跑|游|骑|爬|跳|练|做瑜伽|做饭|健身|撸铁|上课|学|看书|读|写|遛|喝|吃药|吃早|起床|睡|加班|值班|值夜班|开会|打卡|冥想|散步"
    "|出差|回家|回老家|接孩子|接送"
)
_OFTEN = (
    "每(?:天|周|个?月|年|晚|个?星期|个?礼拜|逢|隔)[^，我你您他她]{0,8}?"
    "|(?:周|星期|礼拜)[一二三四五六日天末]+(?:晚上?|早上|下午|上午)?(?:都|一般|通常|固定)"
)
_EVENT = (
    rf"(?:(?:{KIN}))(?:的)?{ADVERBS}(?:也|又|还|刚)*(?P<x>(?:做|动)了?(?:个|一个)?[^，你您我]{{0,6}}?手术"
    r"|住院|出院|去世|过世|离世|病逝|骨折|中风|确诊[^，你您我]{1,8}?)"
)


def _said(name: str, pattern: str, importance: float = 0.6) -> ExtractionRule:
    """What is remembered as it was said: it is the value of no attribute."""
    return ExtractionRule(name, either_script(pattern), importance)


FIRST: tuple[ExtractionRule, ...] = (
    fact(
        "trade in a city",
        "job",
        rf"{ANYBODY}(?:在|去了?|到了?)(?:{_REGION})(?:那边)?(?:做|当){_ROLE}{_DONE}",
    ),
)
"""Tried before the rules for where somebody works, which a city is not."""

PAIRS: tuple[ExtractionRule, ...] = (
    change_rule(
        "new work with its role",
        "workplace",
        either_script(
            rf"{ANYBODY}{_LEFT}{_DONE}，{ADVERBS}(?:[去到在进]|入职)了?{_EMPLOYER}"
            rf"(?:做|当)(?:了)?{_IN_ROLE}{_DONE}"
        ),
        0.7,
    ),
    change_rule(
        "new work by its name",
        "workplace",
        either_script(
            rf"{ANYBODY}(?:跳槽|换(?:了?份?工作|公司|单位)|入职){_DONE}，(?:现在|目前|如今|眼下)(?:是)?在"
            rf"(?P<x>(?!家|外|找|等|休|忙|学|考|{_REGION})[^，了的你您我他她在]{{2,10}}){_DONE}"
        ),
        0.7,
    ),
    fact(
        "birthday of the month",
        "birthday",
        rf"(?:我(?:[的家]?(?:{KIN}))?)(?:的)?(?:下个?月|这个?月|明天|后天|下周|快|马上|就|要|是|过)*生日{_DONE}"
        rf"，(?:就?是|在)?(?P<x>{_NUMBER}月{_NUMBER}[号日]?)",
    ),
)
"""A clause that announces something and the next that says what."""

RULES: tuple[ExtractionRule, ...] = (
    fact(
        "employer with a role",
        "workplace",
        rf"{ANYBODY}(?:在|去了?|到了?|进了?){_EMPLOYER}(?:做|当)(?:了)?{_IN_ROLE}{_DONE}",
    ),
    fact(
        "rented home",
        "residence",
        rf"{KIN_OR_SELF}{ADVERBS}租了?(?:一?[个套间])?(?:房子?|公寓|单间|单身公寓)，?在(?P<x>[^，了的你您我]{{2,12}})",
    ),
    fact(
        "day of birth",
        "birthday",
        rf"(?:我(?:[的家]?(?:{KIN}))?)(?:的)?(?:是|阳历|阴历|农历)?(?P<x>{_NUMBER}月{_NUMBER}[号日]?)"
        rf"(?:的|过)*(?:生日|生的|出生的?)",
    ),
    fact(
        "marriage of some years",
        "marital",
        rf"{KIN_OR_SELF}(?:已经|都)*结婚(?:快|有|都)*{_NUMBER}多?个?[年月]多?{_DONE}",
        "已婚",
    ),
    fact(
        "schooling of a child",
        "school",
        rf"我(?:[的家]?(?:儿子|女儿|孩子|宝宝|弟弟?|妹妹?)){ADVERBS}(?:在)?(?:上|读|念)了?(?P<x>{_SCHOOLING}){_DONE}",
    ),
    fact(
        "intolerance",
        "allergy",
        rf"{KIN_OR_SELF}{DEGREE}(?:有点|好像)?(?P<x>乳糖|麸质|酒精|果糖)不耐受?{_DONE}",
    ),
    fact(
        "car in use",
        "car",
        rf"{ANYBODY}开的(?:车)?(?:就)?是(?:一?[辆台])?(?P<x>(?![这那谁])[^，了你您我的]{{2,12}}"
        rf"(?<![店厂馆课会花场])(?<!公司|玩笑))",
    ),
    fact(
        "phone in use",
        "device:phone",
        rf"{KIN_OR_SELF}{ADVERBS}(?:手机)?用的?(?:手机)?(?:是|着)?(?P<x>{_PHONE})(?:手机)?{_DONE}",
    ),
    fact(
        "phone bought",
        "device:phone",
        rf"{ANYBODY}(?:新)?(?:换|买|入手|入)(?:了|的|到)*(?:一?[台部个])?(?:新)?(?P<x>{_PHONE})(?:手机)?{_DONE}",
    ),
    fact(
        "studies",
        "major",
        rf"{KIN_OR_SELF}(?:大学|本科|研究生|硕士|博士)?(?:的时候|期间)?(?:学|读|念)的(?:就)?是"
        rf"(?P<x>[^，了你您我的]{{2,10}}?)(?:专业)?",
    ),
    fact(
        "examination",
        "exam",
        rf"{KIN_OR_SELF}{ADVERBS}(?:正在|在)?(?:备考|复习|准备考)(?:着)?(?P<x>{_EXAM}){_DONE}",
    ),
    fact(
        "account",
        NAMED,
        r"我的?(?P<of>微信|邮箱|手机号|电话)号?(?:码)?(?:就)?是 ?(?P<x>[A-Za-z0-9@._+-]{5,40})",
    ),
    fact(
        "height in figures",
        "height",
        rf"{KIN_OR_SELF}的?(?:身高)?(?:大概|快|有|是)*"
        rf"(?P<x>[一二]米{_NUMBER}|1\.\d{{1,2}} ?[mM米]|1\d\d ?(?:cm|厘米|公分))(?:高)?{_DONE}",
    ),
    fact(
        "weight in figures",
        "weight",
        rf"{KIN_OR_SELF}的?(?:体重)?(?:大概|快|有|是|现在)*(?P<x>(?![0-9]*一斤){_NUMBER}(?:\.\d)?多?"
        rf"(?:斤|公斤|kg))(?:重)?{_DONE}",
    ),
    fact(
        "eyesight",
        "glasses",
        rf"{KIN_OR_SELF}(?:眼睛)?(?P<x>(?:近视|散光)(?:有|快)?{_NUMBER}多?度){_DONE}",
    ),
    fact(
        "getting up",
        "wake_time",
        rf"{KIN_OR_SELF}(?:一般|通常|都|平时|每天|早上|早晨)*(?P<x>{_NUMBER}点半?)(?:多|左右)?(?:就|才)?起床?",
    ),
    fact(
        "going to bed",
        "bedtime",
        rf"{KIN_OR_SELF}(?:一般|通常|都|平时|每天|晚上|夜里)*(?P<x>(?:凌晨)?{_NUMBER}点半?)"
        rf"(?:多|左右)?(?:就|才)?(?:睡觉?|上床)",
    ),
    fact(
        "business",
        "business",
        rf"{KIN_OR_SELF}{ADVERBS}(?:在[^，了你您我]{{2,8}}?)?(?:自己)?(?:开|经营)(?:了|着|的)?(?:一?[家个间])?"
        r"(?P<x>(?![这那的是])[^，了你您我车会始]{1,8}(?:店|公司|工作室|餐厅|饭馆|民宿|诊所|厂|馆))",
    ),
    fact(
        "weak spot",
        "illness",
        rf"{KIN_OR_SELF}(?:的)?(?:一直|从小|最近|向来)*(?P<x>(?:腰|胃|肠胃|颈椎|膝盖|心脏|肝|肾|眼睛|腿脚|睡眠|皮肤|嗓子)"
        r"(?:一直|都|也|不太|不怎么|有点)*不(?:太|大|怎么)?(?:好|行))(?:了|啦)?",
    ),
    fact(
        "figures of the blood",
        "illness",
        rf"{KIN_OR_SELF}(?:的)?(?:一直|从小|最近|向来)*"
        r"(?P<x>(?:血[压糖脂]|胆固醇|尿酸|转氨酶)(?:一直|都|也|有点|有些|偏|比较|很|太)*[高低])(?:了|啦)?",
    ),
    fact(
        "age without a unit",
        "age",
        rf"(?:我[的家]?(?:{KIN})(?:今年|现在|都|已经|快)*|我今年(?:都|已经|快)*)(?P<x>[1-9][0-9]){_DONE}",
    ),
    fact(
        "trade somewhere",
        "job",
        rf"{KIN_OR_SELF}(?:现在|目前|一直)*(?:在[^，了的你您我]{{1,8}}?)?"
        r"(?P<x>做(?!饭|菜|作业|核酸|梦|题|手术|什么|啥)[^，了的你您我]{1,6}的)",
    ),
    fact("blood", "blood_type", rf"{KIN_OR_SELF}是(?P<x>(?:A|B|AB|O|Rh阴)型)血?的?"),
    fact(
        "faith",
        "religion",
        rf"{KIN_OR_SELF}(?:是|信奉?)(?:一?[个名位])?(?:虔诚的)?"
        r"(?P<x>基督徒|天主教徒|佛教徒|穆斯林|回族|回民|佛教?|基督教?|天主教|伊斯兰教|道教)(?:的)?",
    ),
    fact(
        "fan",
        "like",
        rf"{KIN_OR_SELF}是(?P<x>(?![你您他她它这那])[^，了你您我]{{1,10}}?)的(?:忠实|铁杆|死忠)?(?:粉丝|歌迷|影迷|书迷|粉)",
    ),
    fact(
        "pay",
        "salary",
        rf"我的?(?:现在|每个?月)*(?:工资|月薪|年薪|月收入)(?:是|有|大概|差不多|到手)*(?P<x>{_NUMBER}(?:多|来)?(?:千|万|k|K|w)?(?:多)?(?:块|元)?)",
    ),
    fact(
        "computer in use",
        "device:computer",
        rf"{KIN_OR_SELF}{ADVERBS}用(?:的是)?(?P<x>(?:Mac|MacBook|ThinkPad|Surface|联想|戴尔|华硕|惠普)[^，了你您我的]{{0,10}}?)(?:电脑|笔记本)?{_DONE}",
    ),
    fact("freelance", "job", rf"{KIN_OR_SELF}{ADVERBS}(?:是|做)(?:个)?(?P<x>自由职业)(?:者|的)?"),
    fact(
        "together for some time",
        "marital",
        rf"{KIN_OR_SELF}(?:[和跟](?:男朋友|女朋友|男友|女友|对象))(?:已经)?在一起{_NUMBER}多?个?[年月]多?{_DONE}",
        "恋爱中",
    ),
    fact("divorced", "marital", rf"{KIN_OR_SELF}{ADVERBS}(?:刚|已经)离婚{_DONE}", "离异"),
    fact("skill", "skill", rf"{KIN_OR_SELF}(?:也|还|都)*会(?P<x>{_SKILL})"),
    _said(
        "graduation",
        rf"{KIN_OR_SELF}(?:(?:是)?(?:从)?[^，了你您我]{{2,12}}毕业的|毕业于[^，了你您我]{{2,12}})",
    ),
    _said("year of study", rf"{KIN_OR_SELF}{ADVERBS}(?:在)?(?:读|上|念)(?:{_SCHOOLING}|本科|硕士)"),
    _said(
        "trait",
        rf"{KIN_OR_SELF}{DEGREE}(?:有点儿?|有些)?(?:恐高|晕车|晕船|晕血|怕黑|怕狗|怕蛇|怕水|社恐|路痴|色弱)",
    ),
    _said(
        "routine",
        rf"我{ADVERBS}(?:{_OFTEN})(?:要|会|都|得|去|固定)*(?<!能)(?:{_DOING})[^，你您]{{0,12}}",
    ),
    _said(
        "meal",
        r"我(?:早餐|早饭|午饭|中饭|晚饭|晚餐|夜宵)(?:一般|通常|都|经常|习惯|只|不)*吃(?![的得完过什啥])[^，了你您]{0,12}",
    ),
    _said(
        "effort",
        rf"我{ADVERBS}(?:正在|在|开始)(?:减肥|减脂|增肌|健身|戒糖|戒烟|戒酒|备孕|备婚|装修){_DONE}",
    ),
    _said(
        "complaint",
        rf"我{ADVERBS}(?:这几天|这段时间)?(?:总是|总|老是|老|经常|一直|天天|又)*(?:失眠|头疼|头痛|腰疼"
        rf"|胃疼|胃痛|牙疼|脱发|耳鸣|痛经|落枕)[^，你您]{{0,6}}",
    ),
    _said(
        "pregnancy",
        rf"(?:我|我老婆|我媳妇|我妻子)(?:已经)?怀(?:孕|二胎|三胎|双胞胎)(?:{_NUMBER}个?[月周])?{_DONE}",
        0.8,
    ),
    _said("event of kin", rf"我(?:[的家])?{_EVENT}{_DONE}", 0.75),
    _said(
        "watching",
        rf"我{ADVERBS}(?:正在|在)?(?:追|看|刷|听|玩|读)(?:一?部)?《[^》]{{1,20}}》[^，你您]{{0,6}}",
    ),
    _said("place of work", r"我们?公司(?:就)?在(?![这那哪开忙搞])[^，了的你您]{2,12}"),
    _said(
        "way to work",
        rf"我(?:每天|上班|平时)*通勤(?:要|得|大概|需要)*(?:{_NUMBER})(?:个)?(?:多)?(?:小时|分钟|半小时)[^，你您]{{0,4}}",
    ),
)
