"""What relatives, friends and pets are called in English, by one name each. Pure."""

import re

POSSESSIVE = "my |the "
GENITIVES = ("'s ", "’s ")
WIDER_FAMILY = {
    "granddaughter": "granddaughters?",
    "grandson": "grandsons?",
    "mother_in_law": "mother[- _]in[- _]law",
    "father_in_law": "father[- _]in[- _]law",
    "daughter_in_law": "daughter[- _]in[- _]law",
    "son_in_law": "son[- _]in[- _]law",
    "sister_in_law": "sister[- _]in[- _]law",
    "brother_in_law": "brother[- _]in[- _]law",
    "niece": "nieces?",
    "nephew": "nephews?",
}
"""Whose words hold those of nearer relatives: they are tried first."""

KIN = {
    **WIDER_FAMILY,
    "mother": "mother|mum|mom|mummy",
    "father": "father|dad|daddy",
    "parents": "parents",
    "partner": "wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse",
    "son": "sons?|boy|little lad",
    "daughter": "daughters?",
    "child": "child|children|kids?|baby",
    "brother": "brothers?",
    "sister": "sisters?|sis",
    "grandmother": "grand(?:ma|mother)|gran|nan",
    "grandfather": "grand(?:pa|father|dad)",
    "uncle": "uncle",
    "aunt": "aunt(?:ie)?",
    "cousin": "cousin",
    "friend": "best mate|mate|friend",
    "classmate": "classmate",
    "flatmate": "flatmate|roommate",
    "colleague": "colleague|coworker",
    "boss": "boss|manager",
    "dog": "dogs?|puppy",
    "cat": "cats?|kitten",
    "rabbit": "rabbit",
    "hamster": "hamster",
}

WORDS = {
    kin: word
    for kin, called in KIN.items()
    if (word := re.sub(r"\w\?", "", called.partition("|")[0])).isalpha()
}
"""The first word for each that is a word as it stands."""
