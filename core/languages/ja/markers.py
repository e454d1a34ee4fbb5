"""Japanese words that mark the intent of a turn, and whom it is about. Pure."""

from ..language import Marker

_TALK = r"話[しすせそ]|話題|言[いうえっわ]|聞[いきくけ]|喋|しゃべ|相談"
_PLAN = r"予定|計画|つもり|約束|やること|すること"

MARKERS = {
    Marker.CAUSAL: r"なぜ|何故|どうして|なんで|理由|原因",
    Marker.TEMPORAL: r"いつ(?!も)|何時|何日|何曜日|最近|この前|この間|先週|先月|昨日|去年|前に",
    Marker.PROCEDURAL: r"どうやって|どうすれば|やり方|方法|手順",
    Marker.EXPLORATORY: r"について|に関して|全部教えて|すべて教えて",
    Marker.FACTUAL: r"とは何|何[がをで]|なに|誰|だれ|どこ|どの|どれ|いくつ|いくら",
    Marker.FIRST_PERSON: r"私(?!たち)|わたし(?!たち)|僕(?!ら|たち)|ぼく|俺|おれ",
    Marker.SELF: r"私|わたし|僕|ぼく|俺|おれ|うち(?=[のは])",
    Marker.BOT: r"あなた|あんた|お前|おまえ|きみ|君(?=[はがのをに])",
    Marker.BACK: r"覚えて|この前|この間|また(?!は)|いつもの|前に",
    Marker.REQUEST: r"教えて|思い出させて|おすすめ|手伝って",
    Marker.ASKING: r"(?:か|かな|かしら|っけ|の)\W*$",
    Marker.ASKING_FOR: r"何|なに|なん(?=[でのだか])|どんな|どの|っけ|か\W*$|教えて",
    Marker.TALK: _TALK,
    Marker.PLAN: _PLAN,
    Marker.DOING: rf"{_TALK}|{_PLAN}|した|する|して|やっ|あっ|ある|起き",
    Marker.EMPTY: (
        r"覚えて|教えて|思い出|話題|話[しすせそ]|言[いうえっわ]|聞[いきくけ]|予定|計画|つもり|約束|"
        r"私たち|私|わたし|僕|ぼく|俺|おれ|あなた|一緒|何|出来事|こと|事|起き|[\u3040-\u309f]"
    ),
    Marker.DENIAL: (
        r"(?:覚えて|知って|聞いて)い?(?:ない|ません)|(?:わか|分か|知)(?:らない|りません)"
        r"|(?:記憶|記録|情報)(?:は|が)?(?:ない|ありません)|思い出せ(?:ない|ません)"
    ),
    Marker.CLAUSE_END: r"[、,]?(?:けれども?|けど|しかし|でも(?=[、,]))",
    Marker.GREETING: r"^\W*(?:こんにちは|こんばんは|おはよう|やあ|お久しぶり|久しぶり)",
    Marker.FAREWELL: r"さようなら|さよなら|またね|じゃあね|おやすみ|お疲れ",
    Marker.SHIFT: r"ところで|そういえば|話(?:は|が)変わ",
}
