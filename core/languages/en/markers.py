"""English words that mark the intent of a turn, and whom it is about. Pure.

Markers are whole words: "whenever" is not "when".
"""

from ..language import Marker

MARKERS = {
    Marker.CAUSAL: r"\b(?:why|cause|caused|reason|how come)\b",
    Marker.TEMPORAL: (
        r"\b(?:when|recent|recently|before|last week|last month|last year|yesterday|how long"
        r"|what date)\b"
    ),
    Marker.PROCEDURAL: r"\b(?:how to|how do|how can|step|steps)\b",
    Marker.EXPLORATORY: r"\b(?:all about|everything about|related to|tell me about)\b",
    Marker.BECAUSE: (
        r"(?:(?:well|oh|yes|yeah|(?:it|that)(?:['’]s| is| was)|just|mainly|mostly|simply)[,\s]+)*"
        r"(?:because(?! of (?:that|this)\b)|['’]?cause|cuz|due to"
        r"|the (?:main |only )?reason (?:is|was))\b"
        r"(?!.{0,120}(?:,\s*(?:so\b|i\b|we\b|i['’]|we['’])|that['’]s why))"
    ),
    Marker.THEREFORE: (
        r"(?:(?:and|well|oh)[,\s]+)*(?:that(?:['’]s| is| was) (?:why|the reason)|which is why"
        r"|therefore|hence|because of (?:that|this)|as a result|for that reason"
        r"|so,? (?:i|we|now (?:i|we))\b(?!['’]d like| want| need| was wondering| guess| think))"
    ),
    Marker.ASKS_WHY: (
        r"\b(?:why|how come|how so|what(?:['’]s| is| was) the reason"
        r"|what (?:made|makes) (?:you|her|him|them)|what happened|what went wrong)\b"
        r"[^.!?\n]{0,60}\?\s*$"
    ),
    Marker.STORY: (
        r"\bwhat(?:'s| is| has| have| ever)?\s+(?:happened|happening|become|became|come)\s+"
        r"(?:with|to|of|about|after)\b"
        r"|\bwhat (?:\w+ ){1,6}(?:ended up|turned out)\b"
        r"|\bhow (?:did|has|have|is|are|was|were) (?:.{1,60} )(?:go|going|gone|turn(?:ed)? out"
        r"|end(?:ed)?(?: up)?|work(?:ed)? out|develop(?:ed)?|progress(?:ed|ing)?"
        r"|com(?:e|ing) along)\b"
        r"|\bhow (?:.{1,40} )?(?:came about|began|started)\b"
        r"|\b(?:the (?:whole |full )?story (?:of|with|about|behind)|(?:any|an|the latest) "
        r"(?:news|updates?) (?:on|about|of)|ins and outs of|course of events"
        r"|from start to finish)\b"
    ),
    Marker.FACTUAL: r"\b(?:what is|what'?s|what|who is|who'?s|who|which|where|wheres|whose)\b",
    Marker.FIRST_PERSON: r"\b(?:i['’]?(?:m|ve|ll|d)|i|me|my|mine|myself|am)\b",
    Marker.NAMES_THE_BOT: (
        r"(?:\byou(?: are|['’]re)(?: (?:called|named))?|\byour name is|\bname['’]?s?(?: is)?[:：]?"
        r"|\b(?:called|named))\s+[\"'“‘*]{0,3}"
    ),
    Marker.DENIAL: (
        r"\bI (?:\w+ ){0,2}?(?:do not|don['’]t|did not|didn['’]t|can(?:no|['’])t) (?:\w+ ){0,2}?"
        r"(?:know|remember|recall|have|see|find|tell)\b"
        r"|\bI (?:know|remember|recall|have) (?:nothing|no\b)|\b(?:no|not any) "
        r"(?:\w+ )?(?:idea|memory|memories|record|information|recollection)\b"
        r"|\bI(?:['’]m| am) not sure\b"
        r"|\byou (?:have not|haven['’]t|did not|didn['’]t|never)(?: \w+)? "
        r"(?:told|tell|mentioned|mention|shared|share|said|say)\b"
    ),
    Marker.LONG_AGO: (
        r"\b(?:used to(?! (?:it|that|this|the|being)\b)|back in (?:the|my|our|his|her|their)\b"
        r"|back (?:then|when)|in those days"
        r"|(?:in|during) (?:my|our|his|her|their) (?:\w+ )?(?:youth|teens|twenties|thirties|days)"
        r"|in the (?:\w+ )?(?:\w+ties|\d0s|19\d0s)|once upon a time"
        r"|in a (?:previous|past|former) life"
        r"|as an? (?:\w+ )?(?:kid|child|boy|girl|teen\w*|student)"
        r"|when (?:i|we|he|she|they) (?:was|were) (?:an? )?(?:\w+ )?"
        r"(?:kid|child|little|small|young\w*|boy|girl|teen\w*|student"
        r"|at (?:school|university|college))"
        r"|before (?:i|we|he|she|they|you) (?:was|were) born|(?:years|decades|ages) ago"
        r"|(?:his|her|their|my|our) (?:\w+ ){1,2}days)\b"
    ),
    Marker.NOWADAYS: (
        r"\b(?:now|nowadays|these days|currently|at the moment|at present|today|since|ever since"
        r"|still|any ?more|no longer|instead|just|recently)\b"
    ),
    Marker.CONFIRMATION: (
        r"(?:(?:yes|yep|yeah|yup|right|oh|indeed|exactly|correct)\s+)*"
        r"(?:that(?:'s| is)(?: exactly| absolutely| quite)? (?:right|correct|it|true)"
        r"|you(?:'re| are)(?: absolutely| quite)? (?:right|correct)"
        r"|you(?:'ve got it| got (?:it|that) right)"
        r"|you remember(?:ed)?(?: it| that)? (?:right|correctly|well)"
        r"|exactly(?: right)?|spot on|correct|precisely)"
        r"(?:\s+(?:yes|indeed|exactly|thanks|thank you|well remembered|you remembered))*"
    ),
    Marker.CLAUSE_END: r"[,，]?\s*\b(?:but|however)\b",
}
