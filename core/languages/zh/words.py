"""Chinese words and phrases from which the rules are built, as patterns. Pure."""

from .kin import WIDER_FAMILY

KIN = "|".join(WIDER_FAMILY.values()) + (
    "|老妈|老爸|妈妈?|爸爸?|母亲|父亲|老婆|老公|老伴|妻子|丈夫|爱人|太太|媳妇|先生(?![气病])|女朋友|男朋友|女友"
    "|男友|对象|儿子|女儿|闺女|孩子|宝宝|哥哥?|姐姐?|姊姊?|弟弟?|妹妹?|爷爷|奶奶|外公|外婆|姥姥|姥爷|阿公|阿嬷"
    "|舅舅|叔叔|姑姑|阿姨|室友|同桌|闺蜜|猫|狗|猫咪|狗狗|仓鼠|兔子"
)
"""Relatives and pets, as a pattern: 我妈 is short for 我的妈."""

DEGREE = (
    "(?:也|都|就|最|很|超级|超|特别|非常|真的|还是|比较|挺|更|一直|从小|一向|平时|其实|尤其|确实)*"
)
"""Adverbs of degree and time that may stand before a verb."""

WHEN = (
    "(?:今晚|今天(?:上午|中午|下午|晚上)|明[天早晚](?:上午|中午|下午|晚上)?|后天|大后天|明年|后年"
    "|下{1,2}(?:个?(?:周|星期|礼拜)[一二三四五六日天末]?|个?月|学期|半年)|这?个?周[一二三四五六日天末]"
    "|(?:这个?)?(?:星期|礼拜)[一二三四五六日天]|月底|年底|年后|暑假|寒假|国庆|春节|过年|五一|元旦|中秋"
    "|圣诞节?|过[几两]天|过段时间|接下来|[0-9一二三四五六七八九十]+月(?:[0-9一二三四五六七八九十]+[日号])?"
    "|[0-9一二三四五六七八九十]+[日号])"
)
"""A time to come."""

CLOCK = "(?:(?:[上中下晚早][午上])?(?:[0-9一二两三四五六七八九十]+点(?:半|钟)?)?)"
"""A time of day after `WHEN`."""

SOMETHING = (
    r"(?P<x>(?![吃喝看听玩用]?[你您他她它这那的了过没吗嘛呢啥死]|不[^同锈]|一下|上[你他她]|得|归|人[是的在])"
    r"[^你您]{1,30})(?<!了)(?<!时候)"
)
"""What is liked or disliked: names itself, is not the bot, and is no change of mind (…了)."""

PLACE = r"(?P<x>(?![这那哪你您他她它我])[^的了你您]{2,15}?)"
"""A place or organisation."""

NAME = (
    r" ?(?P<x>(?![你您他她它人车了过不没个这那一外醒]|大家|滴滴|救命|老师|自己|师傅)"
    r"(?-i:[\u4e00-\u9fff·]){1,4}?(?<![来去了过])|[A-Za-z][\w .'-]{0,24})"
)
"""A name as one gives it: four characters at most, no verb object such as 叫车."""

NICKNAME = (
    r" ?(?P<x>(?![你您他她它这那什吗一])(?-i:[\u4e00-\u9fff·]){1,6}?|[A-Za-z][\w .'-]{0,24}?)"
)
"""A name as one asks to be called."""

IDENTITY = (
    r"(?P<x>(?![说想觉得不没在要被从为怕认以真有你您他她它这那因刚昨今明来去跟和第最很好太挺])"
    r"[^你您]{0,14}(?:(?<![一个好坏病老新客本诗情主某]|器)人|学生|老师|教师|研究生|博士|博士后|硕士|医生|护士"
    r"|程序员|工程师|设计师|会计|律师|厨师|司机|警察|军人|记者|作家|画家|演员|歌手|运动员|销售|客服|经理"
    r"|负责人|老板|公务员|教授|妈妈|爸爸|奶奶|爷爷|素食者|素食主义者|独生子女?|左撇子|色盲|[男女]生"
    r"|[男女]的|学[^了]{1,8}的|做[^了]{1,8}的|[EI][NS][TF][JP]|(?-i:[\u4e00-\u9fff]){2}座))"
)
"""What somebody is, known by its last word; rules out 我是说 and 我是昨天来的."""

PET = (
    "猫|猫咪|狗|狗狗|兔子?|仓鼠|鹦鹉|乌龟|金鱼|鱼|鸟|蜥蜴|柯基|柴犬|金毛|泰迪|哈士奇|布偶|英短|橘猫"
)
"""Animals kept at home."""

CALLED_SO = "(?:(?:的?名字|名)?叫做?(?P<called>[^你您叫，的]{1,6}))?"
"""The name of whoever was just said to be there."""

ILLNESS = (
    "糖尿病|高血压|低血糖|哮喘|胃病|胃炎|鼻炎|心脏病|颈椎病|关节炎|抑郁症|焦虑症|失眠症|痛风|贫血"
)
"""Lasting illnesses."""

CHORE = (
    "睡|吃饭|吃个饭|洗澡|上厕所|问|说|知道|请教|了解|看看|听|聊|跟你|和你|告诉|请你|让你|查|一[个杯份张]"
    "|做[一两几]件|干嘛|忙|早点|早睡|早起"
)
"""Beginnings of plans that are over within the hour."""

PURPOSE = (
    "去|参加|考|结婚|订婚|搬|减肥|辞职|出差|面试|戒|学|换工作"
    "|毕业|生孩子|做手术|住院|买|开始|回老家"
)
"""Beginnings of plans that matter without a date."""

CITY = (
    "北京|上海|天津|重庆|广州|深圳|杭州|南京|苏州|武汉|成都|西安|长沙|郑州|青岛|济南|大连|沈阳"
    "|厦门|福州|宁波|无锡|合肥|昆明|贵阳|南宁|海口|三亚|拉萨|兰州|西宁|银川|太原|石家庄|哈尔滨"
    "|长春|南昌|东莞|佛山|珠海|香港|澳门|台北|日本|美国|英国|韩国|新加坡|老家|外地|国外"
)
"""Large cities, and other places far away, in which one works and which employ nobody."""
