"""Light stemming of English words. Pure."""


def stem(word: str) -> str:
    """Light English suffix stripping (plural, -ing, -ed, final e); other words pass unchanged.

    Harman's S-stemmer (1991) extended by two suffixes: conflates what chat needs and keeps
    names readable in traces.
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    for suffix in ("ies", "ie"):
        if word.endswith(suffix):
            return word[: -len(suffix)] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return _without_e(word[:-1])
    for suffix in ("ing", "ed"):
        if word.endswith(suffix):
            return _verb_root(word, word[: -len(suffix)])
    return _without_e(word)


def _verb_root(word: str, root: str) -> str:
    if len(root) < 3 or not set(root) & set("aeiouy"):
        return word
    doubled = root[-1] == root[-2] and root[-1] not in "aeilos"
    return root[:-1] if doubled else _without_e(root)


def _without_e(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("e") else word
