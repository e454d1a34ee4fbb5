"""Chinese family names, and how they become names of persons. Pure."""

SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕"
    "丁任沈姚卢崔钟谭陆汪范廖贾夏韦付邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武莫孔向"
)
"""Common family names, but for those that are mostly something else: 马, 高, 于, 白, 方, 汤, 戴."""

_NEVER_IN_A_NAME = frozenset(
    "的了是不在有去来到上下前后里要能会可很都也还又再就被把给和跟说看吃喝记底类条件段次点"
)

_COMPOUND = ("欧阳", "司马", "上官", "诸葛", "慕容", "司徒", "东方", "夏侯", "皇甫", "尉迟")
_TITLES = (
    "老师|医生|教授|经理|老板|阿姨|叔叔|师傅|同学|先生|女士|大夫|律师|教练|学长|学姐|师兄|师姐"
)
CALLED = (
    rf"[小老阿][{''.join(sorted(SURNAMES))}](?![\u4e00-\u9fff])"
    rf"|[{''.join(sorted(SURNAMES))}](?:{_TITLES}|[姐哥](?![姐妹弟哥们])|[姨叔伯婶嫂])"
)
"""A regular expression of what people are called: 小王, 李老师."""


def is_full_name(word: str) -> bool:
    """Whether a Chinese word that no dictionary knows looks like a person's family and own name."""
    if word.startswith(_COMPOUND):
        return 3 <= len(word) <= 4
    given = word[1:]
    return word[0] in SURNAMES and 1 <= len(given) <= 2 and _NEVER_IN_A_NAME.isdisjoint(given)
