"""Light stemming of English words. Pure."""


def stem(word: str) -> str:
    """Light English suffix stripping (plural, -ing, -ed, final e); other words pass unchanged.

    Harman's S-stemmer (1991) extended by two suffixes: conflates what chat needs and keeps
    names readable in traces.
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    # By the last letter first: most words end in none of these, and every text is stemmed.
    match word[-1]:
        case "s" if word.endswith("ies"):
            return word[:-3] + "y"
        case "s" if not word.endswith(("ss", "us", "is")):
            return _without_e(word[:-1])
        case "e" if word.endswith("ie"):
            return word[:-2] + "y"
        case "e":
            return word[:-1]
        case "g" if word.endswith("ing"):
            return _verb_root(word, word[:-3])
        case "d" if word.endswith("ed"):
            return _verb_root(word, word[:-2])
        case _:
            return word


def _verb_root(word: str, root: str) -> str:
    if len(root) < 3 or not set(root) & set("aeiouy"):
        return word
    doubled = root[-1] == root[-2] and root[-1] not in "aeilos"
    return root[:-1] if doubled else _without_e(root)


def _without_e(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("e") else word
