"""Japanese function words, which say nothing of what a text is about. Pure."""

STOP_WORDS = frozenset(
    """です ます でし まし した ませ せん して てい いる いま から まで だけ より こと もの とき
    これ それ あれ どれ この その あの どの ここ そこ どこ とて って なの のは のが のを では には
    とは でも ても たい たら なら ない なに なぜ いつ だれ どう よう そう ため さん ちゃ また はい
    いえ ねえ けど しか とか など""".split()
)
