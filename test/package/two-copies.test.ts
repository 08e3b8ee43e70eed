import { execFile } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";

// A package without `"type": "module"` that tsx runs has two copies of the library: tsx turns static imports into
// `require`, and leaves dynamic ones as they are. Jest, bundles for each route and two versions do the same.
const run = promisify(execFile);

/** Loads skills from one copy and uses them in another. Prints the result of calls that the active skill forbids. */
const program = (maker: string, user: (entryPoint: string) => string): string => `
import { createSkillset, SkillError } from "${maker}";
import { createOperations } from "${user("adapter")}";
import { withSkills } from "${user("ai-sdk")}";
import { withSkills as withAgentSkills } from "${user("openai-agents")}";
import { createSkillset as createOuter, SkillError as OtherError } from "${user("")}";

async function main(): Promise<void> {
  const calls: string[] = [];
  const skills = await createSkillset(["./skills"], { allowedTools: "enforce" });
  const session = await skills.session();
  await session.activate("strict");
  const results: Record<string, unknown> = {};
  const outcome = async (work: () => unknown): Promise<string> => {
    try { return String(await work()); } catch (error) { return (error as Error).message; }
  };

  const del = { inputSchema: {}, execute: () => { calls.push("ai-sdk"); return "DELETED"; } };
  results.aiSdk = await outcome(async () => {
    const request = { messages: [{ role: "user" as const, content: "Hi" }], tools: { del: del as never } };
    const { tools } = await withSkills({ session, request });
    return (tools as any).del.execute({}, {});
  });
  results.agents = await outcome(async () => {
    const own = { type: "function", name: "del", parameters: {}, invoke: () => calls.push("agents") };
    const { tools } = await withAgentSkills({ session, request: { tools: [own], input: "Hi" } } as any);
    const [guard] = (tools as any[])[0].inputGuardrails ?? [];
    // The SDK runs the guardrail before the function.
    const { behavior } = await guard?.run({ toolCall: { arguments: "{}" } }) ?? (tools as any[])[0].invoke();
    return behavior.message;
  });
  results.operations = await outcome(() => createOperations(session).length > 0);
  const inner = await createOuter([skills]);
  const innerSession = await inner.session();
  await innerSession.activate("strict");
  results.nested = innerSession.checkTool("del", {}).allowed;
  const error = await session.files("absent").read("x").catch((reason: unknown) => reason);
  results.errors = [error instanceof SkillError, error instanceof OtherError];
  results.calls = calls;
  console.log(JSON.stringify(results));
}
void main();
`;

const HELD = {
  aiSdk: expect.stringContaining("is not allowed while skill 'strict' is in use"),
  agents: expect.stringContaining("is not allowed while skill 'strict' is in use"),
  operations: "true",
  nested: false,
  errors: [true, true],
  calls: [],
};

const SKILLS = { "skills/strict/SKILL.md": skillMd("strict", undefined, undefined, "allowed-tools: Read\n") };

test("`enforce` holds in a CommonJS package that tsx runs", async () => {
  const folder = temporaryFolder({
    ...SKILLS,
    "package.json": '{ "private": true }',
    "main.ts": program("skillset", (entryPoint) => join("skillset", entryPoint)),
  });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  const tsx = resolve("node_modules/tsx/dist/cli.mjs");
  const { stdout } = await run(process.execPath, [tsx, "main.ts"], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual(HELD);
});

test("`enforce` holds between two copies of the package in one process", async () => {
  const folder = temporaryFolder({
    ...SKILLS,
    "package.json": '{ "private": true, "type": "module" }',
    "main.ts": program("./first/index.js", (entryPoint) => `./second/${join(entryPoint, "index.js")}`),
  });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  for (const copy of ["first", "second"]) cpSync("packages/skillset/dist", join(folder, copy), { recursive: true });
  const { stdout } = await run(process.execPath, ["main.ts"], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual(HELD);
});
