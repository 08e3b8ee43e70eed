import { type ScriptStep, startScriptedModel } from "@skillset/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { report } from "../security/report.ts";
import { skillMd } from "../temporary-folder.ts";
import { composer, options, say, signIn } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { drawAll } from "./seen.ts";
import { type StartedChat, startChat } from "./start-chat.ts";
import { findEffective } from "./xss-control.ts";
import { XSS_PAYLOADS } from "./xss-payloads.ts";

/** `npm run figures` tries all, the other runs each fourth. */
const STEP = Number(process.env.CASES ?? 0) >= 1_000 ? 1 : 4;
const PAYLOADS = XSS_PAYLOADS.filter((_, index) => index % STEP === 0);
/** Files and databases cannot contain NUL. */
const TEXTS = PAYLOADS.map((payload) => payload.replaceAll("\0", ""));
const ALL = TEXTS.join("\n\n");
/** The chat accepts 32 calls at once: three for each of up to eight skills. */
const GROUPS = Math.ceil(TEXTS.length / 8);
/** The number of payloads that ran. */
let through = 0;
let browser: Browser;
let chat: StartedChat;
let model: Awaited<ReturnType<typeof startScriptedModel>>;

beforeAll(async () => {
  const steps = Array<ScriptStep>(2 * TEXTS.length).fill(echo);
  model = await startScriptedModel(steps, { pace: "global", isSide: () => false });
  const skills: Record<string, string> = {};
  for (const [index, payload] of TEXTS.entries()) {
    const body = `${payload}\n\n# ${payload}\n\n- ${payload}\n\n~~~${payload}\n${payload}\n~~~\n\nThe end of ${index}.\n`;
    skills[`skill-${index}/SKILL.md`] = skillMd(`skill-${index}`, `${payload} Use when asked.`, body);
    skills[`skill-${index}/payload.md`] = payload;
    // As a name, the payload makes the skill invalid, but it is still shown.
    skills[`${payload.replaceAll("/", "").slice(0, 60)} ${index}/SKILL.md`] = skillMd(payload, payload, payload);
  }
  skills[`skill-0/${TEXTS.find((payload) => !payload.includes("/"))}`] = ALL;
  [browser, chat] = await Promise.all([openBrowser(), startChat({ skills, modelUrl: model.url })]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

/** The model echoes the message, and uses skills first if the message asks for it. */
const echo: ScriptStep = ({ messages, body }) => {
  const text = messages.at(-1)?.text ?? "";
  const isAnswered = (body.messages as { role: string }[]).at(-1)?.role === "tool";
  const [, list = ""] = /^Use ([\d,]+)$/.exec(text) ?? [];
  if (list === "" || isAnswered) return { say: text };
  const calls = list.split(",").flatMap((index) => {
    const name = `skill-${index}`;
    return [
      { call: "skills_activate", input: { name } },
      { call: "skills_read_resource", input: { name, path: "payload.md" } },
      { call: "skills_read_resource", input: { name, path: TEXTS[Number(index)] } },
    ];
  });
  return { calls };
};

/** A page without the content security policy, so that only its own code protects it. Detects scripts and requests. */
async function openTrapped(): Promise<Page & { expectNothing(): Promise<void> }> {
  const page = await openPage(browser, chat.url, { bypassCSP: true });
  const outside: string[] = [];
  await page.context().route(
    (url) => url.origin !== chat.url,
    (route) => {
      outside.push(route.request().url());
      return route.abort();
    },
  );
  let fired = 0;
  page.on("dialog", (dialog) => void dialog.dismiss());
  await page.exposeBinding("fire", () => {
    fired++;
    through++;
  });
  const expectNothing = async (): Promise<void> => {
    expect({ fired, outside, ...((await page.evaluate(`(${INSPECT})()`)) as object) }).toEqual(NOTHING);
  };
  return Object.assign(page, { expectNothing });
}

const INSPECT = `() => ({
  elements: [...document.querySelectorAll("#root :is(script, iframe, object, embed, style, link, base, meta, video, audio, math, body, form:not([class]), template, marquee)")].map((e) => e.outerHTML),
  images: [...document.querySelectorAll("#root img")].map((e) => e.src),
  handlers: [...document.querySelectorAll("#root *")].flatMap((e) => e.getAttributeNames()).filter((name) => name.startsWith("on") || name === "srcdoc" || name === "formaction"),
  links: [...document.querySelectorAll("#root a")].map((e) => e.protocol).filter((p) => !["http:", "https:", "mailto:"].includes(p)),
})`;

const NOTHING = { fired: 0, outside: [], elements: [], images: [], handlers: [], links: [] };

/** Runs in the page: polls until a value is found. */
const UNTIL = `async (find) => {
  for (const end = Date.now() + 15000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 4))) {
    const found = await find();
    if (found) return found;
  }
  throw new Error("Not found: " + find);
}`;

describe(`S16: none of ${TEXTS.length} payloads run`, { timeout: 180_000 }, () => {
  test("on the skills page, as names and descriptions", async () => {
    const page = await openTrapped();
    await page.goto("/skills");
    await page
      .locator(".skill-table tbody tr")
      .nth(2 * TEXTS.length - 1)
      .waitFor();
    await signIn(page);
    await page.getByRole("link", { name: "skill-0", exact: true }).waitFor();
    await drawAll(page);
    await expect.poll(() => page.locator(".skill-table tbody tr:not(:has(.badge))").count()).toBe(0);
    expect(await page.getByRole("switch").count()).toBeGreaterThan(0);
    await page.expectNothing();
  });

  test("on the page of a skill, as instructions and in an open file", async () => {
    const page = await openTrapped();
    await page.goto("/skills");
    const faults = await page.evaluate(`(async () => {
      const until = ${UNTIL}, inspect = ${INSPECT}, faults = [];
      for (let index = 0; index < ${TEXTS.length}; index++) {
        history.pushState(null, "", "/skills/skill-" + index);
        dispatchEvent(new PopStateEvent("popstate"));
        await until(() => document.querySelector(".instructions .markdown")?.textContent.includes("The end of " + index + "."));
        const files = [...document.querySelectorAll(".files button")];
        files.find((button) => button.textContent.includes("payload.md")).click();
        await until(() => document.querySelector(".file-view[aria-label$='payload.md'] .markdown"));
        const found = Object.values(inspect()).flat();
        if (found.length > 0) faults.push({ index, found });
      }
      return faults;
    })()`);
    expect(faults).toEqual([]);
    await page.expectNothing();
  });

  test("in the autocomplete and in suggestions", async () => {
    const page = await openTrapped();
    await page.goto("/");
    await page.locator(".suggestions button").first().waitFor();
    const seen = new Set<string>();
    // The list is limited, and changes as the user types.
    for (let start = 0; start < 30; start++) {
      await composer(page).fill(`/skill-${start}`);
      await page.locator(`[role=option]:first-child:has-text("/skill-${start}")`).waitFor();
      for (const text of await options(page).allTextContents()) seen.add(text);
      await page.expectNothing();
    }
    expect(seen.size).toBe(TEXTS.length);
  });

  test("in messages, answers and cards, each by itself", async () => {
    const groups = Array.from({ length: GROUPS }, (_, group) =>
      [...TEXTS.keys()].filter((index) => index % GROUPS === group),
    );
    const ids = await Promise.all(
      groups.map((group) => talk([...group.map((index) => TEXTS[index] ?? ""), `Use ${group}`])),
    );
    const page = await openTrapped();
    for (const [group, id] of ids.entries()) {
      await page.goto(`/chat/${id}`);
      const cards = page.locator(".tool-card");
      await cards.nth(3 * (groups[group]?.length ?? 0) - 1).waitFor();
      await drawAll(page);
      expect(await page.locator(".message > .plain-text").count()).toBe(0);
      await page.evaluate(`for (const head of document.querySelectorAll(".tool-head[aria-expanded=false]")) head.click();
        for (const element of document.querySelectorAll(".message *"))
          for (const type of ["mouseover", "pointerenter", "focusin"]) element.dispatchEvent(new Event(type, { bubbles: true }));`);
      await page.expectNothing();
    }
  });

  test("in titles, and all in one message that a person sends", async () => {
    const page = await openTrapped();
    await page.goto("/");
    await say(page, ALL);
    await page.expectNothing();
    await page.goto(`/chat/${await talk([])}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.evaluate(`(async () => {
      const until = ${UNTIL};
      const rename = async (title) => {
        const response = await fetch("/api/chats/" + location.pathname.split("/").at(-1), {
          method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify({ title }),
        });
        return (await response.json()).title;
      };
      // A page starts listening for events shortly after it appears, so it may miss earlier ones.
      await until(async () => {
        const stored = await rename("Heard at " + Date.now());
        await new Promise((resolve) => setTimeout(resolve, 200));
        return document.querySelector("h1").title === stored;
      });
      for (const title of ${JSON.stringify(TEXTS)}) {
        const stored = await rename(title);
        await until(() => document.querySelector("h1").title === stored);
      }
    })()`);
    await page.expectNothing();
  });

  test("while a naive page runs them, and the detector notices", async () => {
    const effective = await findEffective(browser, PAYLOADS);
    const idle = PAYLOADS.filter((_, index) => !effective.has(index));
    report("S16", {
      tried: "texts that run code or send a request",
      cases: PAYLOADS.length,
      through,
      control: `a naive page runs ${effective.size} in the same browser`,
      note: "each as a name, a description, instructions, a file, a title, a message and an answer, without the server's policy",
    });
    expect(idle).toEqual([]);
  });
});

/** Creates a conversation with one message per text over the API. */
async function talk(texts: readonly string[]): Promise<string> {
  const post = (path: string, body: unknown = {}) =>
    fetch(`${chat.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const { id } = (await (await post("/api/chats")).json()) as { id: string };
  for (const [index, text] of texts.entries()) {
    const message = { id: `m${index}`, role: "user", parts: [{ type: "text", text }] };
    const response = await post(`/api/chats/${id}/turn`, { message, modelId: "scripted/with-tools" });
    expect(await response.text()).toContain('"type":"finish"');
  }
  return id;
}

test("the content security policy allows only the server's own scripts and styles, and the page works with it", async () => {
  const page = await openPage(browser, chat.url);
  const response = await page.goto("/");
  const policy = response?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("style-src 'self'");
  expect(policy).not.toContain("unsafe");
  await page.locator(".suggestions button").first().waitFor();
});
