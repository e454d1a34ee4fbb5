"""What the people of `dev.py run --demo` and their group say, ask, and what is learnt of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Told:
    """So many days ago it was said; `learnt` is what a good reader keeps, "" for nothing.

    `slot` and `value` are of a fact that has one value at a time.
    """

    days_ago: float
    text: str
    learnt: str = ""
    kind: str = "semantic"
    slot: str = ""
    value: str = ""
    importance: float = 0.5


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a private chat."""

    id: str
    name: str
    language: str
    told: tuple[Told, ...]
    asked: tuple[str, ...]


YU = Person(
    "903",
    "小雨",
    "zh",
    (
        Told(
            176,
            "我叫小雨，在成都一家设计工作室做插画",
            "小雨在成都一家设计工作室做插画",
            slot="job",
            value="插画师",
        ),
        Told(
            175,
            "对了，我对花生过敏，点外卖都得问一句",
            "小雨对花生过敏，点外卖要先问",
            importance=0.9,
        ),
        Told(160, "我养了只橘猫叫年糕，六岁了，胖得像个枕头", "小雨养了一只六岁的橘猫，叫年糕"),
        Told(
            151,
            "现在住玉林那边，楼下全是串串店",
            "小雨住在成都玉林，楼下全是串串店",
            slot="residence",
            value="成都玉林",
        ),
        Told(
            140,
            "我妈在绵阳开了个小书店，周末我常回去帮忙",
            "小雨的妈妈在绵阳开书店，周末她常回去帮忙",
        ),
        Told(128, "最近在学日语，目标是年底考过N3", "小雨在学日语，打算年底考N3", "prospective"),
        Told(
            117,
            "昨天跟大学室友阿宁去看了陈绮贞的演唱会，哭了三次",
            "小雨和大学室友阿宁去看了陈绮贞的演唱会",
            "episodic",
        ),
        Told(101, "我喝咖啡只喝燕麦拿铁，加一份浓缩", "小雨只喝加一份浓缩的燕麦拿铁"),
        Told(
            88,
            "以后给我推荐歌别推太吵的，我画画的时候听",
            "小雨画画时听歌，推荐时不要太吵的",
            "procedural",
        ),
        Told(
            70,
            "年糕查出来有点肾结石，医生说要吃处方粮",
            "年糕查出肾结石，要吃处方粮",
            "episodic",
            importance=0.8,
        ),
        Told(80, "年糕这两天老往猫砂盆跑，没什么精神", "年糕老往猫砂盆跑，没什么精神", "episodic"),
        Told(58, "阿宁打电话说她要结婚了，让我当伴娘", "阿宁要结婚了，让小雨当伴娘", "episodic"),
        Told(52, "膝盖老毛病又犯了，医生让我少爬山", "小雨膝盖不好，医生让她少爬山"),
        Told(
            31,
            "跟你说一声，我搬到杭州了，离西湖骑车十分钟",
            "小雨搬到了杭州，离西湖骑车十分钟",
            slot="residence",
            value="杭州",
        ),
        Told(
            24, "新工作室在钱江新城，做绘本，老板姓林", "小雨的新工作室在钱江新城，做绘本，老板姓林"
        ),
        Told(
            12,
            "下个月八号阿宁结婚，我答应当伴娘还没买礼服",
            "小雨下个月八号给阿宁当伴娘，还没买礼服",
            "prospective",
        ),
        Told(
            42,
            "年糕复查了，处方粮有用，石头小了一半",
            "年糕复查，处方粮有用，结石小了一半",
            "episodic",
        ),
        Told(13, "阿宁的婚礼在青城山脚下办", "阿宁的婚礼在青城山脚下办"),
        Told(3.5, "阿宁的婚礼在都江堰的酒店办", "阿宁的婚礼在都江堰的酒店办"),
        Told(
            8,
            "陪阿宁挑好了伴娘礼服，雾蓝色的",
            "小雨陪阿宁挑好了伴娘礼服，雾蓝色",
            "episodic",
        ),
        Told(5, "今天试了龙井虾仁，比我想的清淡，还行", "小雨觉得龙井虾仁比想的清淡", "episodic"),
        Told(
            2,
            "明天要交绘本的第三版草图，今晚得熬夜",
            "小雨要交绘本第三版草图，熬夜赶稿",
            "episodic",
        ),
        Told(10.4, "隔壁的小狗溜进来叼走了橡皮", "隔壁的小狗溜进来叼走了小雨的橡皮", "episodic"),
        Told(9.1, "地铁上有人弹平凡之路", "小雨在地铁上听人弹《平凡之路》", "episodic"),
        Told(7.6, "打印机又卡纸了，我手抄了一份", "打印机卡纸，小雨手抄了一份", "episodic"),
    ),
    (
        "我对什么过敏来着？",
        "年糕现在能吃什么？",
        "我现在住哪儿？",
        "阿宁什么时候结婚？",
        "我咖啡一般怎么点？",
        "我的猫叫什么名字？",
    ),
)

WANG = Person(
    "902",
    "老王",
    "zh",
    (
        Told(
            170,
            "我是老王，在杭州开网约车，开了八年了",
            "老王在杭州开网约车，开了八年",
            slot="job",
            value="网约车司机",
        ),
        Told(
            163,
            "女儿小满今年上初二，数学不行，语文年级第三",
            "老王的女儿小满上初二，语文年级第三，数学弱",
        ),
        Told(
            149,
            "我有高血压，每天早上吃一片氨氯地平",
            "老王有高血压，每天早上吃氨氯地平",
            importance=0.9,
        ),
        Told(
            137,
            "车是比亚迪秦，去年刚换的电池",
            "老王的车是比亚迪秦，去年换了电池",
            slot="car",
            value="比亚迪秦",
        ),
        Told(120, "老婆在菜市场卖豆腐，四点就得起", "老王的妻子在菜市场卖豆腐，四点起床"),
        Told(
            104,
            "我最爱听单田芳的评书，隋唐演义听了十几遍",
            "老王爱听单田芳的评书，尤其《隋唐演义》",
        ),
        Told(
            93,
            "中秋带全家去了千岛湖，小满晕船吐了一路",
            "中秋老王带全家去千岛湖，小满晕船",
            "episodic",
        ),
        Told(77, "戒烟第十天，嘴里老想嚼点啥", "老王在戒烟", slot="smoking", value="在戒烟"),
        Told(
            61,
            "跟我说话简短点，我开车时看不了长的",
            "老王开车时看不了长消息，回答要简短",
            "procedural",
            importance=0.8,
        ),
        Told(
            45,
            "烟戒成了，六十天没碰一根",
            "老王戒烟成功，六十天没抽",
            slot="smoking",
            value="已戒烟",
        ),
        Told(
            33,
            "小满期中数学考了九十一，请她吃了火锅",
            "小满期中数学考了九十一分，老王请她吃火锅",
            "episodic",
        ),
        Told(18, "打算过年前给车换四条新胎", "老王打算过年前给车换四条胎", "prospective"),
        Told(
            9,
            "昨天拉了个说评书的老先生，聊了一路",
            "老王拉到一位说评书的老先生，聊了一路",
            "episodic",
        ),
        Told(3, "血压药快没了，周五得去社区医院开", "老王周五要去社区医院开血压药", "prospective"),
        Told(
            10.1, "高架上堵了两个钟头，听完一整本评书", "老王堵车两小时，听完一本评书", "episodic"
        ),
        Told(8.3, "洗车店送了我两张券", "洗车店送了老王两张券", "episodic"),
    ),
    (
        "我早上吃的什么药？",
        "小满这次数学考了多少？",
        "我戒烟多久了？",
        "我车什么牌子？",
        "我周五要去哪儿？",
    ),
)

ANNA = Person(
    "901",
    "Anna",
    "en",
    (
        Told(
            172,
            "Hi, I'm Anna, I teach biology at a school in Leeds",
            "Anna teaches biology at a school in Leeds",
            slot="job",
            value="biology teacher",
        ),
        Told(
            168,
            "I'm vegetarian, have been since I was nineteen",
            "Anna has been vegetarian since she was nineteen",
            importance=0.8,
            slot="diet",
            value="vegetarian",
        ),
        Told(
            150,
            "My brother Tom is a joiner in Bristol, he never answers his phone",
            "Anna's brother Tom is a joiner in Bristol",
        ),
        Told(
            133,
            "We got a greyhound from the shelter, she is called Biscuit",
            "Anna has a greyhound from the shelter called Biscuit",
        ),
        Told(
            119,
            "I run the garden club on Thursdays, we are growing tomatoes this year",
            "Anna runs the garden club on Thursdays",
        ),
        Told(
            97,
            "Saw the northern lights in Whitby last night, unbelievable",
            "Anna saw the northern lights in Whitby",
            "episodic",
        ),
        Told(
            84,
            "Please answer me in British English, I paste it into worksheets",
            "Anna wants answers in British English for her worksheets",
            "procedural",
            importance=0.8,
        ),
        Told(
            72,
            "I take levothyroxine every morning before breakfast",
            "Anna takes levothyroxine every morning",
            importance=0.9,
        ),
        Told(
            58,
            "I quit coffee, it's rooibos all day now",
            "Anna quit coffee and drinks rooibos",
            slot="favourite_drink",
            value="rooibos",
        ),
        Told(
            40,
            "Biscuit ate a whole lemon cake and looked proud of it",
            "Biscuit ate a whole lemon cake",
            "episodic",
        ),
        Told(
            27,
            "I'm moving to the sixth form next term, A-level only",
            "Anna moves to the sixth form next term, A-level only",
            slot="job",
            value="A-level biology teacher",
        ),
        Told(
            14,
            "Booked the ferry to Orkney for the second week of July",
            "Anna booked the ferry to Orkney for the second week of July",
            "prospective",
        ),
        Told(
            6,
            "Sore throat today, lost my voice in period two",
            "Anna had a sore throat and lost her voice",
            "episodic",
        ),
        Told(
            1,
            "I need to order owl pellets for Monday's dissection",
            "Anna needs to order owl pellets for Monday",
            "prospective",
        ),
        Told(
            9.6,
            "Found a hedgehog under the shed",
            "Anna found a hedgehog under the shed",
            "episodic",
        ),
        Told(
            7.9, "The bus broke down by the canal", "Anna's bus broke down by the canal", "episodic"
        ),
    ),
    (
        "What do I drink these days?",
        "What is my dog called?",
        "When am I going to Orkney?",
        "What do I teach?",
        "What tablets do I take?",
    ),
)

GROUP_ID, GROUP_NAME = "5000", "周末登山群"
GROUP: tuple[tuple[str, str, Told], ...] = (
    (
        "902",
        "老王",
        Told(
            110,
            "群里定了，每月最后一个周六爬山，八点龙井村集合",
            "登山群每月最后一个周六八点在龙井村集合",
            "procedural",
            importance=0.8,
        ),
    ),
    (
        "903",
        "小雨",
        Told(
            82, "九溪那条路下雨别走，上次我摔了一跤", "小雨说九溪那条路下雨别走，她摔过", "episodic"
        ),
    ),
    ("904", "阿宁", Told(54, "我负责带急救包和登山杖", "阿宁负责带急救包和登山杖")),
    (
        "902",
        "老王",
        Told(
            26,
            "这次改到十一月爬莫干山，我开车能坐四个",
            "登山群改去莫干山，老王开车能坐四人",
            "prospective",
        ),
    ),
    (
        "904",
        "阿宁",
        Told(
            7, "莫干山民宿订好了，两间房，含早餐", "阿宁订好了莫干山民宿，两间房含早餐", "episodic"
        ),
    ),
)

PEOPLE = (YU, WANG, ANNA)

OPPOSED = frozenset({"阿宁的婚礼在青城山脚下办", "阿宁的婚礼在都江堰的酒店办"})
"""Two lines of which nobody can tell which holds."""

NAMES = {
    **dict.fromkeys(("小雨", "老王", "阿宁", "小满", "陈绮贞", "Anna", "Tom"), "person"),
    **dict.fromkeys(
        ("杭州", "成都", "玉林", "绵阳", "青城山", "都江堰", "西湖", "钱江新城", "莫干山"), "place"
    ),
    **dict.fromkeys(("九溪", "龙井村", "千岛湖", "Leeds", "Bristol", "Orkney"), "place"),
    **dict.fromkeys(("年糕", "Biscuit"), "animal"),
    **dict.fromkeys(("比亚迪秦", "绘本"), "thing"),
}
"""Who and what is named, and what each is."""
