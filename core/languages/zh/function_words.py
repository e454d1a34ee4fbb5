"""Chinese function words, which say nothing of what a text is about. Pure."""

STOP_WORDS = frozenset(
    """什么 怎么 怎样 如何 为何 为什 哪里 哪个 哪些 多少 是不 不是 有没
    没有 可以 能不 这个 那个 这样 那样 我们 你们 他们 她们 咱们 就是
    还是 或者 但是 因为 所以 如果 然后 一个 一下 一些 的话 了吗 了吧
    是吗 是什 的是 我的 你的 他的 她的 吗我 吗你 知道 觉得 还有 已经
    现在 你好 谢谢 好的 请问""".split()
)
FUNCTION_CHARACTERS = "我你您他她它们的了吗呢吧啊呀嘛么什哪这那谁"

_FOLLOWING = "叫是在有最多几还又今昨明会能要不没也都很太去来"
"""What a noun is followed by, and does not begin with."""

LONE_WORD = (
    r"(?:的|[我你您他她它]家|[这那几每一二两三四五六七八九十半]?[只条头匹辆台把座棵盆])"
    rf"(?P<word>(?![{FUNCTION_CHARACTERS}{_FOLLOWING}])[\u4e00-\u9fff])"
    rf"(?=[{FUNCTION_CHARACTERS}{_FOLLOWING}]|[^\u4e00-\u9fff]|\Z)"
)
"""A noun of one character: whose it is, or how many, stands before it."""

EVERYDAY = """
    用户 喜欢 时候 今天 明天 昨天 自己 非常 需要 希望 应该 这些 那些 其实 真的 比较
    可能 一起 大家 事情 东西 朋友 工作 生活 感觉 开始 最近 以后 之前 时间 不过 而且
    虽然 所有 为了 通过 进行 帮助 建议 注意"""
