import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedModel, ScriptStep } from "@skillset/testing";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillMd } from "../temporary-folder.ts";
import { axeViolations } from "./axe-violations.ts";
import { answered, card, chooseModel, expectText, runOnce, send } from "./on-page.ts";
import { openBrowser, openPage } from "./open-browser.ts";
import { startQueuedModel } from "./queued-model.ts";
import { ADMIN_TOKEN, PROJECT, type StartedChat, startChat } from "./start-chat.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mOQSgvBihiGlgQAp3Q1AYFye1kAAAAASUVORK5CYII=";
const FILES = `echo '${PIXEL}' | base64 -d > "$OUTPUT_DIR/dot.png"
printf '<script>alert(1)</script>' > "$OUTPUT_DIR/page.html"
echo "wrote for $1"
`;
/** The embedded shell sends output after each statement, so the loop itself prints nothing. */
const LOOP = `${"echo tick-of-the-loop\nsleep 0.1\n".repeat(3)}while true; do sleep 0.1; done\n`;

/** The name is unique, because the test looks for it in the list of all processes. */
const LOOP_FILE = `loop-of-${process.pid}.sh`;

let browser: Browser;
let model: ScriptedModel;
let chat: StartedChat;
const script: ScriptStep[] = [];

beforeAll(async () => {
  model = await startQueuedModel(script);
  [browser, chat] = await Promise.all([
    openBrowser(),
    startChat({
      modelUrl: model.url,
      scripts: "auto",
      scriptEnv: { LEAF_TOKEN: "a-value-that-no-page-shows" },
      directories: [join(PROJECT, ".skills")],
      skills: {
        "tea/SKILL.md": skillMd("tea", "Makes tea.", "Warm the pot.", "metadata:\n  env: LEAF_TOKEN\n"),
        "tea/scripts/files.sh": FILES,
        [`tea/scripts/${LOOP_FILE}`]: LOOP,
        "tea/scripts/fail.sh": "echo no water >&2\nexit 3\n",
        "coffee/SKILL.md": skillMd("coffee", "Makes coffee."),
        "coffee/scripts/brew.sh": "echo brewed\n",
      },
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await chat?.[Symbol.asyncDispose]();
  await model?.close();
});

const run = (path: string, input: object = {}, name = "tea"): ScriptStep => ({
  call: "skills_run_script",
  input: { name, script: `scripts/${path}`, ...input },
});
const scriptCard = (page: Page, path: string, skill = "tea") =>
  card(page, "skills.runScript", `${skill} / scripts/${path}`);
const expandCard = (shown: Locator) => shown.getByRole("button", { expanded: false }).click();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Sends a message that the model answers with these steps, and waits for the question. */
async function ask(steps: readonly ScriptStep[], given?: Page): Promise<Page> {
  script.splice(0, script.length, ...steps, { say: "That is all." });
  const page = given ?? (await openPage(browser, chat.url));
  await page.goto("/");
  await send(page, "Make some.");
  return page;
}

describe("the conformance skill", () => {
  test("runs its script in a sandbox after its bare name and Run once, and the marker and the sandbox stay after a reload", async () => {
    const page = await openPage(browser, chat.url);
    await page.goto("/");
    await chooseModel(page, "Offline demo");
    await send(page, "/skills-system-validation");
    const shown = scriptCard(page, "echo.sh", "skills-system-validation");
    await expectText(shown, /May the skill skills-system-validation run this script\?/);
    await expectText(shown, "scripts/echo.sh one 'two words'");
    await expectText(shown, /Sandbox\s+(?:bubblewrap|embedded): .+ access to/);
    await expectText(shown, /Version\s+[0-9a-f]{12}/);
    await expectText(page.getByRole("heading", { level: 1 }), "Skills system validation");
    await runOnce(page).click();
    await answered(page);
    const check = async () => {
      await expectText(shown.locator(".tool-head"), /Ran scripts\/\S+ · \S+ · exit 0/);
      await expandCard(shown);
      await expectText(shown, /SSV-MARKER-SCRIPT-19da74\n1: one\n2: two words/);
      await expectText(shown, /Sandbox: (?:bubblewrap|embedded) · [\d.]+ m?s/);
    };
    await check();
    await expectText(
      page.locator(".message.assistant > .markdown"),
      /The script scripts\/echo\.sh succeeded after \d+ ms[\s\S]+It printed:/,
    );
    await page.reload();
    await check();
  });
});

describe("a question", () => {
  test("that is denied shows why the script did not run, also after a reload", async () => {
    const page = await ask([run("files.sh")]);
    await button(page, "Deny").click();
    await answered(page);
    await expectText(
      scriptCard(page, "files.sh"),
      /^Did not run scripts\/files\.sh[\s\S]+refused[\s\S]+consent was denied/,
    );
    await page.reload();
    await expectText(
      scriptCard(page, "files.sh"),
      /^Did not run scripts\/files\.sh[\s\S]+refused[\s\S]+consent was denied/,
    );
  });

  test("names the files and the variables that the script gets, and no value", async () => {
    const page = await ask([run("files.sh", { files: { "leaves.txt": "green" } })]);
    const shown = scriptCard(page, "files.sh");
    await expectText(shown.locator("dl"), /Files\s+leaves\.txt\s+Variables\s+LEAF_TOKEN\s+Sandbox/);
    expect(await page.getByText("a-value-that-no-page-shows").count()).toBe(0);
    await button(page, "Deny").click();
    await answered(page);
  });

  test("is not asked again for a version that the admin always allows", async () => {
    const page = await ask([run("brew.sh", {}, "coffee")]);
    await button(page, "Always for this version").click();
    await page.getByLabel("Admin token").fill("wrong");
    await button(page, "Sign in").click();
    await page.getByText("Wrong admin token.").waitFor();
    await page.getByLabel("Admin token").fill(ADMIN_TOKEN);
    await button(page, "Sign in").click();
    await answered(page);
    await expandCard(scriptCard(page, "brew.sh", "coffee"));
    await expectText(scriptCard(page, "brew.sh", "coffee"), "brewed");
    const other = await ask([run("brew.sh", {}, "coffee")]);
    await answered(other);
    await expandCard(scriptCard(other, "brew.sh", "coffee"));
    await expectText(scriptCard(other, "brew.sh", "coffee"), "brewed");
    await page.goto("/skills/coffee");
    await button(page, "Ask again").click();
    await page.getByText("The scripts of this version run without asking.").waitFor({ state: "detached" });
  });

  test("is shown after a reload and in other tabs, and one answer counts for all", async () => {
    const page = await ask([run("fail.sh", { args: ["x"], input: { cups: 2 } })]);
    await runOnce(page).waitFor();
    const other = await openPage(browser, chat.url);
    await other.goto(page.url());
    await expectText(scriptCard(other, "fail.sh"), /"cups": 2/);
    await other.reload();
    await runOnce(other).click();
    await answered(page);
    for (const one of [page, other]) {
      await expectText(scriptCard(one, "fail.sh").locator(".badge"), "exit 3");
      await expectText(scriptCard(one, "fail.sh"), "no water");
      expect(await runOnce(one).count()).toBe(0);
    }
  });

  test("ends when the answer is stopped", async () => {
    const page = await ask([run("files.sh")]);
    await runOnce(page).waitFor();
    await button(page, "Stop").click();
    await answered(page);
    await expectText(
      scriptCard(page, "files.sh"),
      /^Stopped scripts\/files\.sh[\s\S]+The answer ended before this script/,
    );
    expect(await runOnce(page).count()).toBe(0);
  });
});

describe("a script", () => {
  test("is open while it asks and runs, and collapsed when it succeeded, with its files still there", async () => {
    const page = await ask([run("files.sh", { args: ["me"] })]);
    const shown = scriptCard(page, "files.sh");
    await runOnce(page).waitFor();
    expect(await shown.getByRole("button", { expanded: true }).count()).toBe(1);
    await runOnce(page).click();
    await answered(page);
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload();
      await shown.getByRole("button", { expanded: false }).waitFor();
      expect(await shown.getByText("wrote for me").count()).toBe(0);
      await shown.getByRole("link", { name: "dot.png" }).waitFor();
    }
    await expandCard(shown);
    await expectText(shown, "wrote for me");
    expect(await axeViolations(page)).toEqual([]);
  });

  test("that the user opened stays open when it succeeds", async () => {
    const page = await ask([run("files.sh", { args: ["me"] })]);
    const shown = scriptCard(page, "files.sh");
    await shown.getByRole("button", { expanded: true }).click();
    await expandCard(shown);
    await runOnce(page).click();
    await answered(page);
    await expectText(shown, /^Ran scripts\/files\.sh[\s\S]+wrote for me/);
  });

  test("that failed stays open", async () => {
    const page = await ask([run("fail.sh")]);
    await runOnce(page).click();
    await answered(page);
    await expectText(scriptCard(page, "fail.sh"), /^Ran scripts\/fail\.sh[\s\S]+exit 3[\s\S]+no water/);
  });

  test("shows its output while it runs, and a stop of the answer kills it", async () => {
    const page = await ask([run(LOOP_FILE)]);
    await runOnce(page).click();
    const shown = scriptCard(page, LOOP_FILE);
    await expectText(shown, /Running[\s\S]+(?:tick-of-the-loop\s+){3}/);
    await button(page, "Stop").click();
    await answered(page);
    await expectText(shown, /^Stopped scripts/);
    const isRunning = () => execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).includes(LOOP_FILE);
    await expect.poll(isRunning, { timeout: 3_000 }).toBe(false);
  });

  test("has its files with sizes, downloads and a preview of images", async () => {
    const page = await ask([run("files.sh", { args: ["me"] })]);
    await runOnce(page).click();
    await answered(page);
    await page.reload();
    const shown = scriptCard(page, "files.sh");
    await expectText(shown.getByRole("list", { name: "Files" }), /dot\.png\s+\d+ B[\s\S]+page\.html\s+25 B/);
    await shown.getByRole("img", { name: "Preview of dot.png" }).scrollIntoViewIfNeeded();
    const widths = () =>
      page.evaluate("Array.from(document.querySelectorAll('.script-files img'), (one) => one.naturalWidth)");
    await expect.poll(widths).toEqual([8]);
    const downloading = page.waitForEvent("download");
    await shown.getByRole("link", { name: "page.html" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("page.html");
    expect(readFileSync(await download.path(), "utf8")).toBe("<script>alert(1)</script>");
  });
});
