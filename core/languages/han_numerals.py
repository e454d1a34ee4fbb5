"""Numbers as Chinese and Japanese write them out. Pure."""

HAN = "〇零一二两俩三四五六七八九"
_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "俩": 2,
}
_POWERS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "廿": 20}

NUMBER = rf"(?:\d{{1,9}}|[{HAN}十廿百千万]{{1,12}})"
"""A regular expression for what `chinese_number` reads."""

ABOUT = "一两|一二|两三|二三|三四|三五|四五|五六|六七|七八|八九|十几|十来"
"""A regular expression for what `about_number` reads."""

_TEENS = (11, 19)


def chinese_number(text: str) -> int:
    """一百零三, 二十, 廿三, 二〇二四 or 103. Raises ValueError for what is no number."""
    if text.isdecimal():
        return int(text)
    if len(text) > 1 and all(character in _DIGITS for character in text):
        return int("".join(str(_DIGITS[character]) for character in text))
    total, section, digit = 0, 0, None
    for character in text:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character == "万":
            total, section, digit = (total + section + (digit or 0)) * 10_000, 0, None
        elif character in _POWERS:
            power = _POWERS[character]
            section += power * (1 if digit is None or character == "廿" else digit)
            digit = None
        else:
            raise ValueError(f"no number: {text}")
    return total + section + (digit or 0)


def about_number(text: str) -> tuple[int, int]:
    """两三, 十几: the least and the most."""
    if text.startswith("十"):
        return _TEENS
    least, most = text
    return chinese_number(least), chinese_number(most)
