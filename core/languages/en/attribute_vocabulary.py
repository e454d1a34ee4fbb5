"""English words that belong to an attribute, in whatever form of question. Pure."""

import re

from ...text.lazy_pattern import lazy_pattern

WORDS: tuple[tuple[str, str], ...] = (
    (
        "residence",
        r"live[sd]?|living(?! with)|resid\w+|lodg\w+|dwell\w*|home|address\w*|flat|apartment"
        r"|house|town|city|post ?code|zip code|neighbou?rhood|street|district|based|settled"
        r"|mail|post|parcels?|packages?|deliver\w*|rent(?:ing|ed)?",
    ),
    (
        "workplace job",
        r"employ\w+|work(?:s|ing|ed|place)?|office|company|colleagues?|co-?workers?|payroll"
        r"|pay ?che(?:ck|que)s?|wages",
    ),
    (
        "job workplace",
        r"jobs?|occupation|profession\w*|career|trade|vocation|for a living|a living|line of work"
        r"|job title|business card|earn\w*|make (?:my|our|a) (?:money|crust)|day job|livelihood",
    ),
    (
        "school",
        r"schools?|universit(?:y|ies)|uni|college|campus|class(?:es)?|enrol\w*|stud(?:y|ies)"
        r"|studying|semester|lectures",
    ),
    ("major school", r"major|degree|subject|coursework"),
    ("thesis", r"thesis|dissertation|doctorate|phd|research\w*"),
    (
        "partner marital",
        r"dating|seeing|girlfriend|boyfriend|partner|spouse|wife|husband|fianc[eé]e?"
        r"|significant other|better half|other half|sweetheart",
    ),
    (
        "marital partner",
        r"married|single|engaged|divorced|attached|taken|spoken for|love life|relationship"
        r"|romantic\w*|marital",
    ),
    ("marriage_date marital", r"wedding|marry\w*|ceremony|tie the knot|tying the knot|big day"),
    ("child family", r"kids?|child(?:ren)?|sons?|daughters?|baby|babies|offspring|parent"),
    (
        "pet pet:dog pet:cat",
        r"pets?|animals?|dogs?|cats?|pupp(?:y|ies)|kittens?|furry|four-legged|vet|kennel|litter",
    ),
    (
        "allergy diet",
        r"allerg\w*|intoleran\w*|off[- ]limits|ingredients?|avoid\w*|swell up|epipen|hives",
    ),
    ("diet allergy", r"diet\w*|eat|eating|meat|vegan|vegetarian|veggie|menu"),
    ("favourite:food favourite:dish like", r"food|dish(?:es)?|meals?|cuisine|snacks?|favou?rite"),
    (
        "illness medication",
        r"health\w*|ill(?:ness)?|sick\w*|injur\w*|hurt\w*|pain\w*|aches?|ailments?|diagnos\w*"
        r"|medical\w*|recover\w*|wrong with|symptoms?",
    ),
    ("medication", r"pills?|medicines?|medications?|meds|tablets?|dos(?:e|age)|prescri\w+"),
    (
        "favourite:drink favourite:beverage like",
        r"drinks?|drinking|beverages?|coffee|tea|brew|sip\w*",
    ),
    ("alcohol", r"alcohol\w*|booze|sober|beers?|wine|pints?|teetotal"),
    ("smoking", r"smok\w+|cigarettes?|vap(?:e|ing)|nicotine|tobacco|light up"),
    ("device:phone device", r"phone|mobile|handset|smartphone|cell|gadget|device"),
    ("device:computer device", r"computer|laptop|machine|pc|desktop|device|hardware"),
    ("car", r"cars?|vehicle|driv(?:e|es|ing)|wheels|van|truck|automobile|parked|fuel|petrol"),
    ("driving_licence", r"licen[cs]ed?|behind the wheel|legally drive"),
    (
        "commute",
        r"commut\w*|(?:get|travel|go|going|getting)(?:ing)? (?:in)?to (?:work|the office|school"
        r"|campus)|transport|way to (?:work|the office)|journey",
    ),
    ("gym exercise", r"gym|lift(?:ing)?"),
    (
        "exercise sport gym hobby",
        r"exercis\w*|work(?:ing)? out|workouts?|fit|fitness|sports?|training|shape|active",
    ),
    (
        "hobby like favourite exercise",
        r"hobb(?:y|ies)|(?:free|spare) time|pastimes?|leisure|weekends?|for fun|interests?|unwind"
        r"|relax\w*|evenings|keeps? (?:me|us) busy",
    ),
    ("instrument hobby", r"instruments?|practi[sc]e|practi[sc]ing|playing"),
    ("language", r"languages?|tongues?|speak\w*|fluent|lessons?|learning|learn"),
    (
        "favourite:music favourite:singer favourite:band favourite:artist",
        r"music|singers?|artists?|bands?|listen\w*|songs?|playlist|albums?",
    ),
    ("favourite:game game", r"games?|gaming|console"),
    ("favourite:film favourite:movie favourite:show", r"films?|movies?|shows?|series"),
    ("favourite:book favourite:author reading", r"books?|novels?|authors?|writers?|reading"),
    ("favourite:colour favourite:color", r"colou?rs?"),
    ("team favourite:team", r"teams?|club|root(?:ing)?|fan|cheer\w*|football|soccer|allegiance"),
    (
        "boss",
        r"boss|managers?|managed|manages|report(?:ing)? to|answer(?:ing)? to|supervis\w*"
        r"|in charge|sign(?:s|ed)? off|approv\w*|superior|line manager|over me|above me",
    ),
    ("landlord rent", r"landlord|landlady|lease|tenan\w+|rent|repairs?"),
    (
        "flatmate",
        r"flat-?mates?|room-?mates?|house-?mates?|share|shares|sharing|liv(?:e|es|ing) with"
        r"|under the same roof|on my own",
    ),
    ("schedule:work work_hours", r"shifts?|hours|schedules?|days? off|on duty|rota|clock in"),
    ("work_mode", r"remote\w*|from home|hybrid|on[- ]?site|in person"),
    ("salary", r"salary|income|paid|take[- ]home"),
    ("contact:phone", r"phone number|number|reach me|call me|ring me|dial"),
    ("contact:email", r"e-?mails?|inbox"),
    ("age birthday", r"old|ages?|aged"),
    ("birthday age", r"birthdays?|born|birth"),
    ("name nickname", r"names?|surname|maiden"),
    ("nickname name", r"called|nicknames?"),
    ("height", r"tall|height"),
    ("weight", r"weigh\w*|heavy|kilos|scales"),
    ("home_town", r"from|grew up|home ?town|roots|birthplace"),
    ("glasses", r"glasses|contacts|lenses|eyes?|eyesight|sight|vision|spectacles"),
    ("debt", r"debts?|owe|owing|owed|loans?|mortgage|repay\w*|pay(?:ing)? off|in the red"),
    ("bank", r"banks?|bank with"),
    ("business", r"business|shops?|stores?|customers"),
    ("volunteering", r"volunteer\w*|charit\w+|good cause"),
    ("provider:internet provider provider:phone", r"internet|wi-?fi|broadband|provider|carrier"),
    ("tattoo", r"tattoos?|tattooed|inked?"),
    ("doctor", r"doctors?|gp|physician"),
    ("dentist", r"dentist|teeth"),
    ("schedule:sleep sleep bedtime wake_time", r"sleep\w*|asleep|bed ?time|wake|get up|alarm"),
    ("bike commute", r"bikes?|bicycle|cycling"),
    ("hair hairstyle", r"hair\w*"),
    ("subscription", r"subscri\w+|streaming"),
    ("insurance", r"insur\w+"),
    ("course exam school", r"courses?|exams?|certific\w+|qualification"),
    ("garden plant hobby", r"plants?|garden\w*|grow(?:ing)?"),
    ("nationality passport visa", r"citizen\w*|passport|visa|nationality"),
    ("project", r"projects?"),
    ("device:camera camera device", r"camera"),
    ("favourite:breakfast breakfast favourite:food diet", r"breakfasts?|lunch|dinner|supper"),
    ("savings debt", r"savings|nest egg"),
    ("religion", r"religio\w+|faith|worship|church"),
)
"""The likeliest attribute first, and words that are about it."""

OCCASION = lazy_pattern(
    r"\b(?:did|why|yesterday|today|tonight|tomorrow|(?:last|next|this) (?:week\w*|month|year|time"
    r"|night|summer|winter|spring|autumn|fall|\w+day)|plan(?:s|ned|ning)?|going to (?!work)"
    r"|ago|how (?:many times|often|long))\b",
    re.I,
)
"""What makes a question one about an occasion: no attribute answers it."""

OTHERS = lazy_pattern(
    r"\b(?:in-laws|step\w+|god\w+|ex|exes|neighbou?rs?|coach|tutor"
    r"|teacher|twin|great-\w+|grand(?:child\w*|kids?)|family|friends"
    r"|his|her|their)\b",
    re.I,
)
"""People whom no relation names under which anything is kept."""
