import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createSkillset } from "skillset";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, openPage } from "../browser/open-browser.ts";
import { FAILED } from "./adapters.ts";
import { writeManySkills } from "./many-skills.ts";
import { type Places, type ProgramResult, runProgram } from "./program.ts";
import { RUNTIMES } from "./runtimes/all.ts";
import { closeNext, NEXT, openNext } from "./runtimes/next.ts";
import { MISSING, needs } from "./runtimes/runtime.ts";
import { startWorker, WORKERD } from "./runtimes/workerd.ts";
import { rowOf, tableOf, withTable } from "./runtimes-table.ts";
import { inRuntimes, startModel, startServices } from "./services.ts";

const DIGEST = /^sha256:[0-9a-f]{64}$/;

let services: Awaited<ReturnType<typeof startServices>>;
let places: Places;
/** What the program returns in the Node that runs the tests, with skills that it loads instead of compiled ones. */
let expected: ProgramResult;
const rows = new Map<string, string[]>();

beforeAll(async () => {
  services = await startServices();
  const { mcp, models } = services;
  places = { mcp, models, folder: inRuntimes("fixtures/skills"), manySkills: writeManySkills() };
  const options = { requirements: false, onProblem: () => {} };
  const [few, many] = await Promise.all([places.folder, places.manySkills].map((one) => createSkillset(one, options)));
  expected = await runProgram(places, { few: few?.skills ?? [], many: many?.skills ?? [] });
});
afterAll(async () => {
  await closeNext();
  await services.close();
});

test("the program uses skills in code, sessions, search, MCP, folders and scripts", () => {
  expect(expected).toMatchObject({
    code: {
      names: ["greet", "bake"],
      digest: expect.stringMatching(DIGEST),
      file: { content: expect.stringContaining("Say 'ahoy'.") },
      tool: expect.objectContaining({ text: expect.stringContaining("AHOY") }),
      refused: expect.stringContaining("Error"),
    },
    yaml: "Folds texts.",
    session: {
      instructions: expect.stringContaining("Greets people."),
      messages: [{ text: expect.stringContaining("then shout") }],
      tools: expect.arrayContaining(["activate_skill"]),
      activation: expect.stringContaining("Heat the oven"),
      resumed: ["greet", "bake"],
    },
    search: ["bake"],
    mcp: {
      names: ["acme:steep"],
      text: expect.stringContaining("Steep for 3 minutes."),
      file: expect.stringContaining("Green"),
    },
    folders: "count,paint",
    scripts: '{"words":3}',
    compiled: {
      names: ["count", "paint"],
      digests: [expect.stringMatching(DIGEST), expect.stringMatching(DIGEST)],
      catalog: expect.stringContaining("Paints façades &amp; fences."),
      instructions: [expect.stringContaining("scripts/count.sh"), expect.stringContaining("assets/white.gif")],
    },
  });
  const paths = expected.compiled?.files.map((files) => files.map(({ path }) => path));
  expect(paths).toEqual([
    ["SKILL.md", "scripts/count.sh"],
    ["SKILL.md", "assets/white.gif"],
  ]);
});

describe.concurrent("one program, which has folders and scripts only on Node,", () => {
  test.for(RUNTIMES)("returns the same in $name", async (runtime, { skip, expect }) => {
    const { name, version, isNode, lacks = {} } = runtime;
    needs(version !== undefined, MISSING, skip);
    const result = await runtime.run(places);
    rows.set(name, rowOf(runtime, result, expected));
    expect(result).toEqual({
      ...expected,
      ...(!isNode && { folders: "refused", scripts: "refused", manyInFolder: "refused" }),
      adapters: { ...expected.adapters, ...failures(lacks) },
    });
  });
});

test("the models get no request that their script does not expect", () => {
  expect(services.faults()).toEqual([]);
});

test.for(["Turbopack", "webpack"] as const)(
  "recipes/next, built with %s: the page shows the answer of a model that activates a skill from a folder",
  async (bundler, { skip }) => {
    needs(NEXT[0]?.version !== undefined, MISSING, skip);
    const { origin, model } = await openNext(bundler);
    const browser = await openBrowser();
    try {
      const page = await openPage(browser, origin);
      await page.goto("/");
      await page.getByLabel("Message").fill("How do I make tea?");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("Steep it for three minutes.").waitFor();
      const [first, second] = model.requests;
      expect(first?.system).toContain("Makes tea.");
      expect(second?.toolResults.map(({ text }) => text)).toEqual([expect.stringContaining("Steep green tea")]);
      expect(model.faults).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);

test("recipes/worker: answers with a skill in code, and serves it over MCP", async ({ skip }) => {
  needs(WORKERD[0]?.version !== undefined, MISSING, skip);
  const model = await startModel();
  const worker = await startWorker("recipes/worker/worker.ts", { bindings: { MODEL_URL: `${model.url}/v1` } });
  try {
    const body = JSON.stringify({ id: "chat-1", text: "How do I make tea?" });
    const response = await worker.dispatchFetch("http://localhost/", { method: "POST", body });
    expect(await response.json()).toEqual({ text: "Steep it for three minutes.", active: ["tea"] });
    expect(model.requests[1]?.toolResults.map(({ text }) => text)).toEqual([expect.stringContaining("Read kinds.md")]);
    const client = new Client({ name: "recipes", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", await worker.ready)));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("activate_skill");
    await client.close();
  } finally {
    await worker.dispose();
    await model.close();
  }
});

test("docs/runtimes.md has the table of what works where", async ({ skip }) => {
  const all = RUNTIMES.map(({ name }) => rows.get(name));
  needs(!all.includes(undefined), "not everything was run", skip);
  const path = inRuntimes("../../docs/runtimes.md");
  const table = tableOf(all.filter((row) => row !== undefined));
  await expect(withTable(readFileSync(path, "utf8"), table)).toMatchFileSnapshot(path);
});

test.for(["Turbopack", "webpack"] as const)(
  "Next.js with %s compiles a SKILL.md and a folder in, by an alias",
  async (bundler, { skip }) => {
    needs(NEXT[0]?.version !== undefined, MISSING, skip);
    const { origin } = await openNext(bundler);
    const { skills } = await createSkillset(places.folder);
    const [count, paint] = await Promise.all(skills.map(async (skill) => [skill.name, await skill.digest()]));
    expect(await (await fetch(`${origin}/imports`)).json()).toEqual([paint, count, paint]);
  },
);

/** The results of adapters whose SDK does not run in a runtime. */
function failures(lacks: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.keys(lacks).map((name) => [name, [FAILED, expect.any(String)]]));
}
