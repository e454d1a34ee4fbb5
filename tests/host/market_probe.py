"""Loads the plugin as the market's validator does, in an empty root; prints what it saw as JSON.

Run as `python market_probe.py <repository or zip>` in the root, a folder that holds nothing.
"""

import asyncio
import json
import os
import shutil
import sys
import threading
from pathlib import Path
from typing import Any

PLUGIN = "astrbot_plugin_tidemark"


class NullStub:
    """Answers every attribute, call and await with itself; falsy, iterable, without a length."""

    def __getattr__(self, name: str) -> "NullStub":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **options: Any) -> "NullStub":
        return self

    def __await__(self) -> Any:
        yield from ()
        return self

    def __iter__(self) -> Any:
        return iter(())

    def __bool__(self) -> bool:
        return False


class Providerless(NullStub):
    """Answers what it is asked of providers as a host does that has none."""

    def get_all_providers(self) -> list[Any]:
        return []

    def get_all_embedding_providers(self) -> list[Any]:
        return []

    def get_provider_by_id(self, id: str) -> None:
        return None


class DummyContext(NullStub):
    """A context that knows its own stars and nothing else."""

    def __init__(self) -> None:
        self.stars: list[Any] = []

    def get_all_stars(self) -> list[Any]:
        return self.stars


def prepare(repository: Path, root: Path) -> None:
    """The tracked tree, or a zip of it, as an installed plugin of an empty host."""
    target = root / "data" / "plugins" / PLUGIN
    (root / "data" / "config").mkdir(parents=True)
    if repository.is_file():
        target.parent.mkdir(parents=True)
        unpack(repository, target)
        return
    wanted = ("main.py", "metadata.yaml", "_conf_schema.json", "requirements.txt", "logo.png")
    wanted += ("core", "storage", "commands", "pages", ".astrbot-plugin")
    target.mkdir(parents=True)
    for name in wanted:
        source = repository / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.is_file():
            shutil.copy(source, target / name)


def unpack(packed: Path, target: Path) -> None:
    """A zip, checked and unpacked as the host does it with one that is uploaded."""
    from astrbot.core.star import star_manager as host

    copy = shutil.copy(packed, Path.cwd() / packed.name)
    if updater := getattr(host, "_PluginUpdater", None):
        updater()._extract_plugin_archive(str(copy), str(target))
    else:
        host.PluginUpdator().unzip_file(str(copy), str(target))


def card(star: Any) -> dict[str, Any]:
    """What the host shows of the plugin; `unknown` platforms are none of the host's."""
    from astrbot.core.star.filter.platform_adapter_type import ADAPTER_NAME_2_TYPE

    return {
        "short": star.short_desc,
        "platforms": len(star.support_platforms),
        "unknown": sorted(set(star.support_platforms) - ADAPTER_NAME_2_TYPE.keys()),
        "logo": star.logo_path is not None,
    }


def open_files(root: Path) -> list[str]:
    """Files of the plugin's own data that this process holds open."""
    data = root / "data" / "plugin_data"
    links = []
    for handle in Path("/proc/self/fd").iterdir():
        try:
            links.append(os.readlink(handle))
        except OSError:
            continue
    return sorted(link for link in links if link.startswith(str(data)))


def own_tasks() -> list[str]:
    """Unfinished tasks that run code of the plugin or are named by it."""
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    return sorted(task.get_name() for task in others if "tidemark" in repr(task))


def own_threads(before: set[threading.Thread]) -> list[str]:
    """Threads started since, but for those of the event loop's pool."""
    names = [thread.name for thread in set(threading.enumerate()) - before]
    return sorted(name for name in names if not name.startswith("asyncio_"))


async def probe(root: Path) -> dict[str, Any]:
    from astrbot.core import astrbot_config, db_helper
    from astrbot.core.star.star import star_map
    from astrbot.core.star.star_manager import PluginManager

    await db_helper.initialize()
    before = set(threading.enumerate())
    manager = PluginManager(DummyContext(), astrbot_config)
    loaded, problem = await manager.load(specified_dir_name=PLUGIN)
    if not loaded:
        return {"loaded": False, "problem": problem}
    star = next(star for star in star_map.values() if star.root_dir_name == PLUGIN)
    engine = await star.star_cls._lifetime.engine()
    during = {"tasks": own_tasks(), "files": open_files(root)}
    await PluginManager._terminate_plugin(star)
    return {
        "loaded": True,
        "problem": problem,
        "name": star.name,
        "card": card(star),
        "open": engine is not None,
        "during": during,
        "after": {"tasks": own_tasks(), "files": open_files(root)},
        "threads": own_threads(before),
    }


def main() -> None:
    root = Path.cwd()
    sys.path.insert(0, str(root))
    prepare(Path(sys.argv[1]), root)
    sys.stdout.write("\n" + json.dumps(asyncio.run(probe(root))) + "\n")
    sys.stdout.flush()
    # The host's own threads would keep the process waiting.
    os._exit(0)


if __name__ == "__main__":
    main()
