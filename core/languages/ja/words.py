"""Japanese words as data: function words and markers. Pure."""

from ..language import Marker

STOP_WORDS = frozenset(
    """です ます でし まし した ませ せん して てい いる いま から まで だけ より こと もの とき
    これ それ あれ どれ この その あの どの ここ そこ どこ とて って なの のは のが のを では には
    とは でも ても たい たら なら ない なに なぜ いつ だれ どう よう そう ため さん ちゃ また はい
    いえ ねえ けど しか とか など""".split()
)


MARKERS = {
    Marker.CAUSAL: r"なぜ|何故|どうして|なんで|理由|原因",
    Marker.TEMPORAL: r"いつ(?!も)|何時|何日|何曜日|最近|この前|この間|先週|先月|昨日|去年|前に",
    Marker.PROCEDURAL: r"どうやって|どうすれば|やり方|方法|手順",
    Marker.EXPLORATORY: r"について|に関して|全部教えて|すべて教えて",
    Marker.FACTUAL: r"とは何|何[がをで]|なに|誰|だれ|どこ|どの|どれ|いくつ|いくら",
    Marker.FIRST_PERSON: r"私(?!たち)|わたし(?!たち)|僕(?!ら|たち)|ぼく|俺|おれ",
    Marker.ASKING: r"(?:か|かな|かしら|っけ|の)\W*$",
    Marker.DENIAL: (
        r"(?:覚えて|知って|聞いて)い?(?:ない|ません)|(?:わか|分か|知)(?:らない|りません)"
        r"|(?:記憶|記録|情報)(?:は|が)?(?:ない|ありません)|思い出せ(?:ない|ません)"
    ),
    Marker.CLAUSE_END: r"[、,]?(?:けれども?|けど|しかし|でも(?=[、,]))",
}
