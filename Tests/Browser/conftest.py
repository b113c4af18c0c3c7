"""Fixtures: browsers, a running demo, and pages that record every complaint of the browser.

A worker has one browser for each font family, and one demo at a time, for the tests of a module. All pages of a browser
are in one context and one renderer process, which takes less CPU time than a process for each page.

Environment: TRACER_SERVER is the program to start (default: .build/debug/tracer-server). TRACER_URL is the address of a
running program; the tests that stop and restart the program are then skipped. CHROMIUM is the browser (default:
/usr/bin/chromium).
"""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from fonts import font_configuration
from patience import PATIENCE_SECONDS
from stand_in import StandIn
from tracer_process import Tracer, TracerProcess

WIDE = {"width": 1440, "height": 900}
NARROW = {"width": 390, "height": 844}
LAUNCHER = Path(__file__).parent / "chromium-without-popups"
# If texts fit with this font, they fit with narrower fonts.
WIDEST_FONTS = "DejaVu Sans"
REPORT_VIOLATIONS = """
document.addEventListener('securitypolicyviolation', event =>
    console.error(`CSP: ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""

expect.set_options(timeout=PATIENCE_SECONDS * 1000)


@pytest.fixture(scope="session")
def browsers(tmp_path_factory):
    """The browsers by font family; each is started when it is first needed."""
    path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    running = {}
    with sync_playwright() as playwright:
        def with_fonts(family):
            if family not in running:
                configuration = font_configuration(family, tmp_path_factory.mktemp("fonts"))
                running[family] = playwright.chromium.launch(
                    executable_path=LAUNCHER, args=["--no-sandbox", "--process-per-site", "--in-process-gpu"],
                    timeout=PATIENCE_SECONDS * 1000,
                    env={**os.environ, "CHROMIUM": path, "FONTCONFIG_FILE": str(configuration)})
            return running[family]

        yield with_fonts
        for browser in running.values():
            browser.close()


@pytest.fixture
def fonts():
    """The font family of the test's browser; a test marked with `FONTS` runs with each family."""
    return WIDEST_FONTS


@pytest.fixture
def browser(browsers, fonts):
    return browsers(fonts)


@pytest.fixture
def context(browser):
    """The context of all pages of the browser."""
    if not browser.contexts:
        context = browser.new_context()
        context.set_default_timeout(PATIENCE_SECONDS * 1000)
        context.add_init_script(REPORT_VIOLATIONS)
    return browser.contexts[0]


@pytest.fixture(scope="module")
def tracer():
    """A demo for the module, or the one at TRACER_URL, which the tests do not stop."""
    if url := os.environ.get("TRACER_URL"):
        yield Tracer(url)
        return
    process = TracerProcess()
    yield Tracer(process.url)
    assert process.stop() == 0, "SIGTERM should end the demo with exit code 0"


@pytest.fixture
def start():
    """Starts demos that the test stops or restarts; running demos are stopped after the test."""
    if os.environ.get("TRACER_URL"):
        pytest.skip("needs a program of its own to stop, but TRACER_URL names one that runs already")
    running = []

    def run(port=0):
        running.append(TracerProcess(port))
        return running[-1]

    yield run
    for process in running:
        if process.is_running:
            process.stop()


class Complaints(list):
    """The errors and warnings of the browser on one page."""

    def watch(self, page):
        page.on("console", lambda message: message.type in ("error", "warning") and self.append(message.text))
        page.on("pageerror", lambda error: self.append(f"uncaught: {error}"))
        page.on("requestfailed", lambda request: self._failed(request))
        page.on("dialog", lambda dialog: (self.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    @property
    def grave(self):
        """All complaints except refused and failed requests, which some tests cause on purpose."""
        return [one for one in self if not one.startswith(("Failed to load resource", "GET ", "POST ", "DELETE "))]

    def _failed(self, request):
        # An aborted request is no failure: the page replaced it with another.
        if "ERR_ABORTED" not in (request.failure or ""):
            self.append(f"{request.method} {request.url}: {request.failure}")


@pytest.fixture
def open_page(context, tracer):
    """Opens the page: `open_page("#/types", viewport=NARROW, scheme="dark")`; `page.complaints` are the browser's."""
    pages = []
    context.clear_cookies()

    def open_at(address="", viewport=WIDE, scheme="light", url=None, before=None):
        if not context.pages:
            # The renderer process of all tests ends with its last page, so this page stays open.
            context.new_page().goto(f"{url or tracer.url}/healthz")
        page = context.new_page()
        pages.append(page)
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme)
        page.complaints = Complaints()
        page.complaints.watch(page)
        if before:
            before(page)
        page.goto(f"{url or tracer.url}/{address}")
        return page

    yield open_at
    complaints = [page.complaints.grave for page in pages]
    for page in pages:
        page.close()
    assert not any(complaints), complaints


# Each width, with one of the schemes. A scheme changes nothing but colours, which `test_assets.py` checks; the tests of
# colours look at both schemes.
WIDTHS = pytest.mark.parametrize(
    "form", [{"viewport": WIDE, "scheme": "light"}, {"viewport": NARROW, "scheme": "dark"}], ids=["wide", "narrow"])

FONTS = pytest.mark.parametrize("fonts", [WIDEST_FONTS, "Liberation Sans"], ids=["dejavu", "liberation"])


# The speed of the hasty crowd's clock.
HASTE = 5


@pytest.fixture(scope="session")
def hasty_crowd():
    """A stand-in with a tick every fifth of a second."""
    stand_in = StandIn(speed=HASTE)
    yield stand_in
    stand_in.stop()


@pytest.fixture(scope="session")
def crowd():
    """A stand-in with 10,000 types and a million instances."""
    stand_in = StandIn()
    yield stand_in
    stand_in.stop()
