"""Layout faults that a browser finds in a page: violations of axe, and cut tables and axes."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from helpers.browser import Window, lacking

AXE = "() => axe.run(document, {resultTypes: ['violations', 'incomplete']})"
# Where axe cannot tell what lies behind a text, on this page it is what its ancestors are painted with.
CONTRAST = """
targets => {
  const parsed = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const over = ([r, g, b, a = 1], under) => [r, g, b].map((each, at) => a * each + (1 - a) * under[at]);
  const light = rgb => {
    const [r, g, b] = rgb.map(each => each / 255).map(each => each <= .04045 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const painted = ({backgroundColor, backgroundImage}) =>
    /gradient/.test(backgroundImage) ? parsed(backgroundImage.match(/rgba?\\([^)]*\\)/)[0]) : parsed(backgroundColor);
  const behind = element => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) layers.push(painted(getComputedStyle(each)));
    return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const opaque = element => element ? +getComputedStyle(element).opacity * opaque(element.parentElement) : 1;
  return targets.map(target => {
    const element = document.querySelector(target), style = getComputedStyle(element), back = behind(element);
    const ink = parsed(element instanceof SVGElement ? style.fill : style.color), solid = opaque(element);
    const [one, other] = [light(over([...ink.slice(0, 3), (ink[3] ?? 1) * solid], back)), light(back)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && +style.fontWeight >= 700;
    return [target, element.textContent.trim().slice(0, 40), (one + .05) / (other + .05), large ? 3 : 4.5];
  });
}
"""
TABLES = """
() => [...document.querySelectorAll('main table')].filter(table => {
  const there = table.getBoundingClientRect(), room = table.parentElement.getBoundingClientRect();
  return there.width && (there.right > room.right + 1 || there.right > innerWidth + 1);
}).map(table => `${table.className}: ${table.textContent.slice(0, 60)}`)
"""
ENDS = """
() => [...document.querySelectorAll('svg text')].filter(text => {
  const there = text.getBoundingClientRect(), room = text.closest('.scroll')?.getBoundingClientRect();
  return there.width && (there.left < (room?.left ?? 0) || there.right > (room?.right ?? innerWidth));
}).map(text => text.textContent)
"""


def axe_in(window: Window) -> None:
    if not find_spec("axe_playwright_python"):
        lacking("axe-playwright-python")
    from axe_playwright_python import base

    window.page.evaluate(Path(base.AXE_FILE_PATH).read_text("utf-8"))


def check(window: Window) -> None:
    """No violation; and what axe cannot judge has contrast enough."""
    found = window.page.evaluate(AXE)
    wrong = [(each["id"], each["nodes"][0]["html"], each["nodes"][0]["failureSummary"]) for each in found["violations"]]
    assert not wrong, wrong
    unsure = [
        node["target"][0] for each in found["incomplete"] if each["id"] == "color-contrast" for node in each["nodes"]
    ]
    faint = [each for each in window.page.evaluate(CONTRAST, unsure) if each[2] < each[3]]
    assert not faint, faint
