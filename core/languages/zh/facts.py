"""What Chinese speakers say of what they have and do, each by the family of its words. Pure.

Tried after what is said of changes. Each family says its attribute by a word of its own, so that
nothing is read from a verb alone.
"""

from ..extraction_rule import NAMED, ExtractionRule
from ..scripts import either_script
from .changes import ADVERBS, ANYBODY, KIN_OR_SELF
from .words import CALLED_SO, ILLNESS, PET

_X = r"(?P<x>(?![这那哪你您他她它我了过着个]|一?下)[^了你您，]{1,14}?)"
_CALLED = r"(?P<x>(?![这那哪你您他她它我不没很太好])[^了你您，的]{1,10}?)"
_LANGUAGE = (
    r"(?P<x>[英日韩法德俄泰粤越]语|[日英法德韩]文|西班牙语|葡萄牙语|意大利语|阿拉伯语|荷兰语|粤语)"
)
_AT_HOME = "我?家里?(?:又|还|现在|新|最近)*(?:有|养了?|来了)(?:一|两|三)?[只条匹]"
_IN_FACT = "(?:其实|并|根本|也|又|都|从来|现在|已经)*"
_OVER = "(?:也|都|已经|早就?|全|总算|终于|提前|彻底)*"


def fact(
    name: str, slot: str, pattern: str, value: str = "", *, denies: bool = False
) -> ExtractionRule:
    return ExtractionRule(
        f"fact of {name}", either_script(pattern), 0.65, slot=slot, value=value, denies=denies
    )


RULES: tuple[ExtractionRule, ...] = (
    fact(
        "no allergy",
        "allergy",
        rf"{KIN_OR_SELF}{_IN_FACT}(?:不(?:会)?|没有?)对(?P<x>[^了你您他她，不我有]{{1,10}}?)过敏(?:了|啦|的)?",
        denies=True,
    ),
    fact(
        "no allergy",
        "allergy",
        rf"{KIN_OR_SELF}{_IN_FACT}没有?过敏(?!反应|史|原|症状|药|[性体的])(?P<x>[^了你您他她，不我有]{{1,10}}?)(?:了|啦|的)?",
        denies=True,
    ),
    fact(
        "no illness",
        "illness",
        rf"{KIN_OR_SELF}{_IN_FACT}没有?(?:得|患)?(?:过)?(?P<x>[^你您，]{{0,4}}(?:{ILLNESS}))(?:了|啦|的)?",
        denies=True,
    ),
    fact(
        "phone number",
        "contact:phone",
        rf"{ANYBODY}(?:手机)?(?:换|改)了?(?:一?个)?新?(?:手机|电话)?号码?(?:了)?(?:是|：|:|，| )*"
        r"(?P<x>[0-9][0-9xX*\- ]{4,})",
    ),
    fact(
        "home",
        "residence",
        rf"{KIN_OR_SELF}{ADVERBS}在{_X}(?:落了?户|安了?家|定居"
        rf"|定了居)(?:了)?",
    ),
    fact(
        "home",
        "residence",
        rf"{KIN_OR_SELF}{ADVERBS}(?:一个人|自己|租房)?在{_X}(?:租房)?住(?:着|了[^，]{{1,5}}年)?(?:了)?",
    ),
    fact("home", "residence", rf"{KIN_OR_SELF}的?(?:家|房子|新家|新房子?)(?:就)?在(?!哪){_X}"),
    fact("car", "car", rf"{ANYBODY}(?:提|入手|订|买|换)(?:了)?(?:一?辆)(?:新的?)?{_X}(?:了)?"),
    fact("car", "car", rf"{ANYBODY}提(?:了)?(?:一?台)(?:新的?)?{_X}(?:了)?"),
    fact("car", "car", rf"{ANYBODY}开(?:的)?(?:是)?(?:一?辆){_X}"),
    fact(
        "device",
        NAMED,
        rf"{KIN_OR_SELF}的?(?P<of>手机|电脑|车|车子)(?:用的|开的)?(?:就)?是{_X}",
    ),
    fact("language", "language", rf"{ANYBODY}(?:在)?(?:自学|学|学习|练)(?:着|了)?{_LANGUAGE}"),
    fact(
        "language",
        "language",
        rf"{ANYBODY}(?:报|改学|开始学|转学)了?(?:个)?{_LANGUAGE}(?:的?[班课])?",
    ),
    fact("language", "language", rf"{_LANGUAGE}{_OVER}(?:放弃|不学|弃坑|弃)了", denies=True),
    fact(
        "pet by name",
        "pet",
        rf"{_AT_HOME}(?P<x>[^了你您，的]{{0,12}}?(?:{PET})){CALLED_SO}",
    ),
    fact("pet", "pet", rf"{_AT_HOME}{_X}"),
    fact(
        "pet",
        "pet",
        rf"{KIN_OR_SELF}的?(?P<x>[小老大]?[猫狗兔鱼鸟龟]|猫咪|狗狗|兔子|仓鼠|鹦鹉){ADVERBS}(?:去世|走|没|死|送人|丢|走丢|离开我)了",
        denies=True,
    ),
    fact("smoking", "smoking", rf"{ANYBODY}(?:一天|每天)(?:要)?(?:抽)?(?P<x>[一两二三半几]包)烟?"),
    fact("smoking", "smoking", rf"{KIN_OR_SELF}(?:也|都|一直)?(?:抽|吸)烟", "抽烟"),
    fact(
        "smoking",
        "smoking",
        rf"{KIN_OR_SELF}(?:也|都|从来|一直)?不(?:抽|吸)烟(?:的)?",
        "",
        denies=True,
    ),
    fact(
        "alcohol",
        "alcohol",
        rf"{KIN_OR_SELF}(?:也|都|从来|一直|滴酒)?不(?:喝酒|沾)(?:的)?",
        "",
        denies=True,
    ),
    fact("diet", "diet", rf"{KIN_OR_SELF}(?:是|一直)?(?P<x>吃素|吃全素|纯素)(?:的|者)?"),
    fact(
        "people",
        NAMED,
        rf"(?:{KIN_OR_SELF}的?|们的?)?(?:新(?:来)?的?)?(?P<of>领导|上司|主管|房东|室友|舍友)"
        rf"(?:就)?(?:是个?|姓|叫|换成了?){_CALLED}",
    ),
    fact(
        "team",
        "team",
        rf"{ANYBODY}(?:是)?(?P<x>(?!是|个)[^了你您，是的]{{2,8}}?)(?:的)?(?:死忠|铁粉|(?<![篮足排网])球迷)(?:了)?",
    ),
    fact("team", "team", rf"{ANYBODY}支持(?P<x>[^了你您，]{{2,8}}?队)(?:了)?"),
    fact(
        "school",
        "school",
        rf"{KIN_OR_SELF}{ADVERBS}在(?P<x>[^了你您，在]{{2,12}}?)(?:读|上|念)(?:大[一二三四五]"
        rf"|研[一二三究生]+"
        rf"|博[一二三士]+|高[一二三]|初[一二三]|本科|硕士|博士)(?:了)?",
    ),
    fact(
        "debt",
        "debt",
        rf"{ANYBODY}(?P<x>房贷|车贷|贷款|花呗|助学贷款|债){_OVER}还(?:清|完)(?:了|啦)",
        denies=True,
    ),
    fact(
        "debt",
        "debt",
        rf"{ANYBODY}(?:提前)?(?:还清|还完)了(?P<x>房贷|车贷|贷款|花呗|助学贷款|债)",
        denies=True,
    ),
    fact(
        "debt",
        "debt",
        rf"{ANYBODY}(?:还)?(?:背|欠)(?:着|了)(?P<x>[^了你您，]{{0,8}}(?:房贷|车贷|贷款|债))",
    ),
    fact("gym", "gym", rf"{ANYBODY}办(?:了)?{_X}的?(?:健身)?(?:年|月)?卡"),
    fact(
        "gym",
        "gym",
        rf"{ANYBODY}(?:健身房?的?)卡?(?:到期)?(?:没续|退|不去|不续)(?:了|卡了)?",
        denies=True,
    ),
    fact(
        "way of work",
        "work_mode",
        rf"{ANYBODY}(?:全职|改成|改为|开始|恢复|天天|每天都?|得|要)*"
        rf"(?P<x>居家办公|远程办公|在家办公|坐班|混合办公|打卡坐班)(?:了|的)?",
    ),
    fact(
        "way to work",
        "commute",
        rf"{ANYBODY}(?:每天|平时|天天)?(?:改|改成|开始)?(?P<x>(?:坐|骑|开(?!始)|搭"
        rf"|乘)[^了你您，去来]{{1,6}})(?:去)?(?:上班|通勤|上学)(?:了)?",
    ),
    fact("illness", "illness", rf"{KIN_OR_SELF}(?:上周|最近|昨天)?(?:被)?确诊了?{_X}(?:了)?"),
    fact(
        "allergy",
        "allergy",
        rf"{ANYBODY}对?(?P<x>[^了你您，不对]{{1,8}}?)(?:已经)?不过敏了",
        denies=True,
    ),
    fact("wedding", "marriage_date", rf"{ANYBODY}(?:婚礼|婚期)(?:就)?(?:定)?(?:是|在)(?:了)?{_X}"),
    fact(
        "wedding", "marriage_date", rf"{ANYBODY}(?:婚礼|婚期)(?:推迟|延期|改|提前)(?:到|至)了?{_X}"
    ),
    fact(
        "wedding",
        "marriage_date",
        rf"{ANYBODY}(?:打算|准备|计划|决定|要|会|定)*在?"
        r"(?P<x>[今明后去下这上本个零〇一二两三四五六七八九十\d年月的]{0,9}"
        r"(?:年|月|日|号|[春夏秋冬]天?|五一|国庆|元旦|春节|中秋|周末)[底初中]?)(?:就|再)?(?:结婚|办婚礼|举行婚礼|领证)(?:了)?",
    ),
    fact(
        "licence",
        "driving_licence",
        rf"{ANYBODY}(?:驾照|驾驶证|本儿?){_OVER}(?:拿|考|领)?(?:到手|下来|到"
        rf"|出来)了",
        "有驾照",
    ),
    fact("licence", "driving_licence", rf"{ANYBODY}(?:考|拿|领)(?:到|下)了?驾照(?:了)?", "有驾照"),
)
