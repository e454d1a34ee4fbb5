"""English function words, which say nothing of what a text is about. Pure."""

STOP_WORDS = frozenset(
    """a an and are as at be been but by can could d did do does for from had has have
    he her him his how i if in is it its just ll m me my no not of on or our s she so t than that
    the their them then there these they this to us ve was we were what when where which who why
    will with would you your yes ok okay hi hello hey thank thanks bye please sorry haha
    lol""".split()
)

EVERYDAY = """
    user bot like love want need make take good great nice really very much more most also some any
    day time year thing people friend think feel know work help please thank want try get go going
    about asked remember always never often usually recent today tomorrow yesterday because"""
