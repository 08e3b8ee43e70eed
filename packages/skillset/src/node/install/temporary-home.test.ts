import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { processesWith } from "../../../../../test/processes.ts";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { defineSkill } from "../../core/skill/define-skill.ts";
import { ownProcess } from "../files/process-owner.ts";
import { createSkillset } from "../load/create-skillset.ts";
import { TrustStore } from "../trust/trust.ts";
import { createTemporaryHome, type TemporaryHomeOptions } from "./temporary-home.ts";

const LIBRARY = fileURLToPath(new URL("../index.ts", import.meta.url));
const notes = defineSkill({ name: "notes", description: "Takes notes. Use for notes.", body: "# Notes" });

/** Homes are made in it; a good end leaves it empty. */
let temporary: string;
let pdf: string;
beforeEach(() => {
  const folder = temporaryFolder({ "tmp/.keep": "", "skills/pdf/SKILL.md": skillMd("pdf"), "skills/pdf/a.md": "A" });
  rmSync(join(folder, "tmp/.keep"));
  temporary = join(folder, "tmp");
  pdf = join(folder, "skills/pdf");
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
});

const leftovers = (): readonly string[] => readdirSync(temporary);

describe("skills are installed where the agent looks for them:", () => {
  test.each([
    ["claude", ".claude/skills", "CLAUDE_CONFIG_DIR", ".claude"],
    ["codex", ".agents/skills", "CODEX_HOME", ".codex"],
    ["gemini", ".gemini/skills", "GEMINI_CLI_HOME", ""],
    ["opencode", ".claude/skills", "XDG_CONFIG_HOME", ".config"],
    ["pi", ".agents/skills", "PI_CODING_AGENT_DIR", ".pi/agent"],
  ] as const)("%s in %s", async (agent, place, variable, folder) => {
    await using home = await createTemporaryHome({ agent, skills: [pdf, notes] });
    expect(home.skillsDir).toBe(join(home.home, place));
    expect(readdirSync(home.skillsDir).sort()).toEqual(["notes", "pdf"]);
    expect(readdirSync(join(home.skillsDir, "pdf")).sort()).toEqual(["SKILL.md", "a.md"]);
    expect(readFileSync(join(home.skillsDir, "notes/SKILL.md"), "utf8")).toContain("# Notes");
    expect(home.installed).toEqual({ inline: ["notes"], referenced: ["pdf"] });
    expect(home.env.HOME).toBe(home.home);
    expect(home.env[variable]).toBe(join(home.home, folder));
  });

  test("a single Markdown file is installed byte for byte as the SKILL.md of its skill", async () => {
    const folder = temporaryFolder({ "tea.md": skillMd("tea"), "odd.md": skillMd("real") });
    await using home = await createTemporaryHome({ agent: "claude", skills: ["tea.md", pdf], cwd: folder });
    expect(readdirSync(home.skillsDir).sort()).toEqual(["pdf", "tea"]);
    expect(readFileSync(join(home.skillsDir, "tea/SKILL.md"), "utf8")).toBe(skillMd("tea"));
    const odd = createTemporaryHome({ agent: "claude", skills: join(folder, "odd.md") });
    await expect(odd).rejects.toMatchObject({
      name: "SkillValidationError",
      message: expect.stringMatching(/odd.*real|real.*odd/s),
    });
  });

  test("for any other agent in the given folder", async () => {
    const agent = { skillsFolder: ".x/skills", env: { X_MODE: "quiet" } };
    await using home = await createTemporaryHome({ agent, skills: pdf });
    expect(readdirSync(join(home.home, ".x/skills"))).toEqual(["pdf"]);
    expect(home.env.X_MODE).toBe("quiet");
  });

  test.each(["/abs", "../out", "a/../../b", "", "~/x"])(
    "but never outside the home, as in %j",
    async (skillsFolder) => {
      await expect(createTemporaryHome({ agent: { skillsFolder }, skills: pdf })).rejects.toMatchObject({
        code: "option-invalid",
      });
      expect(leftovers()).toEqual([]);
    },
  );
});

test("the home is private, and the environment points to it and contains nothing else but PATH", async () => {
  vi.stubEnv("MY_SECRET", "secret");
  await using home = await createTemporaryHome({
    agent: "codex",
    skills: pdf,
    env: { API_KEY: "any", UNSET: undefined },
  });
  expect(lstatSync(join(home.home, "..")).mode & 0o777).toBe(0o700);
  const { PATH, API_KEY, ...rest } = home.env;
  expect({ PATH, API_KEY }).toEqual({ PATH: process.env.PATH, API_KEY: "any" });
  expect(Object.keys(rest).sort()).toEqual([
    "CODEX_HOME",
    "HOME",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
  ]);
  const { TMPDIR = "", ...folders } = rest;
  for (const path of Object.values(folders)) expect(path.startsWith(join(home.home, ".."))).toBe(true);
  expect(home.home.startsWith(TMPDIR)).toBe(false);
});

test.each([8, 20, 71, 150])(
  "with a temporary folder of %i characters, the agent's own is short enough for Unix sockets",
  async (length) => {
    const short = mkdtempSync("/tmp/h");
    onTestFinished(() => rmSync(short, { recursive: true, force: true }));
    const folder = length < short.length ? short : join(short, "x".repeat(length - short.length - 1));
    mkdirSync(folder, { recursive: true });
    vi.stubEnv("TMPDIR", folder);
    const home = await createTemporaryHome({ agent: "claude", skills: notes });
    const { TMPDIR = "" } = home.env;
    expect(lstatSync(TMPDIR).mode & 0o777).toBe(0o700);
    const server = createServer().listen(join(TMPDIR, "claude-bridge-0123456789abcdef.sock"));
    await once(server, "listening");
    server.close();
    await once(server, "close");
    await home.close();
    expect(existsSync(TMPDIR)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  },
);

describe("what is kept", () => {
  test("is passed on unchanged", async () => {
    const keep = { CODEX_HOME: join(temporary, "../codex"), XDG_CONFIG_HOME: "/etc/xdg" };
    await using home = await createTemporaryHome({ agent: "codex", skills: pdf, keep });
    expect(home.env).toMatchObject(keep);
  });

  test.each([
    ["claude", "CLAUDE_CONFIG_DIR", "", ".claude"],
    ["gemini", "GEMINI_CLI_HOME", ".gemini", ".gemini"],
  ] as const)(
    "is linked where the skills of %s must be inside it, and its own skills are left out",
    async (agent, variable, below, folder) => {
      const own = join(temporary, "../own");
      writeFiles(join(own, below), {
        ".credentials.json": "{}",
        "sessions/a": "",
        "skills/mine/SKILL.md": skillMd("mine"),
      });
      await using home = await createTemporaryHome({ agent, skills: pdf, keep: { [variable]: own } });
      const there = join(home.home, folder);
      expect(readlinkSync(join(there, ".credentials.json"))).toBe(join(own, below, ".credentials.json"));
      expect(readlinkSync(join(there, "sessions"))).toBe(join(own, below, "sessions"));
      expect(readdirSync(join(there, "skills"))).toEqual(["pdf"]);
      expect(home.env[variable]?.startsWith(home.home)).toBe(true);
      await home.close();
      // Removing the home removed none of the user's files.
      expect(readdirSync(join(own, below)).sort()).toEqual([".credentials.json", "sessions", "skills"]);
      expect(readdirSync(join(own, below, "sessions"))).toEqual(["a"]);
    },
  );

  test("Claude's settings are kept, with a rule against editing skills", async () => {
    const own = join(temporary, "../.claude");
    const settings = { model: "opus", permissions: { deny: ["WebFetch"], allow: ["Read"] } };
    writeFiles(own, { "settings.json": JSON.stringify(settings), "../.claude.json": "account" });
    await using home = await createTemporaryHome({ agent: "claude", skills: pdf, keep: { CLAUDE_CONFIG_DIR: own } });
    expect(JSON.parse(readFileSync(join(home.home, ".claude/settings.json"), "utf8"))).toEqual({
      model: "opus",
      permissions: { allow: ["Read"], deny: ["WebFetch", `Edit(/${home.skillsDir}/**)`] },
    });
    expect(readFileSync(join(home.home, ".claude/.claude.json"), "utf8")).toBe("account");
    expect(JSON.parse(readFileSync(join(own, "settings.json"), "utf8"))).toEqual(settings);
  });

  test.each([
    [{ HOME: "/root" }, "'HOME' cannot be kept"],
    [{ CLAUDE_CONFIG_DIR: "/no/such/folder" }, "the folder '/no/such/folder'"],
  ])("%j is refused", async (keep, reason) => {
    await expect(createTemporaryHome({ agent: "claude", skills: pdf, keep })).rejects.toThrow(reason);
    expect(leftovers()).toEqual([]);
  });
});

describe("skills", () => {
  test("can come from any source of a skillset", async () => {
    await using home = await createTemporaryHome({
      agent: "pi",
      skills: await createSkillset([join(pdf, ".."), notes]),
    });
    expect(home.installed).toEqual({ inline: ["notes"], referenced: ["pdf"] });
  });

  test("with tools are refused, and so are two of one name, a path without a skill, and an invalid skill", async () => {
    const tool = { name: "find", description: "Finds.", handler: () => 1 };
    const withTool = defineSkill({ name: "box", description: "Has a tool.", body: "#", tools: [tool] });
    writeFiles(temporary, { "../bad/SKILL.md": "no frontmatter", "../empty/a.md": "" });
    const reasons = new Map<TemporaryHomeOptions["skills"], RegExp>([
      [withTool, /^Skill 'box' has tools \(find\), which an agent cannot call from a file/],
      [[notes, defineSkill({ name: "notes", description: "Others.", body: "#" })], /notes/],
      [join(temporary, "../none"), /does not exist/],
      [join(temporary, "../empty"), /No skill at/],
      [join(temporary, "../bad"), /is invalid/],
    ]);
    for (const [skills, reason] of reasons) {
      await expect(createTemporaryHome({ agent: "claude", skills })).rejects.toThrow(reason);
      expect(leftovers()).toEqual([]);
    }
  });

  test("of a project are installed as they were trusted, or not at all", async () => {
    const trustStore = new TrustStore(join(temporary, "../trust.json"));
    const load = () => createSkillset([{ path: pdf, needsTrust: true }], { trustStore });
    trustStore.trust([pdf]);
    const trusted = await load();
    {
      await using home = await createTemporaryHome({ agent: "claude", skills: trusted });
      expect(home.installed.referenced).toEqual(["pdf"]);
    }
    writeFileSync(join(pdf, "a.md"), "changed");
    await expect(createTemporaryHome({ agent: "claude", skills: trusted })).rejects.toThrow(
      "has changed since it was trusted",
    );
    expect(leftovers()).toEqual([]);
  });
});

describe("nothing is left", () => {
  test("after it is closed twice, with files that the agent wrote and made read-only", async () => {
    const home = await createTemporaryHome({ agent: "claude", skills: pdf });
    mkdirSync(join(home.home, "cache/deep"), { recursive: true });
    writeFileSync(join(home.home, "cache/deep/a"), "");
    execFileSync("chmod", ["-R", "a-w", join(home.home, "cache")]);
    symlinkSync(pdf, join(home.home, "link"));
    await home.close();
    await home.close();
    expect(leftovers()).toEqual([]);
    expect(readdirSync(pdf).sort()).toEqual(["SKILL.md", "a.md"]);
  });

  test("after its user throws", async () => {
    const use = async (): Promise<void> => {
      await using _home = await createTemporaryHome({ agent: "claude", skills: pdf });
      throw new Error("mine");
    };
    await expect(use()).rejects.toThrow("mine");
    expect(leftovers()).toEqual([]);
  });

  test("after an abort before, during and after its creation", async () => {
    const options = { agent: "claude", skills: pdf } as const;
    await expect(createTemporaryHome({ ...options, signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
    for (let turns = 0; turns < 6; turns++) {
      const controller = new AbortController();
      const making = createTemporaryHome({ ...options, signal: controller.signal });
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      await making.catch((error) => expect(error).toMatchObject({ name: "AbortError" }));
      await vi.waitFor(() => expect(leftovers()).toEqual([]));
    }
  });

  test("after an agent that crashes, and whose children still write", async () => {
    await using home = await createTemporaryHome({ agent: "claude", skills: pdf });
    const mark = randomUUID();
    const script = `: ${mark}; (i=0; while [ $i -lt 60 ]; do mkdir -p "$HOME/x/$i"; echo > "$HOME/x/$i/f"; i=$((i+1)); sleep 0.002; done) & kill -SEGV $$`;
    const agent = spawn("/bin/sh", ["-c", script], { env: home.env });
    const [, signal] = await once(agent, "exit");
    expect(signal).toBe("SIGSEGV");
    await home.close();
    await vi.waitFor(() => expect(processesWith(mark)).toEqual([]));
    await home.close();
    expect(leftovers()).toEqual([]);
  });

  test.each([
    ["exits", "process.exit(3)", 3],
    ["throws", "throw new Error()", 1],
    ["just ends", "", 0],
    [
      "exits at a signal",
      "process.once('SIGTERM', () => process.exit(143)); process.kill(process.pid, 'SIGTERM'); await new Promise((resolve) => setTimeout(resolve, 10_000));",
      143,
    ],
  ])("after a program that %s without closing it", async (_, last, code) => {
    expect(await runProgram(last)).toEqual({ code, signal: null });
    expect(leftovers()).toEqual([]);
  });

  test.each(["SIGKILL", "SIGTERM", "SIGINT"])("after %s, once another home is made", async (signal) => {
    const last = `process.kill(process.pid, '${signal}'); await new Promise((resolve) => setTimeout(resolve, 10_000));`;
    expect(await runProgram(last)).toEqual({ code: null, signal });
    expect(leftovers()).toHaveLength(1);
    await using _home = await createTemporaryHome({ agent: "pi", skills: pdf });
    expect(leftovers()).toHaveLength(1);
    expect(leftovers()[0]).toContain(ownProcess());
  });
});

test("a user other than root cannot write to the skills, but can remove and replace them", async ({ skip }) => {
  skip(!canBeNobody(), "run it as root, from a folder that every user may read (`mktemp -d` makes others)");
  const program = `import { createTemporaryHome, installSkills } from ${JSON.stringify(LIBRARY)};
    import { execFileSync } from "node:child_process";
    import { writeFileSync } from "node:fs";
    const home = await createTemporaryHome({ agent: "claude", skills: ${JSON.stringify(pdf)} });
    for (const path of ["pdf/SKILL.md", "pdf/new.md", "new.md"])
      try { writeFileSync(home.skillsDir + "/" + path, "x"); console.log("wrote", path); } catch ({ code }) { console.log(code); }
    await home.close();
    const skills = process.env.TMPDIR + "/other/skills";
    const item = (content) => [{ name: "a", source: "inline", content }, { name: "pdf", source: "ref", folder: ${JSON.stringify(pdf)} }];
    await installSkills(skills, item("old"));
    await installSkills(skills, item("new"), { replace: true });
    const broken = [...item("x"), { name: "b", source: "ref", folder: "/none" }];
    await installSkills(skills, broken, { replace: true }).catch(({ name }) => console.log(name));
    console.log(execFileSync("sh", ["-c", "cat a/SKILL.md; ls -A .. ."], { cwd: skills, encoding: "utf8" }));`;
  chmodSync(join(temporary, ".."), 0o755);
  chmodSync(temporary, 0o777);
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { uid: 65534, gid: 65534 });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe("");
  expect(out.trim().split("\n")).toEqual([
    "EACCES",
    "EACCES",
    "EACCES",
    "SkillInstallationError",
    "new.:",
    "a",
    "pdf",
    "",
    "..:",
    "skills",
  ]);
  expect(leftovers()).toEqual(["other"]);
});

test("a file that this user may not read is named by its own path", async ({ skip }) => {
  skip(!canBeNobody(), "run it as root, from a folder that every user may read (`mktemp -d` makes others)");
  const secret = join(pdf, "refs/secret.md");
  writeFiles(pdf, { "refs/secret.md": "x" });
  chmodSync(secret, 0o600);
  chmodSync(join(temporary, ".."), 0o755);
  chmodSync(temporary, 0o777);
  const program = `import { createTemporaryHome } from ${JSON.stringify(LIBRARY)};
    await createTemporaryHome({ agent: "claude", skills: ${JSON.stringify(pdf)} }).catch(({ message }) => console.log(message));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { uid: 65534, gid: 65534 });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe("");
  expect(out).toContain(`EACCES: permission denied, open '${secret}'`);
  expect(leftovers()).toEqual([]);
});

test.each(["/proc", "/dev/null", "/none"])(
  "a home that cannot be made in the temporary folder %s is an error that names it and the fix",
  async (folder) => {
    vi.stubEnv("TMPDIR", folder);
    const failure = createTemporaryHome({ agent: "claude", skills: pdf });
    await expect(failure).rejects.toMatchObject({ code: "option-invalid", cause: { code: expect.any(String) } });
    await expect(failure).rejects.toThrow(`Cannot create a temporary folder in '${folder}' (ENO`);
    await expect(failure).rejects.toThrow("Make it writable, or set TMPDIR to another folder.");
  },
);

describe("the sweep leaves alone", () => {
  const name = (owner: string): string => `skillset-home-${owner}-0123456789ab`;
  const dead = ownProcess().replace(/^\d+\.\d+/, "4194303.1");

  test.each([
    ["a home whose process lives", () => make(name(ownProcess()), ownProcess())],
    ["one from another container", () => make(name("4194303.1.1"), "4194303.1.1")],
    ["one without a marker that is not empty", () => make(name(dead), undefined)],
    ["one whose marker names another owner", () => make(name(dead), "1.1.1")],
    ["a folder with another name", () => make("skillset-home-mine", dead)],
    [
      "what a link leads to",
      () => {
        const target = make("elsewhere", dead);
        symlinkSync(target, join(temporary, name(dead)));
        return target;
      },
    ],
  ])("%s", async (_, prepare) => {
    const folder = prepare();
    await (await createTemporaryHome({ agent: "pi", skills: pdf })).close();
    expect(readFileSync(join(folder, "precious"), "utf8")).toBe("mine");
  });

  test("nothing of a dead one's, of one whose number another process has now, and of an empty one", async () => {
    const reused = ownProcess().replace(/\.\d+\./, ".1.");
    make(name(dead), dead);
    make(name(reused), reused);
    mkdirSync(join(temporary, name(dead).replace("ab", "cd")));
    await (await createTemporaryHome({ agent: "pi", skills: pdf })).close();
    expect(leftovers()).toEqual([]);
  });

  test("a folder of another user's", async ({ skip }) => {
    skip(process.getuid?.() !== 0, "run it as root: only root can give a folder away");
    const folder = make(name(dead), dead);
    execFileSync("chown", ["65534", folder]);
    await (await createTemporaryHome({ agent: "pi", skills: pdf })).close();
    expect(existsSync(join(folder, "precious"))).toBe(true);
  });

  function make(folder: string, owner: string | undefined): string {
    writeFiles(join(temporary, folder), { precious: "mine", ...(owner !== undefined && { ".skillset-owner": owner }) });
    return join(temporary, folder);
  }
});

/** Runs a program that creates a home and then does something, in a separate process. */
async function runProgram(last: string) {
  const program = `import { createTemporaryHome } from ${JSON.stringify(LIBRARY)};
    const home = await createTemporaryHome({ agent: "claude", skills: ${JSON.stringify(pdf)} });
    ${last}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "ignore" });
  const [code, signal] = await once(child, "exit");
  return { code, signal };
}

/** Whether a process of nobody's could be started that reads the library. */
function canBeNobody(): boolean {
  if (process.getuid?.() !== 0) return false;
  const look = `process.getBuiltinModule("node:fs").accessSync(${JSON.stringify(LIBRARY)})`;
  return spawnSync(process.execPath, ["-e", look], { uid: 65534, gid: 65534 }).status === 0;
}
