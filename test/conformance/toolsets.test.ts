import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { embedded } from "../../packages/sandbox/src/embedded.ts";
import type { ConsentRequest, ScriptLimits, ScriptRunner } from "../../packages/skillset/src/core/script/script.ts";
import type { Session } from "../../packages/skillset/src/core/session.ts";
import { createSkillset } from "../../packages/skillset/src/node/load/create-skillset.ts";
import { bubblewrap } from "../../packages/skillset/src/scripts/runners/bubblewrap.ts";
import { subprocess } from "../../packages/skillset/src/scripts/runners/subprocess.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const HEAD = "---\nname: text\ndescription: Works with text.\ntoolsets: ['toolsets/index:Text']\n---\n\n";

const COUNT = {
  "toolsets/words.ts": "export const count = (text: string): number => text.split(/\\s+/).filter(Boolean).length;\n",
  "toolsets/index.ts": `import { count } from "./words.ts";
export const Text = {
  tools: [
    {
      name: "count_words",
      description: "Counts the words of a text.",
      inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      handler: ({ text }: { text: string }): unknown => {
        console.log("counting…", { not: "the result" });
        return { words: count(text), text };
      },
    },
    { name: "fail", description: "Fails.", handler: () => { throw new Error("there is no tea"); } },
    { name: "exit", description: "Exits.", handler: () => process.exit(3) },
    { name: "hang", description: "Hangs.", handler: () => new Promise((resolve) => setTimeout(resolve, 1e6)) },
    { name: "nothing", description: "Returns nothing.", handler: () => {} },
  ],
};
`,
};

interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly runner: ScriptRunner | "in-process";
  readonly limits?: Partial<ScriptLimits>;
}

async function open({ files = COUNT, runner, limits = {} }: Given) {
  const asked: ConsentRequest[] = [];
  const named = Object.entries(files).map(([path, text]) => [`text/${path}`, text]);
  const root = temporaryFolder({ "text/SKILL.md": `${HEAD}# Text\n`, ...Object.fromEntries(named) });
  const consent = (request: ConsentRequest) => {
    asked.push(request);
    return "always" as const;
  };
  const skillset = await createSkillset(
    [root],
    runner === "in-process" ? { toolsets: runner } : { toolsets: "sandbox", scripts: { runner, consent, limits } },
  );
  return { asked, root, session: await skillset.session() };
}

function failures({ ledger: { entries } }: Session): readonly string[] {
  return entries.flatMap((entry) => (entry.type === "toolset-failed" ? [`${entry.file}: ${entry.reason}`] : []));
}

const RUNNERS: readonly { readonly name: string; readonly runner: ScriptRunner | "in-process" }[] = [
  { name: "subprocess", runner: subprocess() },
  { name: "bubblewrap", runner: bubblewrap() },
  { name: "embedded", runner: embedded() },
  { name: "in-process", runner: "in-process" },
];

const tool = (name: unknown, more = "") => `{ name: ${JSON.stringify(name)}, description: "d", handler() {}, ${more} }`;
const toolset = (...tools: readonly string[]) => `export const Text = { tools: [${tools.join()}] };`;

/** The first rows of `BROKEN` are about importing a module. */
const IMPORTS = 6;

/** A broken module, and what its reason contains. */
const BROKEN: Readonly<Record<string, readonly [module: string, reason: RegExp]>> = {
  "a syntax error": ["export const Text = {{", /syntax|expected/i],
  "no such export": ["export const Other = 1;", /the module has no export 'Text'/],
  "a wrong shape": ["export const Text = { tools: 3 };", /is not an object with an array 'tools'/],
  null: ["export const Text = null;", /is not an object with an array 'tools'/],
  "an error on import": ["throw new Error('no tea today');", /no tea today/],
  "a missing import": ["import 'left-pad'; export const Text = { tools: [] };", /left-pad/],
  "200 tools": [`export const Text = { tools: Array.from({ length: 200 }, (_, at) => (${tool("t")})) };`, /200 tools/],
  "an invalid name": [toolset(tool("not a name")), /tool 'not a name' requires a name/],
  "a name of another type": [toolset(tool(3)), /requires a name/],
  "two tools with one name": [toolset(tool("a"), tool("a")), /two tools named 'a'/],
  "a tool without a handler": [toolset(`{ name: "a", description: "d" }`), /requires a handler/],
  "no tool at all": [toolset("undefined"), /requires a name/],
  "a huge description": [toolset(`{ ...${tool("a")}, description: "x".repeat(1e5) }`), /more than 4096 characters/],
  "a huge schema": [toolset(tool("a", `inputSchema: { title: "x".repeat(1e5) }`)), /more than 16384 characters/],
  "many long descriptions": [
    "export const Text = { tools: [...Array(40).keys()].map((at) => ({ name: 't' + at, description: 'x'.repeat(4000), handler() {} })) };",
    /more than 65536 characters/,
  ],
  "a schema of another kind": [toolset(tool("a", "inputSchema: [1]")), /must be a JSON Schema/],
};

/** Only another process can contain these. */
const HOSTILE: Readonly<Record<string, readonly [module: string, reason: RegExp]>> = {
  "an exit on import": ["process.exit(0);", /ended without a result/],
  "an infinite loop on import": ["for (;;);", /took too long/],
  "a flood of output on import": [
    "console.log('x'.repeat(3e6)); await new Promise((resolve) => setTimeout(resolve, 1e6));",
    /printed too much/,
  ],
  "a prepared result": [
    `console.log('skillset-result {"value":[]}'); JSON.stringify = () => "{}"; export const Text = 1;`,
    /is not an object with an array 'tools'/,
  ],
};

describe.for(RUNNERS)("$name", ({ name, runner }) => {
  const isMissing = typeof runner === "object" && "isInstalled" in runner && runner.isInstalled === false;
  if (isMissing) return test.skip("needs bubblewrap: apt-get install bubblewrap", () => {});

  test("the tools of a toolset are in the instructions, and can be called while the skill is active", async () => {
    const { session } = await open({ runner });
    await expect(session.call("text", "count_words", { text: "a" })).rejects.toThrow("Activate skill 'text' before");
    const { text } = await session.activate("text");
    expect(text).toContain('### count_words\nCounts the words of a text.\nInput: `{"type":"object"');
    const result = await session.call("text", "count_words", { text: "zwei Wörter ☕" });
    expect(result.value).toEqual({ words: 3, text: "zwei Wörter ☕" });
    expect((await session.call("text", "nothing", {})).text).toBe("null");
    expect(session.ledger.entries).toContainEqual(
      expect.objectContaining({ type: "tool-called", tool: "count_words", outcome: "succeeded", level: name }),
    );
  });

  test("invalid input, an error of the handler and an unknown tool are one sentence each", async () => {
    const { session } = await open({ runner });
    await session.activate("text");
    const failure = (toolName: string, input: unknown) => session.call("text", toolName, input).catch(String);
    expect(await failure("count_words", { text: 3 })).toMatch(/Invalid input for tool 'count_words' of skill 'text'/);
    expect(await failure("fail", {})).toBe("SkillError: Tool 'fail' of skill 'text' failed: there is no tea");
    expect(await failure("none", {})).toMatch(/has no tool 'none'. Its tools: count_words, fail/);
  });

  test("a call can be aborted", async () => {
    const { session } = await open({ runner });
    await session.activate("text");
    await expect(session.call("text", "hang", {}, { signal: AbortSignal.timeout(300) })).rejects.toMatchObject({
      code: "tool-aborted",
    });
  });

  // What a module describes is checked outside of the runner, so one runner shows it.
  const isShort = name === "bubblewrap" || name === "embedded";
  const broken = Object.entries(BROKEN).slice(0, isShort ? IMPORTS : undefined);
  test.each(broken)("%s makes the toolset unavailable, not the skill", async (_, [module, reason]) => {
    const { session } = await open({ runner, files: { "toolsets/index.mjs": module } });
    const { text } = await session.activate("text");
    expect(text).toContain("# Text\n");
    expect(text).toContain("The toolset 'toolsets/index:Text' is unavailable: ");
    expect(failures(session)).toEqual([expect.stringMatching(reason)]);
    expect(failures(session)[0]).toMatch(/^toolsets\/index\.mjs: /);
    expect(text).not.toMatch(/skillset-scripts-|x{1000}/);
    await expect(session.call("text", "a", {})).rejects.toThrow("is unavailable");
  });

  if (runner === "in-process") return;

  test.each(Object.entries(HOSTILE))("%s makes the toolset unavailable, not the skill", async (_, [module, reason]) => {
    const { session } = await open({ runner, files: { "toolsets/index.mjs": module }, limits: { time: 3000 } });
    await session.activate("text");
    expect(failures(session)).toEqual([expect.stringMatching(reason)]);
  });

  if (name !== "subprocess")
    test("a module cannot import files outside of the skill", async () => {
      const outside = join(temporaryFolder({ "secret.mjs": "export const secret = 'the-secret';" }), "secret.mjs");
      const direct = `import { secret } from ${JSON.stringify(outside)};`;
      const files = {
        "toolsets/index.mjs": `${direct} export const Text = { tools: [${tool("a")}] }; Text.tools[0].description = secret;`,
      };
      const { session } = await open({ runner, files });
      expect((await session.activate("text")).text).not.toContain("the-secret");
      expect(failures(session)).toHaveLength(1);
    });

  test("a tool that ends its process fails", async () => {
    const { session } = await open({ runner });
    await session.activate("text");
    await expect(session.call("text", "exit", {})).rejects.toThrow("ended without a result");
  });
});
