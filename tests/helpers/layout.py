"""Layout faults that a browser finds in a page: violations of axe, cut tables and axes, texts that lie over others."""

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
# Each text that is shown lies inside the window and over no other; nothing has to be scrolled sideways. The table view of
# deals, where cards lie over cards, is left out, and whatever is only there for screen readers.
FAULTS = """
() => {
  const faults = [], boxes = [], range = document.createRange();
  const unseen = [...document.querySelectorAll('main *')].filter(each => getComputedStyle(each).clipPath !== 'none');
  const shown = each => each.checkVisibility() && !each.closest('.view, script') && !unseen.some(one => one.contains(each));
  const short = text => text.trim().slice(0, 40);
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`${document.documentElement.scrollWidth} pixels wide`);
  for (const each of document.querySelectorAll('header, main, footer, main *')) {
    if (each instanceof SVGElement || getComputedStyle(each).overflowX === 'visible' || !shown(each)) continue;
    if (each.scrollWidth > each.clientWidth + 1) faults.push(`cut: ${each.className} ${short(each.textContent)}`);
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.trim() || node.parentElement.closest('nav, .skip') || !shown(node.parentElement)) continue;
    range.selectNodeContents(node);
    boxes.push(...[...range.getClientRects()].filter(box => box.width > 1).map(box => [box, node]));
  }
  boxes.sort(([one], [other]) => one.top - other.top);
  boxes.forEach(([box, node], at) => {
    const text = short(node.data);
    if (box.left < -1 || box.right > innerWidth + 1) faults.push(`outside: ${text}`);
    for (const [other, below] of boxes.slice(at + 1)) {
      if (other.top > box.bottom - 5) break;
      if (below === node) continue;
      const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      if (across > 2 && Math.min(box.bottom, other.bottom) - other.top > 5)
        faults.push(`over each other: ${text}, ${short(below.data)}`);
    }
  });
  return faults;
}
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
