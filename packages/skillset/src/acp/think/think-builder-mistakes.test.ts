import { expect, onTestFinished, test, vi } from "vitest";
import { z as z3 } from "zod/v3";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { startScriptedAgent } from "../../../../testing/src/index.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import { Prompt, PromptTemplate } from "../../prompt/index.ts";
import { type ConnectAgentOptions, connectAgent } from "../index.ts";

// JavaScript callers pass anything.
type Loose = Readonly<Record<string, (...given: unknown[]) => unknown>>;
const PROMPT = new Prompt(new PromptTemplate({ ns: "n", key: "k", sections: [] }));

async function start(options: ConnectAgentOptions = {}) {
  const scripted = await startScriptedAgent([{ say: "Done." }]);
  const agent = await connectAgent(scripted.app, options);
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  return { agent, prompt: () => scripted.requests[0]?.messages[0]?.text ?? "" };
}

test("an unknown event type throws an error with all types, and nothing is sent to the agent", async () => {
  const { agent, prompt } = await start();
  const builder = agent.think().text("Hi.");
  expect(() => builder.stream({ include: ["message", "typo" as never] })).toThrow(
    expect.objectContaining({
      code: "option-invalid",
      message: expect.stringMatching(/"typo".*thought, message, tool-started.*events-dropped/),
    }),
  );
  expect(() => builder.stream({ include: "message" as never })).toThrow("array of event types");
  expect(prompt()).toBe("");
});

test.each<[string, (think: Loose) => unknown]>([
  [
    ".prompt() has no option 'enabled'. Did you mean 'enabledSkills'?",
    ({ prompt }) => prompt?.(PROMPT, { enabled: ["tea"] }),
  ],
  [".prompt() takes an object with options, not null.", ({ prompt }) => prompt?.(PROMPT, null)],
  [".stream() has no option 'includes'. Did you mean 'include'?", ({ stream }) => stream?.({ includes: [] })],
  [".stream() takes an object with options, not an array.", ({ stream }) => stream?.(["message"])],
  ["'permissions' has no option 'allowed'. Did you mean 'allow'?", ({ permissions }) => permissions?.({ allowed: [] })],
  ["'permissions' takes an object with options, not null.", ({ permissions }) => permissions?.(null)],
  ["'budget' takes an object with options, not the number 100.", ({ budget }) => budget?.(100)],
  ["'budget' has no option 'token'. Did you mean 'tokens'?", ({ budget }) => budget?.({ token: 1 })],
  ["'telemetry' must be a telemetry object", ({ telemetry }) => telemetry?.(null)],
  [
    ".signal() requires an AbortSignal, such as 'controller.signal', not an AbortController.",
    ({ signal }) => signal?.(new AbortController()),
  ],
  [
    ".skill() requires a path, a skill or a skillset, not a promise: add 'await'.",
    ({ skill }) => skill?.(createSkillset([])),
  ],
  [".skill() requires a path, a skill or a skillset, not null.", ({ skill }) => skill?.(null)],
  [".text() requires a string; got null.", ({ text }) => text?.(null)],
])("%s", async (message, call) => {
  const { agent } = await start();
  const think = agent.think();
  const loose = new Proxy(think, {
    get: (target, method) => (target as never as Loose)[String(method)]?.bind(target),
  }) as never as Loose;
  expect(() => call(loose)).toThrow(
    expect.objectContaining({ code: "option-invalid", message: expect.stringContaining(message) }),
  );
});

test("think() refuses a schema that the agent cannot see, and session() refuses a skillset", async () => {
  const { agent } = await start();
  expect(() => agent.think(z3.object({ n: z3.number() }))).toThrow("think() takes no schema from zod 3");
  expect(() => agent.think({ n: z3.number() } as never)).toThrow("whose fields are schemas");
  const skills = (await createSkillset([])) as never;
  expect(() => agent.session({ skills })).toThrow("must be a session, not a skillset");
});

test.each(["", " \n"])("the path %j throws at the call, not at the run", async (path) => {
  const builder = (await start()).agent.think();
  for (const call of [() => builder.skill(path), () => builder.file(path), () => builder.cwd(path)])
    expect(call).toThrow(expect.objectContaining({ code: "option-invalid" }));
});

test.each([
  "activate_skill",
  "read_skill_file",
  "call_skill_tool",
  "search_skills",
  "deactivate_skill",
  "return_result",
  "call_tool",
  "open_skill",
])("a tool cannot be named %s", async (name) => {
  const operations = { aliases: { activate_skill: { name: "open_skill" } } };
  const builder = (await start({ operations })).agent.think();
  expect(() => builder.tool(name, "T", () => "")).toThrow("has a reserved name");
  expect(() => builder.defineTool(name, "T", () => "")).toThrow("has a reserved name");
});

test("a relative cwd is resolved against the agent's folder, for runs and conversations", async () => {
  const folder = temporaryFolder({ "below/note.txt": "A note.", "below/deeper/note.txt": "A deeper note." });
  const away = vi.spyOn(process, "cwd").mockReturnValue("/");
  onTestFinished(() => away.mockRestore());
  const one = await start({ cwd: folder });
  await one.agent.think().cwd("below").file("note.txt").run();
  expect(one.prompt()).toContain("A note.");
  const other = await start({ cwd: folder });
  await other.agent.session({ cwd: "below" }).think().cwd("deeper").file("note.txt").run();
  expect(other.prompt()).toContain("A deeper note.");
});
