"""How Chinese speakers ask for an attribute of a person, by its noun or by what somebody does.

A question with 该, 能 or 怎么办 asks for advice: no fact answers it. Pure.
"""

import re
from collections.abc import Iterable

from ...text.lazy_pattern import lazy_pattern
from ..attribute_question import AttributeQuestions, Keys
from ..scripts import either_script
from .attribute_nouns import NOUNS
from .attribute_vocabulary import OCCASION, OTHERS, WORDS
from .words import KIN

_SELF = "[我咱]们?家?|俺|本人"
_PAST = (
    "以前|之前|从前|先前|早先|原来|原先|当时|那时|曾经?|前任|上一?[个份任家]"
    "|年轻时候?|没?[换转搬改辞变离结卖毕][^我你您他她，]{0,4}?(?:之前|以前|前)"
)
_THEIRS = f"(?:{KIN}|爸妈|父母|领导|先生|太太|媳妇|闺女|姐姐|妹妹|姐|妹|哥|弟)"
_ME = rf"(?P<who>(?:{_SELF})(?:[的家]?{_THEIRS})?)"
_NAME = (
    rf"(?!{_PAST}|[你您这那哪谁什怎为请帮给它他她有没还是最现目如平])"
    r"(?:(?![我俺咱])(?-i:[\u4e00-\u9fffA-Za-z])){1,8}?"
)
_WHO = rf"(?:(?P<who>(?:{_SELF})(?:[的家]?{_THEIRS})?|{_NAME})|(?={_PAST}))"
"""Whoever it is about; speakers leave themselves out of the past only: 在哪上班 asks the bot."""
_ADVERB = (
    f"(?:{_PAST}|现在|目前|如今|眼下|当前|现今|这会儿|最近|平时|平常|一般|通常|到底|究竟|还|是"
    f"|都|又|自己"
    "|本人|最|家里|屋里头?|名下|这边|一直|主要|每天|每日)*+"
)
_WHAT = "(?:什么|啥|哪|谁|多少|几|何|咩)"
_PLACE = (
    "(?:哪(?:里|儿|个[城地区]?[市方]?|座城市?|边|块儿?|条街|個縣市|个县市|国|省|个国家|个省)?"
    "|什么(?:地方|城市|位置|区)|何[处地方]|啥地方|边度)"
)
_END = (
    "(?:地方|城市|里|儿|的|了|呀|啊|来着|个|位|款|种|号|日|天|家|名字?|人|牌子?"
    "|型号|东西|样|着|呢|吗)*"
)

_STILL = rf"{_ME}(?:现在|如今|最近)?还(?:在|是)?"
_REALLY = "(?:着|过)?(?:吗|么|不|没有?)"

_PATTERNS: tuple[tuple[str, ...], ...] = (
    ("workplace job", rf"{_STILL}(?:在)?.{{1,8}}(?:上班|工作|打工|干){_REALLY}"),
    ("pet pet:cat pet:dog", rf"{_STILL}养.{{1,6}}{_REALLY}"),
    ("diet", rf"{_STILL}(?:吃素|忌口|减肥|节食){_REALLY}"),
    ("marital partner", rf"{_STILL}(?:单身|和.{{1,6}}在一起|跟.{{1,6}}在一起){_REALLY}"),
    ("language instrument hobby", rf"{_STILL}学.{{1,8}}{_REALLY}"),
    ("car", rf"{_STILL}开.{{1,8}}{_REALLY}"),
    ("like favourite hobby", rf"{_STILL}(?:喜欢|爱|迷|玩).{{1,8}}{_REALLY}"),
    ("residence", rf"{_ME}{_ADVERB}搬家?[到去]?了?{_PLACE}(?:去|住)?(?:了)?"),
    ("job workplace", rf"{_WHO}{_ADVERB}(?:(?:做|干)(?:什么|啥)(?:工作|行业|生意)?|干嘛)的{_END}"),
    (
        "job workplace",
        rf"{_ME}{_ADVERB}(?:换了|找了|找到了)?(?:个|份)?(?:什么|啥)(?:工作|差事"
        rf"|活儿?){_END}",
    ),
    ("job workplace", rf"{_ME}{_ADVERB}以(?:什么|何)为生"),
    (
        "residence",
        rf"{_WHO}(?:家)?{_ADVERB}(?:的?家)?{_ADVERB}(?:住在?|住的?是|家住|安家在?|落脚在?"
        rf"|定居在?|租在?|租住在?|租房子?在"
        rf"|搬[到去]了?|在){_PLACE}(?:区|租房子?|租过?|住|安家|落脚|定居|生活|扎根|落户)?{_END}",
    ),
    (
        "residence",
        rf"{_WHO}{_ADVERB}在{_PLACE}(?:城市|地方)?(?:住|安家|落脚|定居|生活|租房|落户|安身|待着"
        rf"|呆着|过日子|混){_END}",
    ),
    (
        "residence",
        rf"{_WHO}{_ADVERB}(?:住|租)(?:过|的)?(?:什么|哪)(?:样的)?(?:地方|房子|城市|小区|里|儿"
        rf"|个小区){_END}",
    ),
    ("residence", rf"{_WHO}{_ADVERB}(?:人)?在{_PLACE}{_END}"),
    ("residence", rf"{_WHO}{_ADVERB}住在?.{{1,8}}吗"),
    (
        "home_town",
        rf"{_WHO}{_ADVERB}(?:是)?(?:{_PLACE}(?:的)?人|来自{_PLACE}|(?:出生|生|长大)(?:在"
        rf"|于){_PLACE}){_END}",
    ),
    (
        "workplace job",
        rf"{_WHO}{_ADVERB}(?:在{_PLACE}?(?:什么|哪)?(?:家|个|间|里|儿)?(?:公司|单位|地方|企业|厂)?"
        rf"|给(?:谁|哪家?|什么(?:公司|人)))(?:上班|工作|任职|供职|就职|打工|干活|搬砖|高就|返工"
        rf"|教书|当差){_END}",
    ),
    (
        "job workplace",
        rf"{_WHO}{_ADVERB}(?:(?:做|干|从事|搞)(?:的是)?(?:什么|啥|哪[一]?)(?:工作|行业?|行当"
        rf"|职业|活儿?|岗位)的?"
        rf"|是(?:做|干)(?:什么|啥|哪行)的?|靠(?:什么|啥)(?:谋生|吃饭|过活|挣钱|赚钱|养家|维生|为生)"
        rf"|当(?:什么|啥)(?:的|官)?){_END}",
    ),
    ("job workplace", rf"{_WHO}{_ADVERB}(?:有没有|有(?=.*[吗么没]))工作(?:吗|没有?|么)?"),
    (
        "school",
        rf"{_WHO}{_ADVERB}(?:在{_PLACE}?(?:什么|哪)?(?:所|个|家|里|儿)?(?:学校|大学"
        rf"|学院)?(?:上学|读书|念书|读研|读博|就读"
        rf"|上大学|念大学"
        rf"|读大学|读|念)|在?[读上念](?:的是)?(?:哪|什么|啥)(?:[所个家])?(?:学校|大学|学院|高中"
        rf"|中学)){_END}",
    ),
    ("major", rf"{_WHO}{_ADVERB}[学读念](?:的)?(?:是)?(?:什么|哪个?|啥)(?:专业|系)?的?"),
    (
        "thesis",
        rf"{_WHO}{_ADVERB}(?:的)?(?:毕业)?(?:论文|毕设|课题)(?:是)?(?:研究|写|做"
        rf"|关于)(?:的)?(?:是)?{_WHAT}{_END}",
    ),
    (
        "birthday",
        rf"{_WHO}{_ADVERB}(?:什么时候|哪天|几号|几月(?:几号)?|哪年|哪一[天年]"
        rf"|何时)(?:的)?(?:过)?(?:生日|出生|生的|生){_END}",
    ),
    ("age birthday", rf"{_WHO}(?:今年|现在|已经)*(?:几岁|多大|多少岁|贵庚)(?:年纪|岁数|了|啦)*"),
    ("name nickname", rf"{_WHO}{_ADVERB}(?:叫(?:什么|啥)|姓(?:什么|啥)){_END}"),
    (
        "nickname instruction name",
        r"[你您](?:现在|平时|以后|应该|该|要|得|一般|拿)*(?:怎么|怎样|咋|如何|拿什么称呼"
        r"|用什么称呼)(?:称呼|叫|喊|招呼)(?P<who>我)"
        r"|[你您](?:现在|平时|以后|应该|该|要|得|一般)*(?:叫|喊|称呼)(?:我)(?:什么|啥)(?:名字)?",
    ),
    ("zodiac_animal", rf"{_WHO}{_ADVERB}(?:是)?属(?:什么|啥|哪个?)(?:生肖|动物)?的?{_END}"),
    ("zodiac", rf"{_WHO}{_ADVERB}(?:是)?(?:什么|啥|哪个?)星?座的?{_END}"),
    ("height", rf"{_WHO}{_ADVERB}(?:有)?多高{_END}"),
    ("weight", rf"{_WHO}{_ADVERB}(?:有)?(?:多重|多少斤|几斤){_END}"),
    (
        "marriage_date marital",
        rf"{_WHO}{_ADVERB}(?:什么时候|哪天|几号|几月|何时)(?:结的?婚|办的?婚礼|领的?证|成的?亲){_END}",
        rf"(?:{_WHO})?的?(?:婚礼|婚期){_ADVERB}(?:是|定在|定的是|在)?(?:什么时候|哪天|几号|几月|何时){_END}",
    ),
    (
        "marital partner",
        rf"{_WHO}{_ADVERB}(?:结婚|成家|订婚|离婚|分手|脱单)了?(?:吗|没有?|么)",
        rf"{_ME}{_ADVERB}(?:结没结婚|单身(?=[吗么])|有没有(?:对象|男朋友|女朋友))(?:吗|么)?",
    ),
    ("partner marital", rf"{_WHO}{_ADVERB}(?:和|跟)谁(?:在一起|谈恋爱|结婚|结的婚|处对象){_END}"),
    (
        "child family",
        rf"{_WHO}{_ADVERB}(?:有)?几个(?:孩子|小孩|娃|儿子|女儿)|(?:{_SELF})(?:有没有"
        rf"|有(?=.*[吗么没]))(?:孩子|小孩)(?:吗"
        rf"|没有?|么)?",
    ),
    (
        "family",
        rf"{_WHO}{_ADVERB}(?:家里?)?(?:有)?(?:几口人|哪些人|什么人|几个(?:兄弟姐妹|哥哥|姐姐"
        rf"|弟弟|妹妹))",
    ),
    (
        "pet pet:cat pet:dog",
        rf"{_WHO}(?:家|屋)?(?:里头?)?{_ADVERB}养(?:了|的|过|着)?(?:的?是)?(?:些|{_WHAT}"
        rf"|什么样的|[只条个])+(?:宠物|动物"
        rf"|猫|狗|毛孩子|品种)?",
        rf"{_WHO}(?:家|屋)?(?:里头?)?{_ADVERB}养(?:了|过|着)?(?:宠物|动物|猫|狗|毛孩子)(?:吗"
        rf"|没有?|么)",
    ),
    (
        "pet pet:cat pet:dog",
        rf"{_WHO}(?:家|屋)?(?:里头?)?{_ADVERB}(?:(?:有没有|养没养)"
        rf"|有(?=.*[吗么没]))(?:几[只条个])?(?:宠物|毛孩子|猫|狗"
        rf"|小动物|动物)(?:吗|没有?|么)?",
    ),
    (
        "diet allergy like",
        rf"{_WHO}{_ADVERB}(?:有(?:什么|啥)(?:忌口|不能吃的|不吃的|饮食禁忌)|(?:不能|不可以"
        rf"|不)[吃碰](?:什么|啥|哪些){_END})",
    ),
    (
        "diet",
        rf"{_WHO}{_ADVERB}(?:吃不吃|能不能吃|能?吃(?=.*[吗么]))(?:肉|素|荤|荤的|辣|海鲜"
        rf"|牛羊肉)(?:吗|么)?",
    ),
    (
        "allergy diet",
        rf"{_WHO}{_ADVERB}(?:对)?(?:什么|啥|哪些?)(?:东西|食物|药)?过敏{_END}|(?:{_SELF})(?:有没有"
        rf"|有(?=.*[吗么]))(?:什么|啥)?(?:东西)?过敏(?:的|原|史)?(?:吗|么)?",
    ),
    ("allergy", rf"{_WHO}{_ADVERB}对.{{1,8}}过敏(?:吗|么|不)"),
    (
        "allergy diet like",
        rf"(?:有)?(?:没有)?(?:什么|啥|哪些|哪样)(?:东西|菜|吃的|食物|零食)?(?:是)?(?:不能|不可以|不要|不该|别)给{_WHO}"
        rf"(?:吃|喝|做|点|买|带){_END}",
    ),
    (
        "allergy diet",
        rf"(?:.{{0,8}}给)(?P<who>我)(?:要|得|需要)(?:避开|忌|忌口|注意|避免)(?:什么|啥|哪些){_END}",
    ),
    (
        "illness",
        rf"{_WHO}{_ADVERB}(?:的)?(?:身体)?{_ADVERB}(?:有没有|有|得了|得过|患有|生的是"
        rf"|得的是)(?:什么|啥|哪些)?(?:大|老|慢性"
        rf"|小)*(?:病|毛病|问题|基础病|不舒服)(?:吗|没有?|么|史)?",
    ),
    ("illness", rf"{_WHO}{_ADVERB}(?:的)?身体{_ADVERB}(?:怎么样|如何|好吗|还好吗|咋样)(?:了)?"),
    ("medication", rf"{_WHO}{_ADVERB}(?:在)?[吃用服](?:的)?(?:是)?(?:什么|啥|哪些?|哪种)药{_END}"),
    (
        "favourite:food favourite like",
        rf"{_WHO}{_ADVERB}(?:喜欢|爱|馋|偏爱|好)吃?(?:的)?(?:是)?(?:什么|啥|哪)(?:一?口|一?道菜"
        rf"|菜|食物|美食|吃的|小吃|一?样)",
        rf"{_WHO}{_ADVERB}(?:喜欢|爱)吃(?:的)?(?:是)?(?:什么|啥){_END}",
    ),
    (
        "favourite:drink favourite like",
        rf"{_WHO}{_ADVERB}(?:喜欢|爱|习惯)?喝(?:的)?(?:是)?(?:什么|啥|哪[一种]*)(?:饮料|茶|咖啡"
        rf"|酒|东西)?{_END}",
    ),
    ("favourite:drink", rf"{_WHO}{_ADVERB}(?:提神|解渴)(?:靠|喝|用)(?:什么|啥|哪种)(?:饮料|东西)?"),
    (
        "favourite:singer favourite:music like",
        rf"{_WHO}{_ADVERB}(?:喜欢|爱|常)?(?:听|放)(?:的)?(?:是)?(?:什么|谁的?|哪个歌手的?"
        rf"|啥)(?:歌|音乐|类型的音乐)?{_END}",
    ),
    (
        "favourite:game game like",
        rf"{_WHO}{_ADVERB}(?:喜欢|爱|沉迷|在|常)*玩?(?:的)?(?:是)?(?:什么|哪[款个]|啥)游戏{_END}",
    ),
    (
        "hobby like favourite",
        rf"{_WHO}{_ADVERB}(?:有(?:什么|啥|哪些)(?:业余)?(?:爱好|兴趣)(?:爱好)?|(?:得空|闲着"
        rf"|闲下来|周末|空闲时?|休息日?|业余|没事"
        rf"|有空|下班)+(?:都|就|会|爱|喜欢|一般|通常)*(?:做|干|玩|捣鼓|忙活|干嘛|做点"
        rf"|干点)(?:什么|啥|嘛|些什么|些啥)?){_END}",
    ),
    ("like favourite hobby", rf"{_WHO}{_ADVERB}喜欢(?:的)?(?:是)?(?:什么|啥|哪些)(?:东西)?{_END}"),
    (
        "team favourite:team",
        rf"(?:足球|篮球|NBA|英超|西甲|中超)?{_WHO}{_ADVERB}(?:足球|篮球)?(?:支持|看|粉|喜欢"
        rf"|捧)(?:的)?(?:是)?(?:哪[支个]?"
        rf"|什么)(?:边|球队|队|主队){_END}",
    ),
    (
        "instrument hobby",
        rf"{_WHO}{_ADVERB}(?:在)?(?:会|学|弹|练|玩|吹|拉)+(?:的)?(?:是)?(?:什么|啥|哪[种门个]?|几[种门])"
        rf"(?:乐器|琴){_END}",
    ),
    (
        "language",
        rf"{_WHO}{_ADVERB}(?:在)?(?:自?学|会说?|说|懂)(?:的)?(?:是)?(?:什么|哪[门种]?"
        rf"|几[门种])(?:外语|语言|语种|外文|语)",
    ),
    (
        "device:phone device",
        rf"{_WHO}{_ADVERB}[用使](?:的)?(?:是)?(?:什么|哪[款个部台]?|啥)(?:牌子的?|型号的?"
        rf"|样的)?手机{_END}",
    ),
    (
        "device:computer device",
        rf"{_WHO}{_ADVERB}(?:[用使](?:的)?(?:是)?|在)(?:什么|哪[款个部台]?|啥)(?:牌子的?"
        rf"|型号的?|样的)?(?:电脑|笔记本|机器"
        rf"|设备)(?:上.{{0,8}})?",
    ),
    ("car", rf"{_WHO}{_ADVERB}开(?:的)?(?:是)?(?:什么|哪[款辆个]?|啥)(?:牌子的?|样的)?车?{_END}"),
    (
        "commute",
        rf"{_WHO}{_ADVERB}(?:上班|通勤|上学|去公司|去学校|返工)?(?:怎么|怎样|咋|点样|坐什么"
        rf"|靠什么|坐咩)(?:车|交通工具)?(?:去|上"
        rf"|到)?(?:公司|上班|学校|单位|通勤)的?",
    ),
    (
        "commute",
        rf"{_WHO}{_ADVERB}(?:上班|通勤|上学)(?:是)?(?:怎么去|怎么走|坐什么|开车还是"
        rf"|用什么交通工具)(?:的|车)?.*",
    ),
    (
        "work_mode",
        rf"{_WHO}{_ADVERB}(?:上班)?(?:要|用|需要)?(?:去公司|坐班|在家办公|居家办公|远程办公"
        rf"|远程|到岗)(?:上班|工作)?(?:吗|么|还是.*)",
    ),
    (
        "salary",
        rf"{_WHO}{_ADVERB}(?:一个月|每个?月|一年)?(?:挣|赚|拿|能拿|的?工资|的?收入)(?:是"
        rf"|有)?(?:多少|几)(?:钱|万)?",
    ),
    (
        "rent",
        rf"{_WHO}{_ADVERB}(?:的)?(?:房租|租金)(?:是|要)?(?:一个月)?多少(?:钱)?",
        rf"{_ME}(?:租房|房子)一?个?月(?:要)?多少(?:钱)?",
    ),
    (
        "boss",
        r"谁(?:在|是)?(?:管着?|领导)(?P<who>我)",
        rf"{_ME}{_ADVERB}(?:归谁管|(?:向|跟|给)谁汇报){_END}",
    ),
    ("landlord rent", rf"{_WHO}{_ADVERB}(?:该|要|应该)?(?:把)?房租(?:该|要)?(?:交|给|付)给?谁"),
    (
        "flatmate",
        rf"{_WHO}{_ADVERB}(?:和|跟|同)谁(?:一起)?(?:住|合租|同住|住在?一起){_END}",
        rf"{_ME}{_ADVERB}(?:一个人|自己|独自)住(?:吗|么)",
    ),
    (
        "schedule:work",
        rf"{_WHO}{_ADVERB}(?:几点|什么时候|周几|星期几|哪几天|什么时间|上什么)(?:上班|下班|工作"
        rf"|班)",
    ),
    ("smoking", rf"{_WHO}{_ADVERB}(?:抽不抽烟?|抽没抽烟|[抽吸]烟(?=.*[吗么]))(?:了)?(?:吗|么)?"),
    ("alcohol", rf"{_WHO}{_ADVERB}(?:喝不喝酒?|能不能喝酒|能?喝酒(?=.*[吗么]))(?:了)?(?:吗|么)?"),
    (
        "glasses",
        rf"{_WHO}{_ADVERB}(?:戴不戴|戴着?(?=.*[吗么]))眼镜(?:吗|么)?",
        rf"{_ME}{_ADVERB}近视(?:吗|么|多少度)",
    ),
    ("gym", rf"{_WHO}{_ADVERB}(?:[去泡上]不[去泡上]|[去泡上](?=.*[吗么]))健身房(?:吗|么)?"),
    (
        "debt",
        rf"{_WHO}{_ADVERB}(?:背着|有|欠着?)(?:多少(?:贷款|房贷|车贷|债|钱|外债)|(?:贷款|房贷"
        rf"|车贷|债|外债)(?:没有?|吗|么|没还清))",
    ),
    (
        "driving_licence",
        rf"{_WHO}{_ADVERB}(?:有没有|能不能|[有能](?=.*[吗么]))(?:合法)?(?:驾照|开车上路"
        rf"|开车)(?:吗|么)?",
    ),
    (
        "business",
        rf"{_WHO}{_ADVERB}(?:的|那)*(?:小)?(?:店|生意|铺子)(?:还)?(?:在)?(?:开|做)(?:着)?(?:吗"
        rf"|么|没)",
    ),
    (
        "instruction",
        r"(?P<who>我)(?:之前|以前|上次|当时)*(?:让|叫|要求|希望|要)[你您](?:怎么|用什么"
        r"|以什么)(?:回答|回复|说话|语气|称呼|风格).*"
        r"|[你您](?:回答|回复|说话)(?:我)?(?:应该|该|要)(?:用)?(?:什么|怎样|怎么|多长).*",
    ),
)


def _keyed(table: Iterable[tuple[str, ...]]) -> tuple[tuple[re.Pattern[str], Keys], ...]:
    return tuple(
        (either_script(pattern, re.I), tuple(keys.split()))
        for keys, *patterns in table
        for pattern in patterns
    )


_NOUN = rf"(?P<noun>{'|'.join(noun for _, noun in NOUNS)})"
_DOES = "岁|点|上班|工作|打工|住|上学|读|念|做|干|过敏|吃|喝|出差"
"""What a person does there: 我老公在哪上班 asks for no partner."""

_IS = "(?:就|都)?(?:是|叫做?|在|有|为|填|属于?|姓)?"

_FRAMES = (
    # 我的生日是哪天，我家地址在哪，我房东叫什么名字
    rf"{_WHO}{_ADVERB}的?(?:那[个位只条家份])?(?:新的?|旧的?|老|现任|前任"
    rf"|最新的?)?{_NOUN}{_ADVERB}(?:名字)?{_IS}(?:{_WHAT}|{_PLACE}|怎么样)(?!{_DOES}).{{0,6}}",
    # 谁是我的房东，哪天是我生日
    rf"(?:谁|哪[天个家位里]|什么)(?:才)?是{_ME}{_ADVERB}的?{_NOUN}",
    # 我有没有驾照，我有房贷吗
    rf"{_ME}{_ADVERB}(?:有没有|有(?=.*(?:吗|么|没|几|什么|啥)))(?:什么|啥"
    rf"|几[个只条位])?{_NOUN}(?:吗|没有?|么)?",
    # 我的手机号
    rf"(?P<who>我|我们|我家)的{_NOUN}(?:呢|是)?",
)

ATTRIBUTES = AttributeQuestions(
    frames=tuple(either_script(_FRAME, re.I) for _FRAME in _FRAMES),
    nouns=_keyed(NOUNS),
    patterns=_keyed(_PATTERNS),
    advice=either_script(
        "比较好|合适|划算|推荐|(?<![你您])(?:应该|该怎)|怎么办|为什么|为啥|最好|更好|好[呢吗]?$"
        "|靠谱|才能"
    ),
    lead=either_script(
        r"(?:诶|欸|哎|嗯|哦|对了|话说|那个?|请问|所以|[你您]?(?:还)?(?:记不记得|记得|知不知道"
        r"|知道|晓得|说说看?)"
        r"|告诉我|提醒我|提醒一下|问一下|问下|猜猜?看?|帮我想想|帮我回忆一下|我想问|我忘了"
        r"|我?想不起来|忘了|一下)+"
    ),
    trailing=either_script(r"(?:来着|呀|啊|呢|嘛|哈|哇|吧|的说|你还?(?:知道|记得)吗?|记得吗)+$"),
    speaker=either_script(rf"(?:(?:{_SELF}|我家)的?)?"),
    possessive=lazy_pattern("的$"),
    words=_keyed(WORDS),
    occasion=OCCASION,
    theirs=either_script(rf"(?P<who>(?:{_SELF})(?:[的家]?{_THEIRS}))的?"),
    others=OTHERS,
    myself="我",
    to_you=either_script("[你您]|^还是|[呀啊呢嘛哈哇吧]$"),
)
