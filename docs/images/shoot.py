"""Take the README's picture from a finished report: the first screen of the page, as a PNG of few colours.

    make demo
    .venv/bin/python docs/images/shoot.py reports/novice-vs-legendary docs/images/novice-vs-legendary.png

Needs Debian's Chromium and playwright (`pip install islandlab[dev]`).
"""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright


def shoot(report: Path, picture: Path) -> None:
    """The page from its top to its list of sections, 1,120 pixels wide at one and a half times the resolution."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1120, "height": 800}, device_scale_factor=1.5)
        page.goto((report / "report.html").resolve().as_uri())
        end = page.locator("nav").bounding_box()
        assert end is not None
        shot = page.screenshot(clip={"x": 0, "y": 0, "width": 1120, "height": end["y"] - 4})
        browser.close()
    Image.open(io.BytesIO(shot)).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(picture, optimize=True)
    print(f"{picture}: {picture.stat().st_size:,} bytes")


if __name__ == "__main__":
    shoot(Path(sys.argv[1]), Path(sys.argv[2]))
