"""A headless Chromium at the page of a real AstrBot."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from astrbot_plugin_tidemark.scripts.hostkit.root import PLUGIN
from playwright.async_api import Browser, Error, Frame, Page, async_playwright

REQUIRED = "TIDEMARK_BROWSER"
ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
DESK, PHONE = (1280, 860), (390, 844)
VIEW = "plugin-page" if version("astrbot").startswith("4.26.") else "plugin-view"
"""Where the dashboard shows the pages of plugins."""

AXE = Path(__file__).parent / "vendor" / "axe.min.js"


def executable() -> str:
    """Of the installed Chromium. Skips the test without one, unless it must not be skipped."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None and os.environ.get(REQUIRED) == "required":
        pytest.fail("no chromium: apt-get install -y chromium")
    if found is None:
        pytest.skip("the page's tests need Chromium: apt-get install -y chromium")
    return found


@asynccontextmanager
async def launched() -> AsyncIterator[Browser]:
    """A browser with nothing in it."""
    path = executable()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield browser
        finally:
            await browser.close()


class Visit:
    """One person at the page. `problems` are what the browser complained of in our own frame."""

    def __init__(self, page: Page, frame: Frame, problems: list[str]) -> None:
        self.page = page
        self.frame = frame
        self.problems = problems

    async def open(self, view: str) -> None:
        tab = self.frame.locator(f".tab[data-view={view}]:visible").first
        if not await tab.count():
            await self.frame.locator(".tab[data-view=more]").click()
        await tab.click()
        await self.settled()

    async def settled(self) -> None:
        await self.frame.wait_for_selector(".main[aria-busy=false] > *")
        await self.frame.wait_for_function(
            "!document.querySelector('.loading') && document.getAnimations().every("
            "a => a.effect.getTiming().iterations === Infinity)"
        )

    async def findings(self) -> list[str]:
        """What axe finds serious or critical, with where it is."""
        if not await self.frame.evaluate("'axe' in window"):
            await self.frame.add_script_tag(content=AXE.read_text("utf-8"))
        found: list[dict[str, Any]] = await self.frame.evaluate(
            "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)"
        )
        return [
            f"{each['id']}: {each['nodes'][0]['target']}"
            for each in found
            if each["impact"] in ("serious", "critical")
        ]


@asynccontextmanager
async def dashboard(
    browser: Browser,
    port: int,
    token: str,
    *,
    size: tuple[int, int] = DESK,
    dark: bool = False,
    locale: str = "zh-CN",
) -> AsyncIterator[Page]:
    """The dashboard, logged in, which takes seconds to load."""
    stored = {
        "token": token,
        "user": "astrbot",
        "astrbot-locale": locale,
        "uiTheme": "PurpleThemeDark" if dark else "PurpleTheme",
    }
    width, height = size
    context = await browser.new_context(viewport={"width": width, "height": height}, locale=locale)
    try:
        page = await context.new_page()
        script = "".join(f"localStorage.setItem({k!r}, {v!r});" for k, v in stored.items())
        await page.add_init_script(f"try {{ {script} }} catch (e) {{}}")
        await page.goto(f"http://127.0.0.1:{port}/#/about")
        # Its router hears of no other address before it has shown the first.
        await page.wait_for_selector(".v-main", timeout=60_000)
        yield page
    finally:
        await context.close()


@asynccontextmanager
async def visit(page: Page) -> AsyncIterator[Visit]:
    """The plugin's page, opened anew and left again."""
    problems = list[str]()

    def noticed(error: Error) -> None:
        problems.append(str(error))

    page.on("pageerror", noticed)
    await page.evaluate(f"location.hash = '#/{VIEW}/{PLUGIN}/tidemark'")
    element = await page.wait_for_selector("iframe", state="attached", timeout=60_000)
    frame = await element.content_frame()
    await frame.wait_for_selector(".head", timeout=60_000)
    opened = Visit(page, frame, problems)
    await opened.settled()
    yield opened
    page.remove_listener("pageerror", noticed)
    await page.evaluate("location.hash = '#/about'")
    await page.wait_for_selector("iframe", state="detached")
