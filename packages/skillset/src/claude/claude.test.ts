import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createSkillset } from "../node/load/create-skillset.ts";
import {
  AgentSkillsSection,
  defineTool,
  MarkdownSection,
  Prompt,
  PromptTemplate,
  SkillSection,
  SkillsSection,
} from "../prompt/index.ts";
import {
  ClaudeAgentSDKAdapter,
  ClaudeAgentWorkspaceSection,
  type ClaudeEvent,
  IsolationConfig,
  NetworkPolicy,
} from "./index.ts";

interface Asked {
  readonly options: Record<string, unknown> & {
    readonly env: Record<string, string | undefined>;
    readonly cwd: string;
  };
  readonly text: string;
  /** The content of the home when the agent was called. */
  readonly settings: Record<string, unknown> | undefined;
  readonly skills: readonly string[];
}

/** Replaces the SDK: answers each turn with the next result. Tests with the real SDK are in `test/agents`. */
function recording(...results: readonly Record<string, unknown>[]) {
  const asked: Asked[] = [];
  const query = async function* ({
    prompt,
    options,
  }: {
    prompt: AsyncIterable<{ message: { content: string } }>;
    options: Asked["options"];
  }) {
    for await (const { message } of prompt) {
      const home = options.env.HOME ?? "";
      const [file, skills] = [join(home, ".claude/settings.json"), join(home, ".claude/skills")];
      asked.push({
        options,
        text: message.content,
        settings: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined,
        skills: existsSync(skills) ? readdirSync(skills).sort() : [],
      });
      yield { type: "result", subtype: "success", result: "Done.", ...results[asked.length - 1] };
    }
  };
  return { sdk: { query }, asked };
}

const NAMING = new SkillSection({
  name: "naming",
  description: "Names things.",
  title: "Naming",
  template: "Use nouns.",
});
const LINTING = new SkillSection({
  name: "linting",
  description: "Lints code.",
  title: "Linting",
  template: "Call `lint_code`.",
  tools: [defineTool({ name: "lint_code", description: "Lints", inputSchema: z.object({}), handler: () => "clean" })],
});

function promptWith(...sections: ConstructorParameters<typeof PromptTemplate>[0]["sections"]) {
  const task = new MarkdownSection({ title: "Task", key: "task", template: "Do it." });
  return new Prompt(new PromptTemplate({ ns: "t", key: "k", sections: [task, ...sections] }));
}

const withSkills = () => promptWith(new SkillsSection({ skills: [NAMING, LINTING] }));

describe("with isolation", () => {
  test("skills without tools are installed and left out of the prompt; those with tools are summarised in it", async () => {
    const { sdk, asked } = recording({});
    const events: ClaudeEvent[] = [];
    const adapter = new ClaudeAgentSDKAdapter({ sdk, isolation: new IsolationConfig() });
    await adapter.evaluate(withSkills(), { session: { id: "s" }, onEvent: (event) => events.push(event) });
    expect(asked[0]?.skills).toEqual(["naming"]);
    expect(asked[0]?.text).not.toContain("Names things");
    expect(asked[0]?.text).toContain("[Skill: linting] Lints code.");
    expect(asked[0]?.text).toContain('Call `mcp__prompt__open_sections` with key "skills.linting"');
    const installed = events.filter(({ type }) => type === "SkillsInstalled");
    expect(installed).toMatchObject([
      { inlineSkills: ["naming"], referencedSkills: [], sessionId: "s", promptKey: "k" },
    ]);
  });

  test("the home is removed afterwards, even if the agent fails", async () => {
    for (const result of [{}, { subtype: "error_during_execution", errors: ["broken"] }]) {
      const { sdk, asked } = recording(result);
      const adapter = new ClaudeAgentSDKAdapter({ sdk, isolation: new IsolationConfig() });
      await adapter.evaluate(withSkills()).catch((error) => expect(error).toMatchObject({ code: "agent-failed" }));
      expect(asked[0]?.options.env.HOME).toContain("skillset-home-");
      expect(existsSync(asked[0]?.options.env.HOME ?? "")).toBe(false);
    }
  });

  test("the settings in the home deny writing to skills, and contain the network and sandbox rules", async () => {
    const { sdk, asked } = recording({});
    const isolation = new IsolationConfig({ networkPolicy: NetworkPolicy.noNetwork() });
    await new ClaudeAgentSDKAdapter({ sdk, isolation }).evaluate(withSkills());
    const skillsDir = join(asked[0]?.options.env.HOME ?? "", ".claude/skills");
    expect(asked[0]?.settings).toEqual({
      permissions: { deny: [`Edit(/${skillsDir}/**)`, "WebFetch", "WebSearch"] },
      sandbox: {
        enabled: true,
        failIfUnavailable: true,
        allowUnsandboxedCommands: false,
        network: { allowedDomains: [], strictAllowlist: true },
        filesystem: { denyWrite: [skillsDir] },
      },
    });
  });

  test("the settings in the home also protect read-only mounts, and the skills that a workspace has", async () => {
    const root = temporaryFolder({
      "repo/a.md": "a",
      "note.md": "n",
      "own/b.md": "b",
      "skills/s/SKILL.md": skillMd("s"),
    });
    using workspace = new ClaudeAgentWorkspaceSection({
      mounts: ["repo", "note.md", "own"].map((name) => ({ hostPath: join(root, name), readOnly: name !== "own" })),
      allowedHostRoots: [root],
    });
    const listed = new AgentSkillsSection({ skillsDir: join(root, "skills"), mountPath: "skills" });
    const { sdk, asked } = recording({});
    const isolation = new IsolationConfig({ sandbox: { denyRead: ["/home/ann"] } });
    const prompt = new Prompt(new PromptTemplate({ ns: "n", key: "k", sections: [workspace, listed] }));
    await new ClaudeAgentSDKAdapter({ sdk, isolation }).evaluate(prompt);
    const skillsDir = join(asked[0]?.options.env.HOME ?? "", ".claude/skills");
    const [repo, note, skill] = ["repo", "note.md", "skills/s"].map((path) => join(workspace.tempDir, path));
    const [ofSkills, ...others] = [skillsDir, repo, skill].map((path) => `Edit(/${path}/**)`);
    expect(asked[0]?.settings).toMatchObject({
      permissions: { deny: [ofSkills, `Edit(/${note})`, ...others] },
      sandbox: { filesystem: { denyWrite: [skillsDir, repo, note, skill], denyRead: ["/home/ann"] } },
    });
  });

  test("the skills folder is read-only, and is removed nevertheless", async () => {
    for (const installSkills of [true, false]) {
      let [mode, skillsDir] = [0, ""];
      const query = async function* ({ options }: { options: Asked["options"] }) {
        skillsDir = join(options.env.HOME ?? "", ".claude/skills");
        mode = statSync(skillsDir).mode & 0o777;
        yield { type: "result", subtype: "success", result: "Done." };
      };
      const isolation = new IsolationConfig({ installSkills });
      await new ClaudeAgentSDKAdapter({ sdk: { query }, isolation }).evaluate(withSkills());
      expect(mode).toBe(0o555);
      expect(existsSync(skillsDir)).toBe(false);
    }
  });

  test("a network policy accepts only host names", async () => {
    const { sdk, asked } = recording({});
    const networkPolicy = new NetworkPolicy({ allowedDomains: ["*.example.com"] });
    await new ClaudeAgentSDKAdapter({
      sdk,
      isolation: new IsolationConfig({ networkPolicy, sandbox: false }),
    }).evaluate(withSkills());
    expect(asked[0]?.settings).toMatchObject({
      permissions: { allow: ["WebFetch(domain:*.example.com)"], deny: expect.arrayContaining(["WebSearch"]) },
    });
    expect(asked[0]?.settings).not.toHaveProperty("sandbox");
    const hooks = asked[0]?.options.hooks as {
      PreToolUse: { matcher: string; hooks: ((use: object) => Promise<object>)[] }[];
    };
    const fetching = (url: string) => hooks.PreToolUse[0]?.hooks[0]?.({ tool_name: "WebFetch", tool_input: { url } });
    expect(await fetching("https://a.example.com/x")).toEqual({});
    for (const url of ["https://evil.com/", "https://example.com.evil.com", "https://notexample.com", "nonsense"])
      expect(await fetching(url)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    expect(() => new NetworkPolicy({ allowedDomains: ["https://example.com"] })).toThrow("without scheme");
  });

  test("the agent's environment contains only the API variables of this program's environment", async () => {
    const { sdk, asked } = recording({});
    vi.stubEnv("ANTHROPIC_API_KEY", "key").stubEnv("SECRET_OF_MINE", "secret");
    onTestFinished(() => void vi.unstubAllEnvs());
    const isolation = new IsolationConfig({ env: { LANG: "C" } });
    await new ClaudeAgentSDKAdapter({ sdk, isolation }).evaluate(withSkills());
    expect(asked[0]?.options.env).toMatchObject({ ANTHROPIC_API_KEY: "key", LANG: "C" });
    expect(asked[0]?.options.env).not.toHaveProperty("SECRET_OF_MINE");
  });

  test("installSkills: false keeps every skill in the prompt, without a warning", async () => {
    const { sdk, asked } = recording({});
    const onWarning = vi.fn();
    const isolation = new IsolationConfig({ installSkills: false });
    await new ClaudeAgentSDKAdapter({ sdk, isolation, onWarning }).evaluate(withSkills());
    expect(asked[0]).toMatchObject({ skills: [], text: expect.stringContaining("[Skill: naming]") });
    expect(onWarning).not.toHaveBeenCalled();
  });
});

describe("without isolation", () => {
  test("every skill is in the prompt, and one warning explains why", async () => {
    const { sdk, asked } = recording({}, {});
    const onWarning = vi.fn();
    const adapter = new ClaudeAgentSDKAdapter({ sdk, onWarning });
    await adapter.evaluate(withSkills());
    await adapter.evaluate(withSkills());
    expect(asked[0]?.text).toMatch(/\[Skill: naming\][\s\S]*\[Skill: linting\]/);
    expect(onWarning.mock.calls).toEqual([
      [expect.stringContaining("Skills installation requires hermetic isolation")],
    ]);
  });

  test("the caller's hooks are kept, and 'options' rejects settings of 'clientConfig'", async () => {
    const { sdk, asked } = recording({});
    const guard = { hooks: [async () => ({})] };
    const options = { hooks: { PreToolUse: [guard], PostToolUse: [guard] } };
    await new ClaudeAgentSDKAdapter({ sdk, clientConfig: { options } }).evaluate(promptWith());
    expect(asked[0]?.options.hooks).toMatchObject({ PreToolUse: [guard], PostToolUse: [guard, {}] });
    expect(() => new ClaudeAgentSDKAdapter({ clientConfig: { options: { env: {} } } })).toThrow(
      "Set 'env' in 'clientConfig'",
    );
  });

  test("a prompt without skills causes no warning and starts no server", async () => {
    const { sdk, asked } = recording({});
    const onWarning = vi.fn();
    await new ClaudeAgentSDKAdapter({ sdk, onWarning }).evaluate(promptWith());
    expect(onWarning).not.toHaveBeenCalled();
    expect(asked[0]?.options).not.toHaveProperty("mcpServers");
  });
});

describe("a response", () => {
  const output = z.object({ n: z.number().transform((n) => n * 2) });
  const prompt = new Prompt(
    new PromptTemplate({
      ns: "t",
      key: "k",
      output,
      sections: [new MarkdownSection({ title: "T", key: "t", template: "x" })],
    }),
  );

  test("has the schema's parsed output, and its type", async () => {
    const { sdk, asked } = recording({ structured_output: { n: 2 } });
    const response = await new ClaudeAgentSDKAdapter({ sdk }).evaluate(prompt);
    response.output.n satisfies number;
    expect(response).toEqual({ promptNs: "t", promptKey: "k", text: "Done.", output: { n: 4 } });
    expect(asked[0]?.options.outputFormat).toMatchObject({ type: "json_schema", schema: { type: "object" } });
    expect(asked[0]?.options.outputFormat).not.toHaveProperty("schema.$schema");
  });

  test.each([
    [{ structured_output: { n: "two" } }, "result-invalid"],
    [{}, "result-missing"],
    [{ subtype: "error_max_turns", errors: [] }, "agent-failed"],
    [{ is_error: true, result: "no credit" }, "agent-failed"],
  ])("is an error if the agent ends with %j", async (result, code) => {
    const { asked: _, ...options } = recording(result);
    await expect(new ClaudeAgentSDKAdapter(options).evaluate(prompt)).rejects.toMatchObject({ code });
  });

  test("rejects with the signal's reason when it is aborted", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const query = async function* ({ options }: { options: { abortController: AbortController } }) {
      setTimeout(() => controller.abort(reason), 10);
      await new Promise((_, reject) =>
        options.abortController.signal.addEventListener("abort", () => reject(new Error("gone"))),
      );
      yield {};
    };
    const adapter = new ClaudeAgentSDKAdapter({ sdk: { query }, isolation: new IsolationConfig() });
    await expect(adapter.evaluate(withSkills(), { signal: controller.signal })).rejects.toBe(reason);
  });
});

test.each([undefined, new IsolationConfig()])(
  "enabledSkills must be an array of names, not a string",
  async (isolation) => {
    const { sdk, asked } = recording({});
    const adapter = new ClaudeAgentSDKAdapter({ sdk, ...(isolation && { isolation }) });
    await expect(adapter.evaluate(withSkills(), { enabledSkills: "naming" as never })).rejects.toThrow(
      `'enabledSkills' must be an array of names; got the string 'naming'. Write ["naming"].`,
    );
    expect(asked).toEqual([]);
  },
);

test("an abort during installation rejects with its reason before the agent is called", async () => {
  const { sdk, asked } = recording({});
  const controller = new AbortController();
  const reason = new Error("enough");
  const adapter = new ClaudeAgentSDKAdapter({ sdk, isolation: new IsolationConfig() });
  const onEvent = () => controller.abort(reason);
  await expect(adapter.evaluate(withSkills(), { signal: controller.signal, onEvent })).rejects.toBe(reason);
  expect(asked).toEqual([]);
});

test("reading a SKILL.md and calling the Skill tool are reported as activations; other reads are not", async () => {
  const skillsDir = temporaryFolder();
  mkdirSync(join(skillsDir, "guide"));
  writeFileSync(join(skillsDir, "guide/SKILL.md"), "---\nname: guide\ndescription: G\n---\n");
  const events: ClaudeEvent[] = [];
  const query = async function* ({
    prompt,
    options,
  }: {
    prompt: AsyncIterable<unknown>;
    options: { hooks: { PostToolUse: { hooks: ((use: object) => Promise<object>)[] }[] } };
  }) {
    const hook = options.hooks.PostToolUse[0]?.hooks[0] ?? (async () => ({}));
    for await (const _ of prompt) {
      const use = (tool_name: string, tool_input: object) => hook({ tool_name, tool_input, cwd: "/work" });
      await use("Read", { file_path: "skills/guide/SKILL.md" });
      await use("Read", { file_path: "/work/skills/guide/notes.md" });
      await use("Read", { file_path: "/elsewhere/SKILL.md" });
      await use("Read", {});
      await use("Skill", { skill: "naming" });
      await use("Skill", { skill: "verify" });
      await use("Skill", { skill: "../naming" });
      yield { type: "result", subtype: "success" };
    }
  };
  const prompt = promptWith(new AgentSkillsSection({ skillsDir }), new SkillsSection({ skills: [NAMING] }));
  const isolation = new IsolationConfig();
  await new ClaudeAgentSDKAdapter({ sdk: { query }, isolation, onWarning: () => {} }).evaluate(prompt, {
    onEvent: (event) => events.push(event),
  });
  expect(events.filter(({ type }) => type === "SkillActivated")).toMatchObject([
    { skillName: "guide", skillPath: join(skillsDir, "guide"), timestamp: expect.any(Date) },
    { skillName: "naming", skillPath: expect.stringMatching(/\.claude\/skills\/naming$/) },
  ]);
});

test("a skill that the agent reads becomes active once in the sessions of its section, its workspace and the evaluation", async () => {
  const skillsDir = temporaryFolder({ "guide/SKILL.md": "---\nname: guide\ndescription: G\n---\n# Guide\n" });
  const set = await createSkillset([skillsDir]);
  const [one, two] = [await set.session({ id: "one" }), await set.session({ id: "two" })];
  const query = async function* ({
    prompt,
    options,
  }: {
    prompt: AsyncIterable<unknown>;
    options: { cwd: string; hooks: { PostToolUse: { hooks: ((use: object) => Promise<object>)[] }[] } };
  }) {
    const hook = options.hooks.PostToolUse[0]?.hooks[0];
    for await (const _ of prompt) {
      await hook?.({ tool_name: "Read", tool_input: { file_path: "skills/guide/SKILL.md" }, cwd: options.cwd });
      await hook?.({ tool_name: "Skill", tool_input: { skill: "naming" }, cwd: options.cwd });
      yield { type: "result", subtype: "success" };
    }
  };
  const workspace = new ClaudeAgentWorkspaceSection({ mounts: [], allowedHostRoots: [], session: two });
  onTestFinished(() => workspace.cleanup());
  const section = new AgentSkillsSection({ skillsDir, session: one, mountPath: "skills" });
  const prompt = promptWith(workspace, section, new SkillsSection({ skills: [NAMING] }));
  const adapter = new ClaudeAgentSDKAdapter({ sdk: { query }, isolation: new IsolationConfig() });
  await adapter.evaluate(prompt, { session: one });
  const activated = ({ ledger: { entries } }: typeof one) =>
    entries.filter(({ type }) => type === "skill-activated").map((entry) => "skill" in entry && entry.skill);
  expect(activated(one)).toEqual(["guide", "naming"]);
  expect(activated(two)).toEqual(["guide", "naming"]);
  expect(one.active).toEqual(["guide", "naming"]);
});

test("an unwritable temporary folder is an error that names it, before the agent is called", async () => {
  vi.stubEnv("TMPDIR", "/proc");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { sdk, asked } = recording({});
  const message =
    "Cannot create a temporary folder in '/proc' (ENOENT). Make it writable, or set TMPDIR to another folder.";
  const adapter = new ClaudeAgentSDKAdapter({ sdk, isolation: new IsolationConfig() });
  await expect(adapter.evaluate(withSkills())).rejects.toThrow(message);
  expect(() => new ClaudeAgentWorkspaceSection({ mounts: [], allowedHostRoots: [] })).toThrow(message);
  expect(asked).toEqual([]);
});

describe("a workspace", () => {
  function make(
    mounts: ConstructorParameters<typeof ClaudeAgentWorkspaceSection>[0]["mounts"],
    root: string,
    maxBytes?: number,
  ) {
    const workspace = new ClaudeAgentWorkspaceSection({
      mounts,
      allowedHostRoots: [root],
      ...(maxBytes !== undefined && { maxBytes }),
    });
    onTestFinished(() => workspace.cleanup());
    return workspace;
  }

  test("contains copies of the mounts with their modes, and is the agent's working folder", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "repo/bin"), { recursive: true });
    writeFileSync(join(root, "repo/bin/run.sh"), "#!/bin/sh\n", { mode: 0o755 });
    symlinkSync("bin/run.sh", join(root, "repo/run"));
    const workspace = make([{ hostPath: join(root, "repo"), mountPath: "code/$repo" }], root);
    await workspace.open();
    expect(statSync(join(workspace.tempDir, "code/$repo/bin/run.sh")).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(workspace.tempDir, "code/$repo/run"), "utf8")).toBe("#!/bin/sh\n");
    const { sdk, asked } = recording({});
    await new ClaudeAgentSDKAdapter({ sdk }).evaluate(promptWith(workspace));
    expect(asked[0]?.options.cwd).toBe(workspace.tempDir);
    expect(asked[0]?.text).toContain("- `code/$repo`");
    workspace.cleanup();
    expect(existsSync(workspace.tempDir)).toBe(false);
  });

  test("omits sockets and pipes", async () => {
    const root = temporaryFolder({ "repo/a.md": "a" });
    execFileSync("mkfifo", [join(root, "repo/pipe")]);
    const workspace = make([{ hostPath: join(root, "repo") }], root);
    await workspace.open();
    expect(readdirSync(join(workspace.tempDir, "repo"))).toEqual(["a.md"]);
  });

  test("is removed when the program exits without cleaning up", () => {
    const TMPDIR = temporaryFolder();
    const program = `import { ClaudeAgentWorkspaceSection } from ${JSON.stringify(import.meta.resolve("./index.ts"))};
      const { tempDir } = new ClaudeAgentWorkspaceSection({ mounts: [], allowedHostRoots: [] });
      console.log(tempDir);`;
    const env = { ...process.env, TMPDIR };
    const tempDir = execFileSync(process.execPath, ["--input-type=module", "-e", program], { env, encoding: "utf8" });
    expect(tempDir).toContain(TMPDIR);
    expect(readdirSync(TMPDIR)).toEqual([]);
  });

  test("left by a killed program is removed when the next one is opened", async () => {
    const TMPDIR = temporaryFolder();
    const program = `import { ClaudeAgentWorkspaceSection } from ${JSON.stringify(import.meta.resolve("./index.ts"))};
      new ClaudeAgentWorkspaceSection({ mounts: [], allowedHostRoots: [] });
      process.kill(process.pid, "SIGKILL");`;
    const env = { ...process.env, TMPDIR };
    expect(() => execFileSync(process.execPath, ["--input-type=module", "-e", program], { env })).toThrow();
    vi.stubEnv("TMPDIR", TMPDIR);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(readdirSync(TMPDIR)).toHaveLength(1);
    const workspace = make([], TMPDIR);
    await workspace.open();
    expect(readdirSync(TMPDIR)).toEqual([basename(dirname(workspace.tempDir))]);
  });

  test("can have read-only mounts", async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, "a.md"), "a");
    const workspace = make([{ hostPath: join(root, "a.md"), readOnly: true }], root);
    await workspace.open();
    expect(statSync(join(workspace.tempDir, "a.md")).mode & 0o222).toBe(0);
  });

  test("rejects mounts outside the allowed roots, links that leave them, paths that climb, and mounts that are too large", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "in"));
    writeFileSync(join(root, "secret.txt"), "secret");
    symlinkSync("../secret.txt", join(root, "in/link"));
    symlinkSync("..", join(root, "loop"));
    const inside = join(root, "in");
    expect(() => make([{ hostPath: root }], inside)).toThrow("outside the allowed roots");
    expect(() => make([{ hostPath: "/etc/passwd", mountPath: "x" }], root)).toThrow("outside the allowed roots");
    await expect(make([{ hostPath: inside }], root).open()).rejects.toThrow("leaves the mount");
    mkdirSync(join(root, "round/a"), { recursive: true });
    mkdirSync(join(root, "round/b"));
    for (const name of ["1", "2"]) {
      symlinkSync("../b", join(root, `round/a/${name}`));
      symlinkSync("../a", join(root, `round/b/${name}`));
    }
    const round = make([{ hostPath: join(root, "round") }], root);
    await expect(round.open()).rejects.toThrow("a folder that contains it");
    const twice = { hostPath: join(root, "secret.txt"), mountPath: "x" };
    expect(() => make([twice, twice], root)).toThrow("Two mounts have the path 'x'");
    expect(() => make([{ hostPath: join(root, "none") }], root)).toThrow("does not exist");
    expect(() => make([{ hostPath: join(root, "secret.txt"), mountPath: "../x" }], root)).toThrow(
      "below the workspace",
    );
    expect(() => make([{ hostPath: join(root, "secret.txt"), mountPath: "/x" }], root)).toThrow("below the workspace");
    const small = make([{ hostPath: join(root, "secret.txt") }], root, 3);
    await expect(small.open()).rejects.toThrow("more than 3 bytes");
  });
});
