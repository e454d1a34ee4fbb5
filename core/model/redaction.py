"""Masks keys, tokens and passwords in texts for people, logs and files. Pure."""

import re

HIDDEN = "***"
_SHORTEST = 4
"""Characters of a key that is hidden wherever it occurs; a shorter one is part of other words."""

_PREFIXED = r"\b(?:sk|pk|rk|ak|gsk|xai|hf|ghp|glpat|pat|key|api)[-_][\w-]{12,}"
_OF_A_MAKER = r"\bAIza[\w-]{20,}|\b[0-9a-f]{32}\.\w{12,}"
_HEADER = r"(?<=\bbearer )\s*[^\s'\",;]+|(?<=\bbasic )\s*[A-Za-z0-9+/=]{8,}"
_IN_ADDRESS = r"(?<=://)[^/\s@'\"]+(?=@)"
_NAME = r"api[-_ ]?key|(?:access|auth|chroma)[-_ ]?token|token|secret|password|passwd|authorization"
_NAMED = (
    rf"((?:{_NAME})(?: provided| is)?[\"']?\s*[:=]\s*b?[\"']?(?:bearer\s+)?)"
    r"(?!bearer\b)[^\s\"'&,;}*]{4,}"
)
_KEY_IN_QUERY = r"([?&](?:key|sig|signature|code)=)[^\s\"'&]+"

_SECRETS = re.compile(
    "|".join((_NAMED, _KEY_IN_QUERY, _PREFIXED, _OF_A_MAKER, _HEADER, _IN_ADDRESS)), re.I
)


def masked(text: str, *known: str) -> str:
    """The text without the `known` secrets and without whatever looks like one."""
    for secret in known:
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, HIDDEN)
    return _SECRETS.sub(lambda found: f"{found[1] or found[2] or ''}{HIDDEN}", text)
