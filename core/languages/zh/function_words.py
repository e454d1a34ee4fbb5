"""Words that say nothing of what a text in Chinese is about. Pure."""

STOP_WORDS = frozenset(
    """什么 怎么 怎样 如何 为何 为什 哪里 哪个 哪些 多少 是不 不是 有没
    没有 可以 能不 这个 那个 这样 那样 我们 你们 他们 她们 咱们 就是
    还是 或者 但是 因为 所以 如果 然后 一个 一下 一些 的话 了吗 了吧
    是吗 是什 的是 我的 你的 他的 她的 吗我 吗你 知道 觉得 还有 已经
    现在 你好 谢谢 好的 请问""".split()
)
FUNCTION_CHARACTERS = "我你您他她它们的了吗呢吧啊呀嘛么什哪这那谁"
