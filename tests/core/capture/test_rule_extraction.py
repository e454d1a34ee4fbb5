"""What the rules read in everyday chat, and what they leave alone."""

import pytest
from astrbot_plugin_tidemark.core.capture.rule_extraction import ASKED_IMPORTANCE, extract
from astrbot_plugin_tidemark.core.model.conversation import Place, Role, Speaker, Turn
from astrbot_plugin_tidemark.core.model.lesson import Candidate
from astrbot_plugin_tidemark.core.model.memory import Facet, Kind, Mood
from hypothesis import given, settings
from hypothesis import strategies as st

quick = settings(deadline=None)
PLACE = Place("s", "c", "group/qq/1/*")


def turn(text: str, *, name: str = "小明", role: Role = Role.USER, seq: int = 1) -> Turn:
    return Turn(seq, "e", PLACE, role, Speaker("1", name), text, 1_750_000_000.0)


def read(text: str, *, name: str = "小明", role: Role = Role.USER) -> tuple[Candidate, ...]:
    return extract([turn(text, name=name, role=role)]).candidates


def texts(text: str, *, name: str = "小明", role: Role = Role.USER) -> list[str]:
    return [candidate.text for candidate in read(text, name=name, role=role)]


@pytest.mark.parametrize(
    ("said", "remembered"),
    [
        ("我叫李雷", ["小明叫李雷"]),
        ("大家好，我叫大伟！", ["小明叫大伟"]),
        ("我的名字是 Leo", ["小明的名字是 Leo"]),
        ("我姓欧阳", ["小明姓欧阳"]),
        ("叫我老王就行", ["小明希望被称呼为老王"]),
        ("以后请叫我阿茶吧", ["小明希望被称呼为阿茶"]),
        ("我是四川人", ["小明是四川人"]),
        ("我是一名护士", ["小明是一名护士"]),
        ("我是INTJ", ["小明是INTJ"]),
        ("我的专业是水利工程", ["小明的专业是水利工程"]),
        ("我今年二十七岁", ["小明今年二十七岁"]),
        ("我生日是3月14号", ["小明的生日是3月14号"]),
        ("我的生日是农历腊月初八", ["小明的生日是农历腊月初八"]),
        ("我住在青岛市南区", ["小明住在青岛市南区"]),
        ("我来自哈尔滨", ["小明来自哈尔滨"]),
        ("我在一家出版社上班", ["小明在一家出版社上班"]),
        ("我在浙大读研", ["小明在浙大读研"]),
        ("我从事物流行业", ["小明从事物流行业"]),
        ("我对芒果严重过敏", ["小明对芒果严重过敏"]),
        ("我海鲜过敏", ["小明海鲜过敏"]),
        ("我最喜欢的歌手是李健", ["小明最喜欢的歌手是李健"]),
        ("我超喜欢下雨天", ["小明超喜欢下雨天"]),
        ("我爱喝乌龙茶", ["小明爱喝乌龙茶"]),
        ("我不喜欢吃苦瓜", ["小明不喜欢吃苦瓜"]),
        ("我讨厌早起", ["小明讨厌早起"]),
        ("我不吃香菜", ["小明不吃香菜"]),
        ("我养了一只橘猫", ["小明养了一只橘猫"]),
        ("我有两个女儿", ["小明有两个女儿"]),
        ("我有哮喘", ["小明有哮喘"]),
        ("我家狗叫豆包", ["小明家狗叫豆包"]),
        ("我的猫叫年糕", ["小明的猫叫年糕"]),
        ("我妈是退休教师", ["小明的妈是退休教师"]),
        ("我女儿对牛奶过敏", ["小明的女儿对牛奶过敏"]),
        ("我打算年底换工作", ["小明打算年底换工作"]),
        ("下周三我要去体检", ["下周三小明要去体检"]),
        ("我明天下午要面试", ["小明明天下午要面试"]),
        ("我要考教师资格证", ["小明要考教师资格证"]),
        ("下周五要去体检，提醒我空腹", ["小明下周五要去体检"]),
        ("周末打算回老家看看爸妈", ["小明周末打算回老家看看爸妈"]),
        ("提醒我明天上午开会", ["小明明天上午开会"]),
        ("明天上午有个面试", ["小明明天上午有个面试"]),
        ("明天要下雨了", []),
        ("我们上周搬到苏州了", ["小明：我们上周搬到苏州了"]),
        ("明天要去睡觉了", []),
        ("我打算给我妹妹买台自我检测仪", ["小明打算给自己的妹妹买台自我检测仪"]),
        ("以后请用文言文回答我", ["小明对机器人的要求：以后请用文言文回答小明"]),
        ("你以后别发表情包", ["小明对机器人的要求：以后别发表情包"]),
        ("请记住：我们组每周二开例会", ["小明要求记住：我们组每周二开例会"]),
        ("帮我记一下，车停在B2层", ["小明要求记住：车停在B2层"]),
    ],
)
def test_chinese_statements(said: str, remembered: list[str]) -> None:
    assert texts(said) == remembered


@pytest.mark.parametrize(
    ("said", "remembered"),
    [
        ("My name is Anna", ["Mia's name is Anna"]),
        ("hey, call me Robin", ["Mia wants to be called Robin"]),
        ("I'm a paediatric nurse", ["Mia is a paediatric nurse"]),
        ("I am originally from Porto", ["Mia is originally from Porto"]),
        ("I'm vegan", ["Mia is vegan"]),
        ("Going to Rome next week", ["Mia's plan: Going to Rome next week"]),
        (
            "Need to hand my thesis in by Friday",
            ["Mia's plan: Need to hand their thesis in by Friday"],
        ),
        ("we have a meeting on Friday", ["Mia's appointment: a meeting on Friday"]),
        ("A meeting tomorrow would be nice", []),
        ("We broke up yesterday", ["Mia: We broke up yesterday"]),
        ("Going well so far", []),
        ("I'm 34 years old", ["Mia is 34 years old"]),
        ("My birthday is March 3rd", ["Mia's birthday is March 3rd"]),
        ("I live in a small village near Lyon", ["Mia lives in a small village near Lyon"]),
        ("I study at Leiden", ["Mia studies at Leiden"]),
        ("My wife works for the city council", ["Mia's wife works for the city council"]),
        ("I'm severely allergic to shellfish.", ["Mia is severely allergic to shellfish"]),
        ("My son is allergic to eggs", ["Mia's son is allergic to eggs"]),
        ("My favourite author is Le Guin", ["Mia's favourite author is Le Guin"]),
        ("I really love sailing", ["Mia really loves sailing"]),
        ("I enjoy baking for my kids", ["Mia enjoys baking for their kids"]),
        ("I hate crowded trains", ["Mia hates crowded trains"]),
        ("I don't like coriander", ["Mia doesn't like coriander"]),
        ("I can't stand karaoke", ["Mia can't stand karaoke"]),
        ("I have two cats", ["Mia has two cats"]),
        ("My dog is called Biscuit", ["Mia's dog is called Biscuit"]),
        ("I'm planning to learn Dutch", ["Mia is planning to learn Dutch"]),
        ("I'll visit my parents next week", ["Mia will visit their parents next week"]),
        ("I’m going to run a marathon", ["Mia is going to run a marathon"]),
        (
            "Please never call me Mimi",
            ["Mia's request to the bot: Please never call them Mimi"],
        ),
        (
            "From now on answer in French",
            ["Mia's request to the bot: From now on answer in French"],
        ),
        (
            "Please remember that the gate code is 4471",
            ["Mia asked to remember: the gate code is 4471"],
        ),
        ("Remember, my cat is called Pixel", ["Mia's cat is called Pixel"]),
    ],
)
def test_english_statements(said: str, remembered: list[str]) -> None:
    assert texts(said, name="Mia") == remembered


@pytest.mark.parametrize(
    "said",
    [
        # questions
        "你叫什么名字",
        "我叫什么？",
        "我喜欢猫吗",
        "我是不是喜欢你",
        "我喜欢吃什么来着",
        "我住在上海，对吧？",
        "我明天要不要去上班",
        "你记住我的名字了吗？",
        "你还记得我喜欢什么吗",
        # not a statement about the speaker
        "我是说你误会了",
        "我是想问一下怎么退款",
        "我是昨天来的",
        "我是真的服了",
        "我叫你呢",
        "我叫了个外卖",
        "我叫外卖了",
        "我叫他早点回来",
        "我爱你",
        "我喜欢你",
        "我很喜欢",
        "我也喜欢这个",
        "我喜欢的人不喜欢我",
        "我不是说我喜欢猫",
        "我没说我喜欢猫",
        "我不是不喜欢",
        "我对猫毛不过敏",
        "我有个问题",
        "我有一个朋友",
        "我有点累",
        "我在努力工作",
        "我在忙工作",
        "我住院了",
        "我这里下雨了",
        # of the moment
        "我要一杯咖啡",
        "我要去睡觉了",
        "我今晚要早点睡",
        "我想你了",
        "我打算问问他",
        "我不喜欢他了",
        # supposed, reported, quoted, invented
        "如果我喜欢猫呢",
        "如果中了彩票，我打算环游世界",
        "要是有空的话，我明天要去爬山",
        "他说：我喜欢狗",
        "小红跟我说，我讨厌加班",
        "老师问我，我打算考哪里",
        "“我喜欢猫”这句话怎么读",
        "“我叫小红”",
        "帮我翻译：我喜欢猫",
        "我们来角色扮演，我是医生",
        "写一首诗，我喜欢大海",
        "可能我喜欢的是自由",
        "我梦见我住在海底",
        "> 我喜欢狗",
        "/memory 我喜欢狗",
        "```\n我喜欢狗\n```",
        # other people's business
        "他喜欢打篮球",
        "小明叫我去吃饭",
        "你是程序员",
        "谁叫我老王",
        "记住了",
        "记住单词的方法",
        "好的我记住了",
    ],
)
def test_chinese_chat_that_says_nothing_to_remember(said: str) -> None:
    assert texts(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "What's my name?",
        "Do I like tea?",
        "I like tea, right?",
        "I love it",
        "I love you",
        "I love how you put that",
        "I like the way this looks",
        "I'd like a coffee",
        "I like to think so",
        "I'm a bit tired",
        "I'm a big fan",
        "I'm going to bed",
        "I'm going to ask him",
        "I'm 5 minutes late",
        "I live in fear of Mondays",
        "I work on it every day",
        "If I move I'm going to buy a boat",
        "I'm going to the beach if it stays dry",
        "Maybe I like jazz",
        "I wish I lived in Rome",
        "She said, I like cats",
        'He wrote "I hate Mondays"',
        "Translate: I love apples",
        "Write me a poem, I love the sea",
        "Never mind",
        "My name is not important",
        "Remember when we met?",
        "Do you remember that I like tea?",
        "you never listen",
        "he likes trains",
    ],
)
def test_english_chat_that_says_nothing_to_remember(said: str) -> None:
    assert texts(said) == []


@pytest.mark.parametrize(
    ("said", "remembered"),
    [
        ("我叫阿茶，你叫什么？", ["小明叫阿茶"]),
        ("下周我要去北京出差，有什么好吃的推荐吗？", ["下周小明要去北京出差"]),
        ("我喜欢猫，但是不喜欢狗毛", ["小明喜欢猫"]),
        ("不是，其实我住在苏州", ["小明住在苏州"]),
        ("说实话我讨厌开会。我喜欢写代码！", ["小明讨厌开会", "小明喜欢写代码"]),
        ("跟你说，我对青霉素过敏", ["小明对青霉素过敏"]),
        ("[图片] 我喜欢这张。我喜欢摄影", ["小明喜欢摄影"]),
        ("@潮痕 我喜欢摄影", ["小明喜欢摄影"]),
        ("我喜欢嘻哈", ["小明喜欢嘻哈"]),
        ("我喜欢去酒吧", ["小明喜欢去酒吧"]),
        ("My name is Ana and I live in Porto.", ["小明's name is Ana", "小明 lives in Porto"]),
        ("Actually I hate tea, but I love coffee", ["小明 hates tea", "小明 loves coffee"]),
        ("I'm going to Oslo next month, any tips?", ["小明 is going to Oslo next month"]),
    ],
)
def test_each_clause_is_read_by_itself(said: str, remembered: list[str]) -> None:
    assert texts(said) == remembered


def test_a_clause_without_subject_continues_what_the_speaker_says_of_himself() -> None:
    assert texts("我叫阿茶，今年25岁，住在厦门，喜欢潜水") == [
        "小明叫阿茶",
        "小明今年25岁",
        "小明住在厦门",
        "小明喜欢潜水",
    ]
    assert texts("我喜欢旅游，也喜欢摄影") == ["小明喜欢旅游", "小明也喜欢摄影"]
    assert texts("我女儿叫乐乐，今年五岁") == ["小明的女儿叫乐乐", "小明的女儿今年五岁"]


def test_a_clause_that_may_be_about_somebody_else_is_left_alone() -> None:
    assert texts("我有一个女儿，今年五岁") == ["小明有一个女儿", "小明的女儿今年五岁"]
    assert texts("我喜欢一个男生，在银行上班") == ["小明喜欢一个男生"]


@pytest.mark.parametrize(("said", "name"), [("我叫小雨", "小雨"), ("my name is Rain", "Rain")])
def test_the_name_that_a_speaker_is_shown_under_is_no_news(said: str, name: str) -> None:
    assert texts(said, name=name) == []
    assert texts(said, name="somebody else") != []


@pytest.mark.parametrize("name", ["", "  ", "user", "用户"])
def test_a_speaker_without_a_name_is_the_user(name: str) -> None:
    assert texts("我喜欢喝茶", name=name) == ["用户喜欢喝茶"]
    assert texts("I like tea", name=name) == ["The user likes tea"]


def test_the_bot_is_never_read() -> None:
    assert texts("我喜欢猫。My name is Tide.", role=Role.ASSISTANT) == []


def test_bystanders_speak_of_themselves_but_do_not_instruct_the_bot() -> None:
    assert texts("我对花生过敏", role=Role.BYSTANDER) == ["小明对花生过敏"]
    for said in (
        "以后请用英文回答",
        "记住：明天开会",
        "叫我老王",
        "Please always answer in French",
    ):
        assert texts(said, role=Role.BYSTANDER) == []
        assert texts(said) != []


def test_candidates_keep_the_order_and_numbers_of_their_turns() -> None:
    lesson = extract(
        [
            turn("我喜欢茶"),
            turn("我也喜欢茶", role=Role.ASSISTANT, seq=2),
            turn("我喜欢咖啡", name="小红", seq=3),
            turn("我住在厦门，我喜欢茶", seq=4),
        ]
    )
    assert [(c.text, c.turns, c.about) for c in lesson.candidates] == [
        ("小明喜欢茶", (1,), ("小明",)),
        ("小红喜欢咖啡", (3,), ("小红",)),
        ("小明住在厦门", (4,), ("小明",)),
    ]
    assert lesson.useful is None


@pytest.mark.parametrize(
    ("said", "kind", "facet", "mood"),
    [
        ("我喜欢爬山", Kind.SEMANTIC, Facet.PREFERENCE, Mood.POSITIVE),
        ("I hate crowds", Kind.SEMANTIC, Facet.PREFERENCE, Mood.NEGATIVE),
        ("以后请用英文回答", Kind.SEMANTIC, Facet.INSTRUCTION, Mood.NEUTRAL),
        ("我打算学钢琴", Kind.PROSPECTIVE, None, Mood.NEUTRAL),
        ("I plan to move to Ghent", Kind.PROSPECTIVE, None, Mood.NEUTRAL),
        ("我住在厦门", Kind.SEMANTIC, None, Mood.NEUTRAL),
    ],
)
def test_a_statement_has_its_kind_facet_and_mood(
    said: str, kind: Kind, facet: Facet | None, mood: Mood
) -> None:
    (candidate,) = read(said)
    assert (candidate.kind, candidate.facet, candidate.sentiment.mood) == (kind, facet, mood)


def test_an_allergy_matters_more_than_a_taste_and_a_taste_more_than_an_undated_plan() -> None:
    said = ("我对花生过敏", "我喜欢喝茶", "我要考驾照")
    weights = [read(text)[0].importance for text in said]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == 3


def test_what_is_asked_to_be_remembered_gains_importance() -> None:
    (plain,) = read("我喜欢喝茶")
    (asked,) = read("请记住，我喜欢喝茶")
    assert asked.text == plain.text
    assert plain.importance < ASKED_IMPORTANCE <= asked.importance


@pytest.mark.parametrize(
    ("said", "entity"),
    [
        ("我在腾讯上班", ("腾讯", "organization")),
        ("我住在厦门", ("厦门", "place")),
        ("我不喜欢吃香菜", ("香菜", "thing")),
        ("我喜欢看《三体》", ("三体", "thing")),
        ("我在一家书店上班", ("书店", "organization")),
        ("我的猫叫年糕", ("年糕", "person")),
        ("I live in Porto", ("Porto", "place")),
        ("I love sailing", ("sailing", "thing")),
        ("I enjoy classical music", ("classical music", "thing")),
    ],
)
def test_an_obvious_entity_is_named(said: str, entity: tuple[str, str]) -> None:
    (found,) = read(said)[0].entities
    assert (found.name, found.type) == entity
    assert found.id == entity[0].lower()


@pytest.mark.parametrize("said", ["我喜欢在外面跑来跑去", "I love my job", "我喜欢自己做饭"])
def test_a_phrase_is_no_entity(said: str) -> None:
    assert read(said)[0].entities == ()


@quick
@given(st.text(max_size=200), st.text(max_size=20))
def test_any_text_by_any_name_gives_storable_bounded_candidates(said: str, name: str) -> None:
    for candidate in read(f"我喜欢{said}。I like {said}. 请记住：{said}", name=name):
        candidate.text.encode()
        assert candidate.text.strip()
        assert len(candidate.text) <= 300
        assert len(candidate.summary) <= 120
        assert 0.3 < candidate.importance <= 1


REPEATED = (
    *"嗯 从小就 你要 一定要 麻烦你 请 我喜欢 并且 我的 最 一月 吧".split(),
    *("only ", "really ", "please ", "next ", "a.", "well, ", '"', "“", "`", "["),
)


@pytest.mark.parametrize("unit", REPEATED)
@pytest.mark.parametrize("head", ["", "我", "I ", "记住"])
def test_repetition_does_not_make_reading_explode(head: str, unit: str) -> None:
    assert all(len(c.text) <= 300 for c in read(head + unit * 3_000))
