"""The page of a run: everything on it is escaped, every link leads somewhere, and a browser shows it."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from langrecall.runs.page import render_page
from langrecall.runs.replay import forked

if TYPE_CHECKING:
    from playwright.async_api import Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE = 120_000
"""Milliseconds: a busy machine is slow to start a browser."""
PNG = b"\x89PNG\r\n\x1a\n"


class Outline(HTMLParser):
    """The tags, ids, links and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.handlers: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            elif name in ("href", "src") and value:
                self.links.append(value)
            elif name.startswith("on"):
                self.handlers.append(name)

    def handle_data(self, data: str) -> None:
        self.text += data


def squeezed(text: str) -> str:
    return " ".join(text.split())


async def test_holds_question_answer_steps_memory_and_raw_turns(take: Any) -> None:
    run = await take(max_steps=4)
    page = Outline(render_page(run))
    shown = squeezed(page.text)
    for text in [run.question, *(turn.text for turn in run.turns), *(line["text"] for line in run.output["memory"])]:
        assert squeezed(text) in shown
    assert shown.count("→ read_raw") == 1
    assert "by hand: k_first, max_steps, raw_floor_tokens" in shown
    assert "3 seen, 1 read raw, of 3" in shown


async def test_links_lead_to_places_of_the_page_alone(take: Any) -> None:
    page = Outline(render_page(await take()))
    assert len(page.ids) == len(set(page.ids))
    assert {link for link in page.links if link != "data:,"} <= {f"#{name}" for name in page.ids}


async def test_nothing_of_a_run_becomes_markup(take: Any) -> None:
    hostile = "</title></style><script>alert(1)</script>"
    run = await take()
    steps = [
        step.model_copy(update={"event": step.event | {"reasoning": hostile, "note": hostile}}) for step in run.steps
    ]
    page = Outline(
        render_page(run.model_copy(update={"question": hostile, "namespace": hostile, "steps": tuple(steps)}))
    )
    assert not page.tags & {"script", "img", "iframe", "object"}
    assert page.handlers == []
    assert page.text.count("<script>alert(1)</script>") >= 2 + 2 * len(run.steps)


async def test_markers_that_lead_nowhere_stay_text(take: Any) -> None:
    run = await take("extractive")
    page = Outline(
        render_page(run.model_copy(update={"output": run.output | {"answer": "Bolt [7].", "citations": []}}))
    )
    assert "Bolt [7]." in page.text


async def test_an_abstention_without_a_step_has_a_page(take: Any) -> None:
    run = await take("extractive", rollout=False)
    empty = {"answer": "Nothing.", "abstained": True, "citations": [], "memory": []}
    page = Outline(render_page(run.model_copy(update={"output": run.output | empty, "steps": ()})))
    assert "Nothing was kept." in page.text


async def test_a_fork_says_where_and_with_what(take: Any, follow: Any, history: Any) -> None:
    legs, stretches = forked(await take("extractive"), 1, {"preset": "t2mem"})
    recorder = await follow(stretches)
    shown = squeezed(Outline(render_page(recorder.saved(history, legs))).text)
    assert "forked at step 1: t2mem, extractive" in shown
    assert "Forked at step 1: t2mem, extractive" in shown


@asynccontextmanager
async def browsing() -> AsyncIterator["Page"]:
    """A page of a headless browser, as small as a phone's."""
    playwright = pytest.importorskip("playwright.async_api", reason="no playwright: it is in the dev extra")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")
    async with playwright.async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=found, args=FLAGS, timeout=PATIENCE)
        page = await browser.new_page(viewport={"width": 390, "height": 800}, reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        yield page
        await browser.close()


@pytest.mark.browser
async def test_a_browser_shows_it_and_a_citation_leads_to_its_turn(take: Any, tmp_path: Path) -> None:
    run = await take()
    place = tmp_path / "run.html"
    place.write_text(render_page(run), encoding="utf-8")
    async with browsing() as page:
        complaints: list[str] = []
        asked: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        await page.goto(place.as_uri())
        assert await page.title() == f"{run.question} · langrecall"
        assert await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "it scrolls sideways"
        assert asked == [place.as_uri()]

        citation = page.locator("#answer .cite").first
        turn = page.locator((await citation.get_attribute("href")) or "")
        seen = "element => { const box = element.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight }"
        assert not await turn.evaluate(seen)
        await citation.focus()
        await page.keyboard.press("Enter")
        assert await turn.evaluate(seen)
        assert "He is called Bolt." in await turn.inner_text()

        hostile = next(turn for turn in run.turns if "<script>" in turn.text)
        shown = page.locator(".turn .said", has_text="document.title")
        assert await shown.inner_text() == hostile.text
        assert await page.title() == f"{run.question} · langrecall"
        assert complaints == []

        picture = await page.screenshot()
        assert picture.startswith(PNG)
        assert len(picture) > 10_000
