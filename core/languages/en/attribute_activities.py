"""How English speakers ask for an attribute by what somebody does. Pure."""

from .attribute_words import ADVERB, KIN, NAME, WHO, WHOSE

ACTIVITIES: tuple[tuple[str, ...], ...] = (
    (
        "residence",
        r"where(?:['’]s| is| was) home(?: for (?:me|us))?",
        rf"where (?:have|has"
        rf"|did) {WHO} "
        r"move(?:d)?(?: to)?",
    ),
    ("residence", rf"(?:am|are|is) {WHO} still (?:living )?in .{{2,30}}"),
    ("workplace job", rf"(?:am|is) {WHO} still (?:working )?(?:at|for|with) .{{2,30}}"),
    ("workplace job", rf"(?:do|does) {WHO} still work (?:at|for|as|in) .{{2,30}}"),
    (
        "workplace job",
        r"who (?:employs|pays) me",
        r"who (?:pays|signs) my (?:wages|salary"
        r"|pay ?checks?)",
    ),
    (
        "job workplace",
        rf"what (?:line of work|field|industry|business) (?:am|is|do"
        rf"|does) {WHO} (?:work )?in",
    ),
    (
        "partner marital",
        rf"(?:am|is) {WHO} still (?:with|dating|seeing|married|engaged"
        rf"|single)(?: .{{2,30}})?",
    ),
    (
        "pet pet:dog pet:cat",
        rf"(?:do|does) {WHO} still (?:have|keep|own) (?:a |an |the |my "
        rf"|any )?(?:[\w-]+ )?"
        r"(?:dogs?|cats?|pets?|rabbit|hamster|parrot|fish)",
    ),
    (
        "language instrument hobby",
        rf"(?:am|is) {WHO} still (?:learning|studying|doing"
        rf"|playing) .{{2,30}}",
    ),
    (
        "like favourite hobby",
        rf"(?:do|does) {WHO} still (?:like|love|enjoy|play"
        rf"|prefer) .{{2,30}}",
    ),
    ("car", rf"(?:do|does) {WHO} still drive .{{2,30}}", rf"what (?:am|is) {WHO} driving"),
    ("diet", rf"(?:am|is) {WHO} still (?:an? )?(?:vegan|vegetarian|pescatarian|on a diet)"),
    (
        "allergy diet",
        r"what(?:['’]s| is) off the menu for (?P<who>me|us)",
        r"what don['’]?t "
        r"(?P<who>i) eat",
    ),
    ("gym exercise", rf"where (?:do|does) {WHO} (?:work out|train|exercise|lift)"),
    ("team favourite:team", rf"who (?:do|does) {WHO} (?:support|root for|cheer for)"),
    (
        "residence",
        rf"(?:where|(?:in )?(?:what|which) (?:city|town|country|part of \w+|place|area|street"
        rf"|neighbou?rhood)) (?:(?:do|does|did|am|is|are|was|were) )?{WHO} {ADVERB}(?:live"
        rf"|lives|living|lived"
        r"|stay|stays|staying|reside|based|residing|rent|renting|settled|call(?:ing)? home)"
        r"(?: in| at)?",
    ),
    ("residence", rf"where(?:['’]s| is| was) {WHOSE} (?:home|house|flat|apartment|place)"),
    (
        "residence",
        rf"where(?:['’]s| is| in the world is) (?P<who>(?:my|our) (?:{KIN}))(?: living"
        r"| based| staying)?",
    ),
    (
        "residence",
        rf"where (?:can|could|would|do) (?:i|you|one|we) find (?P<who>(?:my|our) (?:{KIN}))",
    ),
    ("residence", rf"(?:do|does) {WHO} {ADVERB}live (?:in|at|with|near|alone|on my own).*"),
    ("residence", rf"what(?: town| city)? (?:do|does) {WHO} call home"),
    (
        "residence",
        r"(?:list |name )?(?:all )?the (?:places|cities|towns) (?:where )?(?P<who>i|we)(?:['’]ve"
        r"| have)? (?:called"
        r" home|lived(?: in)?)",
    ),
    (
        "home_town",
        rf"where (?:(?:am|is|are|do|does|was|did) )?{WHO} {ADVERB}(?:from|come from|born|grow up"
        r"|grew up|raised)(?: originally)?",
    ),
    (
        "workplace job",
        rf"where (?:(?:do|does|did|am|is|are) )?{WHO} {ADVERB}(?:work|works|working|worked"
        rf"|employed|teach"
        r"|teaches)",
    ),
    (
        "workplace job",
        rf"(?:who|what company|which company|what firm)(?: is it that)? (?:do|does|did|am"
        rf"|is) {WHO}"
        rf" {ADVERB}(?:work|working|employed)(?: for| at| by| with)",
    ),
    (
        "job workplace",
        rf"what (?:do|does|did) {WHO} {ADVERB}(?:do for (?:a living|work|money|a job)|work as)",
    ),
    ("job workplace", rf"what (?:does|did) (?P<who>(?:my|our) (?:{KIN})) do"),
    (
        "job workplace",
        rf"what (?:is|am|are) {WHO} {ADVERB}(?:working as|by (?:trade|profession))",
    ),
    (
        "job workplace",
        rf"how (?:do|does|did) {WHO} {ADVERB}(?:earn|make) (?:my|a|our|his|her|their|the) "
        r"(?:living|money|crust|bread|keep)",
    ),
    (
        "job workplace",
        rf"(?:do|does|am|is) {WHO} {ADVERB}(?:employed|unemployed|working|retired|have a job)",
    ),
    (
        "school",
        rf"(?:where|what school|which school|what university|which university) (?:(?:do|does|did"
        rf"|am|is|are) )?"
        rf"{WHO} {ADVERB}(?:study|studying|studies|go to (?:school|university|college|uni)"
        rf"|at school"
        r"|enrolled|at|go to|attend|attending)(?: now)?",
    ),
    (
        "major thesis",
        rf"what (?:do|does|did|am|is|are) {WHO} {ADVERB}(?:study|studying|majoring in"
        r"|researching)(?: at (?:university|college|uni|school))?",
    ),
    ("birthday", rf"(?:when|what (?:day|date|year)|on what day) (?:was|were|is|am) {WHO} born"),
    ("birthday", rf"when (?:do|does) {WHO} turn \w+"),
    (
        "age birthday",
        rf"how old (?:(?:am|is|are|was|were) )?(?P<who>i|we|(?:my|our) (?:{KIN})|{NAME})"
        r"(?: (?:am|is|are))?",
    ),
    ("name nickname", r"(?:what|who)(?:['’]s| is| am) (?P<who>i) called|what am i called|who am i"),
    (
        "nickname instruction name",
        r"(?:what|how) (?:do|should|must|will|did i ask|did i tell|are) you (?:to )?(?:call"
        r"|address|supposed to"
        r" (?:call|address)) me",
    ),
    ("height", rf"how tall (?:am|is|are) {WHO}"),
    ("weight", rf"how (?:much do|heavy am|heavy is|much does) {WHO}(?: weigh)?"),
    (
        "marital partner",
        rf"(?:am|is|are) {WHO} {ADVERB}(?:married|single|engaged|divorced|in a relationship"
        r"|seeing (?:someone|anyone|anybody)|dating(?: anyone| someone| anybody)?|taken"
        r"|with anyone)",
    ),
    (
        "partner marital",
        rf"who (?:am|is|are) {WHO} {ADVERB}(?:married to|dating|seeing|with|engaged to)",
    ),
    (
        "marriage_date marital",
        rf"when (?:am|are|is|did) {WHO} {ADVERB}(?:getting married|get married"
        r"|marrying|marry|tying the knot)",
    ),
    ("child family", rf"how many (?:kids|children|sons|daughters) (?:do|does) {WHO} have"),
    (
        "allergy",
        rf"(?:what|which \w+)(?:['’]?m| am| is| are) {WHO} {ADVERB}allergic to|"
        r"what am i allergic to",
    ),
    (
        "allergy diet",
        r"(?:what|which (?:foods?|drugs?|things|ingredients))(?: is it that)? (?:can['’]?t|cannot"
        r"|can not|mustn['’]?t|shouldn['’]?t|must not|should not|do|does"
        r"|may not) (?P<who>i) (?:not )?(?:eat"
        r"|drink|have|take|touch)",
    ),
    (
        "allergy",
        r"(?:what|which \w+)(?: must| should| needs? to| has to| have to)(?: be"
        r"| stay) (?:avoided|left out"
        r"|kept away)(?: with| for| from)? (?P<who>me|us)",
    ),
    ("allergy", rf"(?:am|is|are) {WHO} {ADVERB}allergic to (?:anything|something|\w+(?: \w+)?)"),
    ("diet", rf"(?:am|is|are) {WHO} {ADVERB}(?:an? )?(?:vegan|vegetarian|pescatarian|on a diet)"),
    (
        "diet allergy",
        rf"(?:do|does|can) {WHO} {ADVERB}eat (?:meat|fish|pork|beef|dairy|eggs|gluten|nuts"
        r"|seafood|shellfish)",
    ),
    (
        "illness",
        r"(?:is|was) (?:there )?(?:anything|something) (?:wrong|the matter) with (?P<who>me"
        r"|my (?:body"
        r"|health))(?: \w+){0,3}|what(?:['’]s| is) wrong with me|what(?: illness)? (?:do"
        r"|did) i suffer from"
        r"|what (?:did|have) i (?:injured?|hurt|broken?)|am i (?:ill|sick|injured|healthy"
        r"|in good health)",
    ),
    (
        "medication",
        rf"what (?:(?:medicine|medication|pills|drugs) )?(?:am|is|do|does) {WHO} {ADVERB}(?:on"
        rf"|taking|take)"
        r"(?: medication| medicine)?",
    ),
    (
        "favourite:food favourite:dish",
        rf"what(?:['’]s| is)? (?:{WHOSE} favou?rite thing to eat|(?:food|dish|meal"
        rf"|cuisine) do {NAME})",
    ),
    (
        "favourite:drink favourite:beverage",
        rf"(?:what|which)(?: \w+)? (?:drink|beverage|brew) (?:do|does|did)"
        rf" {WHO} {ADVERB}(?:prefer|like(?: best| most)?|love|drink|favou?r)(?: \w+){{0,2}}",
    ),
    (
        "favourite:drink",
        rf"what (?:do|does) {WHO} {ADVERB}(?:like to |prefer to )?drink(?: in the morning"
        rf"| most)?",
    ),
    (
        "favourite:music favourite:singer favourite:band",
        rf"(?:what|which)(?: kind of| sort of)? (?:music|band"
        rf"|singer|artist)s? (?:do|does|am|is) {WHO} {ADVERB}(?:like|listen(?:ing)? to|love"
        rf"|prefer|into)(?: \w+){{0,2}}",
    ),
    (
        "hobby like favourite",
        rf"what (?:do|does) {WHO} (?:do|like to do|enjoy|enjoy doing|like doing)(?: for fun"
        rf"| in (?:my|our|his|her"
        r"|their) (?:free|spare) time| to relax| at weekends| on weekends| outside work)?(?<!do)",
    ),
    (
        "like favourite hobby",
        rf"what (?:things )?(?:do|does) {WHO} {ADVERB}(?:like|love|prefer)(?: best| most)?",
    ),
    (
        "exercise sport hobby",
        rf"(?:how|what) (?:do|does) {WHO} {ADVERB}(?:keep|stay|get) (?:fit|in shape|active)|"
        r"what (?:sport|sports|exercise|workout)s? do i (?:do|play)",
    ),
    (
        "language",
        rf"(?:what|which) (?:foreign )?languages? (?:(?:am|is|do|does|can|are) )?{WHO}"
        rf" {ADVERB}(?:speak|learn|learning|study|studying|know|taking)(?: now)?",
    ),
    (
        "instrument hobby",
        rf"(?:what|which) (?:musical )?instruments? (?:do|does|can|am|is) {WHO} {ADVERB}(?:play"
        r"|playing|learn|learning)",
    ),
    (
        "device:computer device",
        rf"(?:what|which) (?:computer|laptop|machine|pc) (?:do|does|am|is) {WHO} {ADVERB}"
        r"(?:use|have|work on|using|working on|own)",
    ),
    (
        "car",
        rf"(?:what|which)(?: kind of| sort of)? (?:car|vehicle|van)? ?(?:do|does|am"
        rf"|is) {WHO} {ADVERB}(?:drive"
        r"|driving|own)",
    ),
    (
        "commute",
        rf"how (?:do|does|am|is) {WHO} {ADVERB}(?:get|getting|go|going|travel|travelling"
        rf"|commute|commuting)"
        r" (?:to|into|in to) (?:work|the office|school|town|college|uni|campus)|"
        r"how do (?:i|we) commute",
    ),
    (
        "work_mode",
        rf"(?:do|does|am|is) {WHO} {ADVERB}(?:work(?:ing)? (?:from home|remotely|in (?:the"
        rf"|an) office"
        r"|on ?site)|(?:go|going) (?:in )?(?:to|into) the office|remote)(?: .*)?",
    ),
    (
        "schedule:work",
        rf"(?:when|what (?:hours|time|days?|shifts?)|which (?:hours|days?"
        rf"|shifts?))(?: in the day| of the day)?"
        rf" (?:do|does|am|is) {WHO} {ADVERB}(?:work|working|on)",
    ),
    (
        "boss",
        rf"who (?:do|does|am|is) {WHO} {ADVERB}(?:report to|answer to|work(?:ing)? under)|"
        r"who(?:['’]s| is| was) in charge of (?:me|us|my team|our team)",
    ),
    (
        "flatmate",
        rf"who(?: else)? (?:do|does|am|is|are) {WHO} {ADVERB}(?:live|living|share|sharing|room"
        rf"|rooming)"
        r"(?: a (?:flat|house|place|room))? with|who shares (?:the|my|our) (?:place|flat|house"
        r"|room)(?: with (?:me|us))?"
        r"|do i (?:still )?live (?:alone|by myself|on my own|with (?:anyone|anybody|someone))",
    ),
    ("salary", rf"how much (?:do|does) {WHO} {ADVERB}(?:earn|make|get paid|take home)(?: .*)?"),
    (
        "rent",
        rf"how much (?:(?:rent )?(?:do|does) {WHO} pay(?: in| for| a month in)?(?: rent)?"
        rf"|is my rent)(?: .*)?",
    ),
    (
        "team favourite:team",
        rf"(?:what|which|who) ?(?:football |soccer )?(?:team|club)? (?:do|does|am|is) {WHO} "
        rf"{ADVERB}(?:support|supporting|follow|root for|a fan of)",
    ),
    (
        "smoking",
        rf"(?:do|does|am|is|have|has) {WHO} {ADVERB}(?:smok(?:e|ing)|an? smoker|quit smoking"
        rf"|given up smoking)",
    ),
    (
        "alcohol",
        rf"(?:do|does|am|is|have|has) {WHO} {ADVERB}(?:drink(?:ing)?(?: alcohol| booze| wine"
        rf"| beer)?"
        r"|teetotal|sober|given up (?:drinking|alcohol))",
    ),
    (
        "glasses",
        rf"(?:do|does) {WHO} {ADVERB}(?:wear|need) (?:glasses|contacts|contact lenses)"
        r"|do i need anything to see",
    ),
    (
        "debt",
        rf"(?:do|does|am|is) {WHO} {ADVERB}(?:owe|in debt|debt free)(?: .*)?|how much do (?:i|we)"
        r" (?:still )?owe(?: .*)?",
    ),
    (
        "driving_licence",
        r"(?:can|do|am|may) (?P<who>i) (?:legally )?(?:drive|allowed to drive)(?: a car"
        r"| legally)?",
    ),
    (
        "business",
        r"is (?P<who>my|our) (?:business|shop|store|company) (?:still )?(?:going|open|running"
        r"|trading|up and running)",
    ),
    (
        "volunteering",
        rf"(?:do|does|where do|where does) {WHO} {ADVERB}(?:volunteer|help out (?:with"
        rf"|at) .*)(?: .*)?",
    ),
    (
        "instruction",
        r"(?:how|what)(?: \w+)? (?:did|do) i (?:ask|tell|want|like) you to (?:reply|answer|talk"
        r"|speak|write|respond|be"
        r"|use|sound)(?: .*)?|how (?:long|lengthy|short|detailed|formal) should your (?:replies"
        r"|answers|messages|responses)"
        r" be|what (?:tone|style|language|format|manner) did i ask (?:you to use|for|you for)"
        r"|how should you (?:talk|speak|write|reply|respond|answer)(?: to me)?",
    ),
)
"""The keys, the likeliest first, and the patterns that ask for them."""
