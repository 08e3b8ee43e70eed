import type { Locator, Page } from "playwright-core";

/** Runs text as a function in the page, because these files are compiled without the types of browsers. */
export function onElement<T>(locator: Locator, body: string): Promise<T> {
  return locator.evaluate(new Function("element", body) as (element: unknown) => T);
}

/** Whether a person sees the whole element: inside the window, and neither covered nor clipped at any of five points. */
export function isSeen(locator: Locator): Promise<boolean> {
  return onElement(
    locator,
    `const { left, right, top, bottom } = element.getBoundingClientRect();
    if (right - left < 1 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return false;
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const points = [[x, y], [x, top + 3], [x, bottom - 3], [left + 3, y], [right - 3, y]];
    return points.every(([x, y]) => {
      const found = document.elementFromPoint(x, y);
      return found !== null && (element.contains(found) || found.contains(element));
    });`,
  );
}

/** The label, or else the text, of the element with the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const { activeElement: element, body } = document;
    if (element === null || element === body) return "nothing";
    return element.getAttribute("aria-label") ?? element.textContent.trim();
  })()`);
}

/** The distance from the top of the window in pixels. */
export function topOf(locator: Locator): Promise<number> {
  return onElement(locator, "return element.getBoundingClientRect().top");
}

export function scrollTop(locator: Locator): Promise<number> {
  return onElement(locator, "return element.scrollTop");
}

/**
 * Does what the browser's own search does, which headless browsers lack: finds the first text that is laid out, on the
 * screen or far from it, and scrolls there. Returns false if there is none.
 */
export function findInPage(page: Page, text: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      if (!node.data.includes(${JSON.stringify(text)}) || !node.parentElement.checkVisibility()) continue;
      node.parentElement.scrollIntoView({ block: "center" });
      return true;
    }
    return false;
  })()`);
}

/** Scrolls through a long list, whose items are drawn in full when they come near the visible part. */
export function drawAll(page: Page): Promise<void> {
  return page.evaluate(`(async () => {
    const scroller = document.querySelector("[data-scroller]");
    for (let place = 0; place < scroller.scrollHeight; place += 600) {
      scroller.scrollTop = place;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
  })()`);
}
