import type { Browser, Frame } from "playwright-core";

/**
 * Returns the payloads that run on a page that renders Markdown naively, in the same browser, with clicks on everything.
 * It shows that the detector works.
 */
export async function findEffective(browser: Browser, payloads: readonly string[]): Promise<ReadonlySet<number>> {
  const effective = new Set<number>();
  const context = await browser.newContext({ bypassCSP: true });
  try {
    const page = await context.newPage();
    page.on("dialog", (dialog) => void dialog.dismiss());
    const note = (frame: Frame): void => {
      for (let own: Frame | null = frame; own !== null; own = own.parentFrame()) {
        const [, index] = /^payload-(\d+)$/.exec(own.name()) ?? [];
        if (index !== undefined) effective.add(Number(index));
      }
    };
    await page.exposeBinding("fire", ({ frame }) => note(frame));
    await context.route(/evil\.example/, (route) => {
      note(route.request().frame());
      return route.abort();
    });
    await context.route("http://control.example/", (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
    );
    const all = payloads.map((payload, index) => ({ index, html: naiveHtml(payload) }));
    // On a busy machine some payloads need more time.
    for (const patience of [300, 1_000, 3_000]) {
      const left = all.filter(({ index }) => !effective.has(index));
      for (let first = 0; first < left.length; first += AT_ONCE) {
        await page.goto("http://control.example/");
        await page.evaluate(`(${SHOW_ALL})(${JSON.stringify(left.slice(first, first + AT_ONCE))})`);
        await page.waitForTimeout(patience);
      }
    }
  } finally {
    await context.close();
  }
  return effective;
}

const AT_ONCE = 50;

/** Renders links, images and code; everything else is inserted as raw HTML. */
function naiveHtml(markdown: string): string {
  const address = String.raw`\s*<?\s*((?:[^()<>\s]|\([^()]*\)|<[^<>]*>)*)>?[^)\n]*\)`;
  const targets = new Map(
    [...markdown.matchAll(/^\[(\w+)\]: <?([^\s>]+)/gm)].map(([, name = "", target = ""]) => [name, target]),
  );
  return markdown
    .replace(/```(.*)\n([\s\S]*?)\n```/g, '<pre><code class="$1">$2</code></pre>')
    .replace(new RegExp(String.raw`!\[(.*?)\]\(${address}`, "g"), '<img alt="$1" src="$2">')
    .replace(new RegExp(String.raw`\[([^\]]*)\]\(${address}`, "g"), '<a href="$2">$1</a>')
    .replace(/!\[(\w+)\]\[(\w+)\]/g, (_, text, name) => `<img alt="${text}" src="${targets.get(name.toLowerCase())}">`)
    .replace(/\[([^\]]+)\]\[(\w+)\]/g, (_, text, name) => `<a href="${targets.get(name.toLowerCase())}">${text}</a>`)
    .replace(/<((?:javascript|https):[^>]*)>/g, '<a href="$1">$1</a>');
}

/** Runs in the page: shows each payload in a frame, and hovers over, focuses and clicks every element. */
const SHOW_ALL = `async (documents) => {
  const frames = documents.map(({ html, index }) => {
    const frame = document.createElement("iframe");
    frame.name = "payload-" + index;
    frame.srcdoc = "<!doctype html><body>" + html;
    return frame;
  });
  document.body.append(...frames);
  await Promise.race([
    Promise.all(frames.map((frame) => new Promise((resolve) => frame.addEventListener("load", resolve)))),
    new Promise((resolve) => setTimeout(resolve, 3000)),
  ]);
  for (const frame of frames) {
    for (const element of frame.contentDocument?.querySelectorAll("body, body *") ?? []) {
      for (const type of ["mouseover", "pointerenter"]) element.dispatchEvent(new PointerEvent(type));
      element.focus?.();
      if (!element.isConnected) break;
      element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    }
  }
}`;
