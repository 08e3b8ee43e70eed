import { join } from "node:path";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate } from "../prompt/index.ts";
import { ClaudeAgentSDKAdapter, NetworkPolicy } from "./index.ts";
import { IsolationConfig } from "./isolation-config.ts";

interface HookOutput {
  readonly hookSpecificOutput?: { readonly permissionDecision: string; readonly permissionDecisionReason: string };
}

type Use = (tool_name: string, tool_input: object) => Promise<string>;

/** Runs the hooks of Claude Code for these calls, and returns the reasons of denials. */
async function evaluate(act: (use: Use, folder: string) => Promise<void>, allowedTools: "enforce" | "log" = "enforce") {
  const folder = temporaryFolder({
    "skills/rules/SKILL.md": skillMd("rules").replace("---\n\n", "allowed-tools: Read(src/**) Bash(git:*)\n---\n\n"),
    "skills/other/SKILL.md": skillMd("other"),
  });
  const query = async function* ({ options }: { options: { hooks: Record<string, { hooks: CallableFunction[] }[]> } }) {
    const run = async (event: string, tool_name: string, tool_input: object): Promise<string> => {
      const hooks = options.hooks[event]?.flatMap((one) => ("matcher" in one ? [] : one.hooks)) ?? [];
      const outputs: HookOutput[] = await Promise.all(
        hooks.map((hook) => hook({ tool_name, tool_input, cwd: folder })),
      );
      return outputs.map((one) => one.hookSpecificOutput?.permissionDecisionReason ?? "").join("");
    };
    const use: Use = async (name, input) =>
      (await run("PreToolUse", name, input)) || (await run("PostToolUse", name, input));
    await act(use, folder);
    yield { type: "result", subtype: "success", result: "Done." };
  };
  const session = await (await createSkillset([join(folder, "skills")], { allowedTools, cwd: folder })).session();
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Do it." });
  const skills = new AgentSkillsSection({ skillsDir: join(folder, "skills"), mountPath: "skills" });
  const prompt = new Prompt(new PromptTemplate({ ns: "t", key: "k", sections: [task, skills] }));
  const isolation = new IsolationConfig({ networkPolicy: NetworkPolicy.noNetwork() });
  const adapter = new ClaudeAgentSDKAdapter({ sdk: { query } as never, isolation, onWarning: () => {} });
  await adapter.evaluate(prompt, { session });
  return session;
}

const READ_RULES = ["Read", { file_path: "skills/rules/SKILL.md" }] as const;

test("a call that an active skill does not list is denied with the reason, and others are not", async () => {
  const session = await evaluate(async (use, folder) => {
    expect(await use("Bash", { command: "rm x" })).toBe("");
    await use(...READ_RULES);
    expect(await use("Bash", { command: "git status" })).toBe("");
    expect(await use("Read", { file_path: join(folder, "src/a.ts") })).toBe("");
    expect(await use("Bash", { command: "rm x" })).toBe(
      "This call of 'Bash' is not allowed while skill 'rules' is in use: its allowed-tools lack 'Bash(rm:*)'.",
    );
    expect(await use("Read", { file_path: "/etc/passwd" })).toContain("lack 'Read(//etc/passwd)'");
    expect(await use("mcp__github__get_issue", {})).toContain("lack 'mcp__github__get_issue'");
  });
  expect(session.ledger.entries.filter(({ type }) => type === "tool-denied")).toHaveLength(3);
});

test("skills, their files, the tools of the prompt and the result are always allowed", async () => {
  await evaluate(async (use) => {
    await use(...READ_RULES);
    expect(await use("Read", { file_path: "skills/other/SKILL.md" })).toBe("");
    expect(await use("Skill", { skill: "other" })).toBe("");
    expect(await use("mcp__prompt__open_sections", {})).toBe("");
    expect(await use("StructuredOutput", {})).toBe("");
  });
});

test("with log, nothing is denied", async () => {
  const session = await evaluate(async (use) => {
    await use(...READ_RULES);
    expect(await use("Bash", { command: "rm x" })).toBe("");
  }, "log");
  expect(session.ledger.entries.at(-1)).toMatchObject({ type: "tool-outside", skill: "rules" });
});
