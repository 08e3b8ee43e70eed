import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { startScriptedAgent } from "../../../../testing/src/index.ts";
import { MarkdownSection, Prompt, PromptTemplate, WorkspaceSection } from "../../prompt/index.ts";
import { type ConnectAgentOptions, connectAgent } from "../index.ts";

function setUp() {
  const root = temporaryFolder({ "repo/notes.txt": "Water the plants." });
  const mounts = [{ hostPath: join(root, "repo") }];
  const workspace = new WorkspaceSection({ mounts, allowedHostRoots: [root] });
  onTestFinished(() => workspace.cleanup());
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Read repo/." });
  const prompt = new Prompt(new PromptTemplate({ ns: "notes", key: "read", sections: [task, workspace] }));
  return { root, workspace, prompt };
}

async function start(options: ConnectAgentOptions = {}) {
  const scripted = await startScriptedAgent([{ say: "Done." }]);
  const trace = join(temporaryFolder(), "trace.ndjson");
  const agent = await connectAgent(scripted.app, { ...options, trace });
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  /** The folders in which the agent was asked to work. */
  const folders = () =>
    readFileSync(trace, "utf8")
      .trim()
      .split("\n")
      .map((line) => /"method":"session\/new".*?"cwd":"([^"]*)"/.exec(line)?.[1])
      .filter((folder) => folder !== undefined);
  return { agent, scripted, folders };
}

test("an agent works in the prompt's workspace, with the files that the text names", async () => {
  const { workspace, prompt } = setUp();
  const { agent, scripted, folders } = await start();
  const think = agent.think().prompt(prompt);
  expect(existsSync(join(workspace.tempDir, "repo/notes.txt"))).toBe(false);
  await think.run();
  expect(folders()).toEqual([workspace.tempDir]);
  expect(readFileSync(join(workspace.tempDir, "repo/notes.txt"), "utf8")).toBe("Water the plants.");
  expect(scripted.requests[0]?.messages[0]?.text).toContain("- `repo`");
});

test("a conversation can have the workspace as its folder", async () => {
  const { workspace, prompt } = setUp();
  const { agent, folders } = await start();
  await agent.session({ cwd: workspace.tempDir }).think().prompt(prompt).run();
  expect(folders()).toEqual([workspace.tempDir]);
  expect(existsSync(join(workspace.tempDir, "repo/notes.txt"))).toBe(true);
});

test("an agent with another folder gets no prompt with a workspace", async () => {
  const { root, workspace, prompt } = setUp();
  const { agent, scripted } = await start({ cwd: root });
  const refused = {
    code: "option-invalid",
    message: expect.stringContaining("Set 'cwd' to the workspace's 'tempDir'"),
  };
  await expect(agent.think().prompt(prompt).run()).rejects.toMatchObject(refused);
  await expect(agent.session().think().prompt(prompt).run()).rejects.toMatchObject(refused);
  expect(scripted.requests).toEqual([]);
  await agent.think().cwd(workspace.tempDir).prompt(prompt).run();
  expect(scripted.requests).toHaveLength(1);
});
