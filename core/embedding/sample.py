"""Pairs of a turn and the memory that it should bring up: what an embedder is calibrated on."""

from ..text.language import Language

PAIRS: dict[Language, tuple[tuple[str, str], ...]] = {
    "zh": (
        ("我的狗今天又把拖鞋咬坏了", "用户养了一只两岁的拉布拉多，喜欢咬东西"),
        ("晚上吃什么好呢", "用户晚饭口味清淡，最爱番茄鸡蛋面"),
        ("下周要去面试了，好紧张", "用户正在找工作，投了几家设计公司"),
        ("你还记得我女儿几岁吗", "用户的女儿今年六岁，上幼儿园大班"),
        ("最近膝盖老是疼", "用户跑步时伤过右膝盖，医生说要休息"),
        ("想给妈妈买份生日礼物", "用户的母亲喜欢养花，生日在五月"),
        ("周末有什么电影推荐", "用户喜欢看科幻电影，不看恐怖片"),
        ("我又开始学吉他了", "用户小时候学过三年吉他，后来放下了"),
        ("房租又涨了", "用户和室友在城东合租一套两居室"),
        ("这次期末考试考砸了", "用户是大二学生，高等数学一直不太好"),
        ("昨天和男朋友吵了一架", "用户和男友异地恋两年，常为见面的事争执"),
        ("帮我想想旅行去哪里", "用户一直想去云南看雪山"),
        ("咖啡喝多了睡不着", "用户对咖啡因敏感，下午不喝咖啡"),
        ("我的车今天又打不着火了", "用户开一辆十年的旧轿车，常出毛病"),
        ("奶奶打电话来了", "用户由奶奶带大，奶奶住在乡下"),
        ("项目终于上线了！", "用户的团队花了半年做一个支付系统"),
    ),
    "en": (
        ("My dog chewed up my shoes again", "The user has a two-year-old labrador that bites"),
        ("What should I cook tonight?", "Ann loves light dinners, tomato noodles most of all"),
        ("I have an interview next week", "Ben is looking for a job at a design studio"),
        ("How old is my daughter?", "The user's daughter is six and in kindergarten"),
        ("My knee hurts again", "Tom hurt his right knee while running last year"),
        ("What could I get my mother?", "The user's mother grows roses; her birthday is in May"),
        ("Any films for the weekend?", "I like science fiction and never watch horror"),
        ("I took up the guitar again", "Mia played the guitar for three years as a child"),
        ("They raised the rent", "The user shares a flat in the east of the town"),
        ("I failed the exam", "Sam studies physics and struggles with mathematics"),
        ("I had a row with my boyfriend", "Kate's boyfriend lives abroad; they argue about visits"),
        ("Where should we travel?", "The user has always wanted to see the mountains of Nepal"),
        ("Too much coffee, I can't sleep", "Leo is sensitive to caffeine after noon"),
        ("When did Emma start painting?", "Emma: I began to paint landscapes two summers ago"),
        ("What did Paul buy his wife?", "Paul: I found a silver necklace for Nora in the market"),
        ("We shipped it at last!", "The user's team has built a payment system for months"),
    ),
}
"""By language, (turn, memory); pairs of different rows are unrelated."""

VARIANTS: dict[Language, tuple[tuple[str, str], ...]] = {
    "zh": (
        ("用户家里有一只两岁大的拉布拉多犬，爱咬东西", "用户的拉布拉多上周打了疫苗"),
        ("用户晚饭吃得清淡，最喜欢番茄鸡蛋面", "用户今天晚饭吃了麻辣火锅"),
        ("用户在找工作，已经给几家设计公司投了简历", "用户去年从一家设计公司离职了"),
        ("用户有个六岁的女儿，在读幼儿园大班", "用户的女儿不爱吃青菜"),
        ("用户跑步伤了右膝盖，医生让休息", "用户每周去公园跑步三次"),
        ("用户的妈妈五月过生日，喜欢养花", "用户的母亲最近学会了用手机支付"),
        ("用户爱看科幻片，从来不看恐怖片", "用户上个月看了一部很长的科幻电影"),
        ("用户童年学了三年吉他，之后没再弹", "用户把旧吉他送给了表弟"),
        ("用户同室友在城东合租了两居室", "用户的室友养了一缸鱼"),
        ("用户读大二，高数学得不好", "用户下学期要选修一门编程课"),
        ("用户和男朋友已经异地两年，总为见面的事吵架", "用户的男友在外地当医生"),
        ("用户早就想去云南看看雪山", "用户的同事刚从云南旅行回来"),
        ("用户怕咖啡因，过了中午就不喝咖啡", "用户家附近开了一家新的咖啡馆"),
        ("用户的旧轿车开了十年，经常坏", "用户打算明年买一辆电动车"),
    ),
    "en": (
        ("The user owns a labrador, two years old, that bites", "The user walks the dog at six"),
        ("Ann likes to eat light in the evening, best of all tomato noodles", "Ann burnt dinner"),
        ("Ben wants to be hired by a design studio", "Ben once had a design studio of his own"),
        ("The user has a daughter of six, who goes to kindergarten", "The user's daughter draws"),
        ("Last year Tom injured his right knee on a run", "Tom bought new running shoes"),
        ("The user's mum was born in May and grows roses", "The user's mother moved house"),
        ("I enjoy science fiction, horror films I never watch", "I saw a long film on Sunday"),
        ("As a child Mia had three years of guitar lessons", "Mia's guitar has a broken string"),
        ("The user lives with a flatmate in the eastern part of town", "The user's flat is noisy"),
        ("Sam is a physics student who finds mathematics hard", "Sam has a physics exam on Monday"),
        ("Kate and her boyfriend abroad quarrel about visits", "Kate's boyfriend cooks well"),
        ("The user has dreamt of Nepal's mountains for ever", "The user sold the climbing boots"),
        ("After noon Leo does not tolerate caffeine", "Leo works in a coffee shop"),
        ("Emma says that she took up landscape painting two summers ago", "Emma sold a painting"),
    ),
}
"""By language, for each of the first memories above: the same said otherwise, and another matter
of the same thing."""
