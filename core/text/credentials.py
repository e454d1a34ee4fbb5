"""Dropping credentials from what a tool was given and answered: by name and by shape. Pure.

In doubt a value is dropped: a harmless identifier is no loss, a key that is kept may leak.
"""

import re
from collections.abc import Mapping, Sequence
from typing import cast

HIDDEN = "***"
"""Stands where a credential was."""

_NAMES = (
    r"(?:pass(?![a-z])|password|passwd|passphrase|passcode|pwd|secret|token|api[-_ ]?key"
    r"|access[-_ ]?key|private[-_ ]?key|auth(?:orization)?(?![a-z])|credential|cookie"
    r"|session[-_ ]?id|signature|密码|口令|密钥|私钥|令牌|凭证|验证码)"
)
_NAME = re.compile(_NAMES, re.I)
_SHORT_NAME = re.compile(r"(?:.*[-_])?(?:key|pw|sid|pin|jwt|sig|otp)", re.I)

_QUOTED = r"\"(?:\\.|[^\"\\])*\"?|'(?:\\.|[^'\\])*'?"
_BARE = r"[^\s,;，；。&\"')\]}]+"
_URL_USER = re.compile(r"(?P<before>\b[a-z][a-z0-9+.-]{0,20}://)[^/\s@'\"]{1,500}@", re.I)
_SCHEME = re.compile(r"\b(?P<before>bearer|basic)\s+[\w.~+/=-]{6,}", re.I)
_ASSIGNED = re.compile(
    rf"(?P<before>{_NAMES}[\w-]{{0,40}}?[\"']?\s*(?:=>|:=|[=:：]|是|为|\bis\b)\s*)"
    rf"(?:{_QUOTED}|{_BARE})",
    re.I,
)
_FLAG = re.compile(rf"(?P<before>--?{_NAMES}[\w-]{{0,40}}\s+)(?:{_QUOTED}|[^\s-]\S*)", re.I)
_PARAMETER = re.compile(r"(?P<before>[?&_-](?:key|sig|sid|code|pw)[=:]\s*)[^\s&#\"',]+", re.I)
_SHAPES = re.compile(
    r"-----BEGIN [A-Z ]+-----.*?(?:-----END [A-Z ]+-----|\Z)"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?"
    r"|\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|hf|npm|pypi|xox[abprs])[-_][A-Za-z0-9_-]{10,}"
    r"|\bA(?:KIA|SIA)[0-9A-Z]{12,}|\bAIza[A-Za-z0-9_-]{20,}"
    r"|(?<![A-Za-z0-9_])(?=[A-Z_a-z]*\d)(?=[0-9_]*[A-Za-z])[A-Za-z0-9_]{32,}={0,2}",
    re.S,
)


def is_credential(name: str) -> bool:
    """Whether a value of this name is one."""
    return bool(_NAME.search(name) or _SHORT_NAME.fullmatch(name))


def without_credentials(text: str) -> str:
    """The text with `HIDDEN` in the place of every value that looks like a credential."""
    text = _SHAPES.sub(HIDDEN, text)
    text = _URL_USER.sub(rf"\g<before>{HIDDEN}@", text)
    text = _SCHEME.sub(rf"\g<before> {HIDDEN}", text)
    for pattern in (_ASSIGNED, _FLAG, _PARAMETER):
        text = pattern.sub(rf"\g<before>{HIDDEN}", text)
    return text


def cleared(value: object, name: str = "", depth: int = 4) -> object:
    """JSON with `HIDDEN` in the place of every credential; what is nested deeper is cut off."""
    if name and is_credential(name):
        return HIDDEN
    if isinstance(value, str):
        return without_credentials(value)
    if not isinstance(value, Mapping | list | tuple):
        return value
    if depth == 0:
        return "…"
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return {str(key): cleared(each, str(key), depth - 1) for key, each in pairs}
    return [cleared(each, name, depth - 1) for each in cast("Sequence[object]", value)]
