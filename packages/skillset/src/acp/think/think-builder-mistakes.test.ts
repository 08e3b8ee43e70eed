import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { startScriptedAgent } from "../../testing/index.ts";
import { type ConnectAgentOptions, connectAgent } from "../index.ts";

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
