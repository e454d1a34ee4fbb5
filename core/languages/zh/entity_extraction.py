"""Persons, places and organisations in Chinese texts, by jieba and the tags of its dictionary.

Only where somebody has loaded that dictionary, as the host does for its knowledge base. Loading
it takes 62 MB and holds up every thread for a third of a second at a time, which no name is worth.
Not by `jieba.posseg`: that keeps a tag for every word, 43 MB, and takes sixteen times as long to
tag what two rules tell as well for names.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.knowledge import Entity
from ...text.traditional import SIMPLIFIED
from ..entities import first_of
from .words import is_full_name

RARE = 20
"""Up to this frequency a word that the dictionary takes for a person is one: 胡萝卜 is not."""

_TYPES = {"nr": "person", "ns": "place", "nt": "organisation"}
_PLACE_ENDS = "州市县省国岛山湖江河港湾镇村桥路街区寺"
_PLACES = frozenset(
    """北京 上海 天津 重庆 成都 深圳 武汉 西安 南京 长沙 昆明 大连 青岛 厦门 珠海 威海 北海 三亚
    合肥 南昌 济南 沈阳 长春 大理 丽江 桂林 洛阳 开封 敦煌 拉萨 西藏 新疆 云南 四川 广东 广西
    浙江 江苏 福建 湖南 湖北 河南 河北 山东 山西 陕西 甘肃 青海 宁夏 海南 台湾 台北 香港 澳门
    辽宁 吉林 黑龙江 内蒙古 安徽 江西 日本 东京 大阪 京都 首尔 印度 越南 新加坡 马来西亚 曼谷
    巴黎 伦敦 纽约 柏林 罗马 莫斯科 悉尼 洛杉矶 旧金山 西雅图 加拿大 澳大利亚 新西兰 意大利
    西班牙 葡萄牙 希腊 埃及 土耳其 瑞士 瑞典 挪威 芬兰 丹麦 冰岛 荷兰 俄罗斯 乌克兰 巴西 阿根廷
    墨西哥 智利 秘鲁 古巴 夏威夷""".split()
)
"""Well-known places whose names do not end like one."""

_ORGANISATION_ENDS = tuple("大学 学院 公司 中学 小学 医院 银行 集团 研究所 出版社 博物馆".split())
_NOWHERE = frozenset(
    "城市 外国 爱国 祖国 全国 各国 本国 出国 高山 火山 大河 公路 大街 小区 社区 登山 爬山".split()
)


@dataclass(frozen=True, slots=True)
class _Dictionary:
    """jieba's segmenter and, for each kind of name, the sorted digests of its words."""

    segmenter: Any
    names: Mapping[str, NDArray[np.uint64]]

    def kind(self, word: str) -> str | None:
        """What sort of name the dictionary takes a word for."""
        digest = _digest(word)
        for kind, digests in self.names.items():
            at = int(np.searchsorted(digests, digest))
            if at < len(digests) and digests[at] == digest:
                return kind
        return None


def chinese_names(text: str) -> list[Entity]:
    """Names of two characters and more; none while nobody has loaded jieba's dictionary.

    The first call after that takes half a second: never on the event loop.
    """
    jieba = sys.modules.get("jieba")
    if jieba is None or not jieba.dt.initialized:
        return []
    return first_of(
        _names(text, _dictionary(Path(str(jieba.__file__)).parent / "dict.txt", jieba.dt))
    )


def _names(text: str, dictionary: _Dictionary) -> Iterator[Entity]:
    known, end = dictionary.segmenter.FREQ, 0
    # The dictionary is in simplified characters.
    for word in dictionary.segmenter.cut(text.translate(SIMPLIFIED)):
        start, end = end, end + len(word)
        if len(word) > 1 and "\u4e00" <= word[0] <= "\u9fff":
            frequency = known.get(word, 0)
            kind = dictionary.kind(word) if frequency else "person"
            if kind is not None and _is_name(word, kind, frequency):
                yield Entity(word, text[start:end], kind)


@cache
def _dictionary(words: Path, segmenter: Any) -> _Dictionary:
    return _Dictionary(segmenter, _read(words))


def _is_name(word: str, kind: str, frequency: int) -> bool:
    """Whether the dictionary may be believed; jieba makes up words of frequency 0 itself."""
    match kind:
        case "person":
            return frequency <= RARE and is_full_name(word)
        case "place":
            return word in _PLACES or (word[-1] in _PLACE_ENDS and word not in _NOWHERE)
        case _:
            return word.endswith(_ORGANISATION_ENDS)


def _read(dictionary: Path) -> dict[str, NDArray[np.uint64]]:
    """For each kind of name the sorted digests of its words: 95 000 of them in less than 1 MB."""
    found: dict[str, list[int]] = {kind: [] for kind in _TYPES.values()}
    with dictionary.open(encoding="utf-8") as lines:
        for line in lines:
            word, _, rest = line.partition(" ")
            kind = _TYPES.get(rest.rstrip().rpartition(" ")[2])
            if kind is not None and len(word) > 1:
                found[kind].append(_digest(word))
    return {kind: np.sort(np.array(digests, np.uint64)) for kind, digests in found.items()}


def _digest(word: str) -> int:
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest())
