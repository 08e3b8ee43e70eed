import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { AgentSkillsSection, MarkdownSection, Prompt, PromptTemplate } from "../prompt/index.ts";
import type { Section } from "../prompt/section/section.ts";
import { ClaudeAgentSDKAdapter, type ClaudeAgentSDKClientConfig, ClaudeAgentWorkspaceSection } from "./index.ts";

function setUp() {
  const root = temporaryFolder({
    "repo/a.py": "print()",
    "skills/security-audit/SKILL.md": skillMd("security-audit"),
    "skills/security-audit/scripts/scan.sh": "#!/bin/sh",
    "skills/python-style/SKILL.md": skillMd("python-style"),
    "skills/cooking/SKILL.md": skillMd("cooking"),
  });
  const mounts = [{ hostPath: join(root, "repo") }];
  const workspace = new ClaudeAgentWorkspaceSection({ mounts, allowedHostRoots: [root] });
  onTestFinished(() => workspace.cleanup());
  const section = (options: Partial<ConstructorParameters<typeof AgentSkillsSection>[0]> = {}) =>
    new AgentSkillsSection({ skillsDir: join(root, "skills"), ...options });
  return { root, workspace, section };
}

/** Runs an agent that only looks around; returns the files below its working folder. */
async function look(sections: readonly Section[], clientConfig: ClaudeAgentSDKClientConfig = {}) {
  const seen: string[] = [];
  const query = async function* ({ prompt, options }: { prompt: AsyncIterable<unknown>; options: { cwd: string } }) {
    for await (const _ of prompt) {
      seen.push(...readdirSync(options.cwd, { recursive: true, encoding: "utf8" }).sort());
      yield { type: "result", subtype: "success", result: "Done." };
    }
  };
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Do it." });
  const onWarning = vi.fn();
  const adapter = new ClaudeAgentSDKAdapter({ sdk: { query }, clientConfig, onWarning });
  await adapter.evaluate(new Prompt(new PromptTemplate({ ns: "t", key: "k", sections: [task, ...sections] })));
  return { seen, warnings: onWarning.mock.calls.map(([message]) => message as string) };
}

describe("the skills of a section are mounted in the workspace", () => {
  test("at the catalog's locations: the allowed ones, complete and read-only", async () => {
    const { workspace, section } = setUp();
    const { seen, warnings } = await look([workspace, section({ allowedSkills: ["security-*", "python-*"] })]);
    expect(seen.filter((path) => path.startsWith("skills/"))).toEqual([
      "skills/python-style",
      "skills/python-style/SKILL.md",
      "skills/security-audit",
      "skills/security-audit/SKILL.md",
      "skills/security-audit/scripts",
      "skills/security-audit/scripts/scan.sh",
    ]);
    expect(warnings).toEqual([]);
    const file = join(workspace.tempDir, "skills/security-audit/SKILL.md");
    expect([file, join(file, "..")].map((path) => statSync(path).mode & 0o222)).toEqual([0, 0]);
  });

  test("again for a second evaluation, in a subfolder of the workspace, and for several sections", async () => {
    const { workspace, section } = setUp();
    const both = [
      workspace,
      section({ mountPath: "skills/org", allowedSkills: ["cooking"] }),
      section({ mountPath: "skills/own", recursive: true, allowedSkills: ["python-*"] }),
    ];
    await look(both);
    const { seen } = await look(both, { cwd: join(workspace.tempDir, "repo") });
    expect(seen).toEqual(expect.arrayContaining(["skills/org/cooking/SKILL.md", "skills/own/python-style/SKILL.md"]));
    expect(existsSync(join(workspace.tempDir, "skills/org/cooking/SKILL.md"))).toBe(true);
    await look(both);
  });

  test("unless the section is disabled, or a mount already exists there", async () => {
    const { root, section } = setUp();
    writeFileSync(join(root, "repo/SKILL.md"), "mine");
    const mounts = [{ hostPath: join(root, "repo"), mountPath: "skills/cooking" }];
    using workspace = new ClaudeAgentWorkspaceSection({ mounts, allowedHostRoots: [root] });
    await look([workspace, section({ enabled: () => false, key: "off" }), section({ allowedSkills: ["cooking"] })]);
    expect(readdirSync(join(workspace.tempDir, "skills"))).toEqual(["cooking"]);
    expect(readFileSync(join(workspace.tempDir, "skills/cooking/SKILL.md"), "utf8")).toBe("mine");
  });

  test("or the evaluation fails: the location is taken, or a link leaves the workspace or the skill", async () => {
    const { root, workspace, section } = setUp();
    const cooking = [workspace, section({ allowedSkills: ["cooking"] })];
    mkdirSync(join(workspace.tempDir, "skills/cooking"), { recursive: true });
    await expect(look(cooking)).rejects.toThrow("Skill 'cooking' cannot be mounted at 'skills/cooking': something");
    rmSync(join(workspace.tempDir, "skills"), { recursive: true });
    mkdirSync(join(root, "elsewhere"));
    symlinkSync(join(root, "elsewhere"), join(workspace.tempDir, "skills"));
    await expect(look(cooking)).rejects.toThrow("'skills' is not a folder");
    expect(readdirSync(join(root, "elsewhere"))).toEqual([]);
    rmSync(join(workspace.tempDir, "skills"));
    symlinkSync("/etc/passwd", join(root, "skills/cooking/z-link"));
    for (let turn = 0; turn < 2; turn++)
      await expect(look(cooking)).rejects.toThrow("cannot be mounted: 'z-link' is a link that leaves the mount");
    expect(existsSync(join(workspace.tempDir, "skills/cooking"))).toBe(false);
  });
});

describe("without a workspace", () => {
  test("a missing location causes a warning with a fix, and nothing is written", async () => {
    const { root, section } = setUp();
    const cwd = join(root, "repo");
    const { seen, warnings } = await look([section({ allowedSkills: ["cooking"] })], { cwd });
    expect(warnings).toEqual([
      `The prompt lists a skill at 'skills/cooking', but the agent's working folder '${cwd}' does not contain it. Add a WorkspaceSection to the prompt, or set 'mountPath' to where the skills are.`,
    ]);
    expect(seen).toEqual(["a.py"]);
  });

  test("an existing location causes no warning", async () => {
    const { root, section } = setUp();
    expect((await look([section()], { cwd: root })).warnings).toEqual([]);
  });
});

test("a skill that is skipped because its link leaves the folder causes a warning, even if no other skill remains", async () => {
  const { root, workspace } = setUp();
  const skillsDir = temporaryFolder();
  symlinkSync(join(root, "skills/cooking"), join(skillsDir, "cooking"));
  const { warnings } = await look([workspace, new AgentSkillsSection({ skillsDir })]);
  expect(warnings[0]).toMatch(/^Section 'agent-skills': 'cooking' is a link that leaves its folder/);
});
