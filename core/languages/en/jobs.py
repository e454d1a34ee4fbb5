"""Trades as they are called in English. Pure."""

import re

from ...text.lazy_pattern import lazy_pattern

_TRADES = (
    "doctor|nurse|teacher|lawyer|cook|chef|engineer|designer|accountant|driver|officer"
    "|soldier|writer|painter|actor|actress|singer|programmer|developer|student|professor"
    "|manager|architect|plumber|electrician|librarian|translator|editor|pilot|farmer|baker"
    "|worker|carer|maker|coach|trainer|consultant|analyst|assistant|director|founder|barista"
    "|vet|carpenter|builder|cleaner|cashier|waiter|waitress|bartender|barber|tutor|agent"
    "|clerk|joiner|mechanic|courier|paramedic|midwife|surgeon|banker|broker|adviser|advisor"
    "|administrator|operator|roofer|plasterer|welder|fitter|labourer|gardener|porter"
    "|hairdresser|photographer|producer|researcher|solicitor|freelancer"
    "|(?:team|tech|project|design) lead|business owner"
)
_ENDINGS = "ist|ian|smith|keeper|maker|man|woman|binder|worker"
"""What the names of many others end in."""

JOBS = lazy_pattern(rf"\b(?:{_TRADES}|\w+(?:{_ENDINGS}))\b", re.I)
"""Finds a trade in what somebody says they are."""
