"""Debian's Chromium for tests of pages, driven through playwright; where either is missing, those tests are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MARKS = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing (Debian: apt-get install chromium)"),
]
WIDTHS = {"wide": 1280, "narrow": 390}

CONTRASTS = """() => {
  // Every visible text with the colour under its middle; pictures are painted from first to last.
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = (rgb) => { const [r, g, b] = rgb.slice(0, 3).map(v => { v /= 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const over = (top, alpha, under) => top.slice(0, 3).map((v, i) => alpha * v + (1 - alpha) * under[i]);
  const paper = parse(getComputedStyle(document.body).backgroundColor);
  const found = [];
  for (const svg of document.querySelectorAll('svg')) {
    if (getComputedStyle(svg).display === 'none') continue;
    const shapes = [];
    for (const text of svg.querySelectorAll('path, text, rect, circle, polygon')) {
      const box = text.getBoundingClientRect();
      if (!box.width && !box.height) continue;
      if (text.tagName !== 'text') {
        const style = getComputedStyle(text);
        if (style.fill.startsWith('rgb') && text.getScreenCTM()) shapes.push([text, box, style]);
        continue;
      }
      const x = box.x + box.width / 2, y = box.y + box.height / 2;
      let ground = paper;
      for (const [shape, room, style] of shapes) {
        if (x < room.left || x > room.right || y < room.top || y > room.bottom) continue;
        if (shape.isPointInFill(new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse()))) {
          const fill = parse(style.fill);
          ground = over(fill, (fill[3] ?? 1) * Number(style.fillOpacity) * Number(style.opacity), ground);
        }
      }
      const ink = over(parse(getComputedStyle(text).fill), Number(getComputedStyle(text).opacity), ground);
      const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
      found.push([Math.round(100 * (a + 0.05) / (b + 0.05)) / 100, text.textContent]);
    }
  }
  return found.filter(([ratio]) => ratio < 4.5);
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium with an empty profile of its own."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed (pip install islandlab[dev])"
    )
    with sync_api.sync_playwright() as play:
        launched = play.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield launched
        launched.close()


def opened(browser: Any, page: Path, width: int, scheme: str = "light", **options: Any) -> tuple[Any, list[str]]:
    """The page in a window of that width, and a list that fills with whatever it complains of or asks for."""
    context = browser.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme, offline=True, **options
    )
    shown = context.new_page()
    noise: list[str] = []
    shown.on("console", lambda message: noise.append(message.text))
    shown.on("pageerror", lambda error: noise.append(str(error)))
    shown.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else noise.append(r.url))
    shown.on("dialog", lambda dialog: (noise.append("dialog"), dialog.dismiss()))
    shown.goto(page.as_uri())
    if options.get("java_script_enabled", True) and shown.locator("figure[data-chart]").count():
        shown.locator("html[data-ready]").wait_for(state="attached")
    return shown, noise


def violations(shown: Any) -> list[str]:
    """What axe-core (all its rules) finds wrong: rule, its first element, and why.

    Its contrast rule, which is slow, looks at two rows of each table (all look alike) and not into pictures, whose
    texts it cannot judge: CONTRASTS does.
    """
    axe = pytest.importorskip(
        "axe_playwright_python", reason="axe-playwright-python is not installed (pip install islandlab[dev])"
    )
    shown.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    result = shown.evaluate("""async () => {
        const all = {resultTypes: ['violations'], rules: {'color-contrast': {enabled: false}}};
        const found = await axe.run(document, all);
        const less = document.head.appendChild(document.createElement('style'));
        less.textContent = 'svg > *, tbody tr:nth-child(n + 3) { display: none !important; }';
        const pale = await axe.run(document, {resultTypes: ['violations'], runOnly: ['color-contrast']});
        less.remove();
        const passes = [...found.passes, ...pale.passes].map(rule => rule.id);
        return {passes, wrong: [...found.violations, ...pale.violations]};
    }""")
    assert len(result["passes"]) > 20  # it did run
    assert "color-contrast" in {*result["passes"], *(v["id"] for v in result["wrong"])}
    return [
        f"{v['id']}: {v['nodes'][0]['html'][:200]} {v['nodes'][0].get('failureSummary', '')}" for v in result["wrong"]
    ]
