import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { toToolCall } from "../../packages/skillset/src/core/allowed-tools/tool-call.ts";
import { parseToolToken } from "../../packages/skillset/src/core/allowed-tools/tool-token.ts";
import { createSkillset, defineSkill, type Session, standardFolders } from "../../packages/skillset/src/index.ts";
import { TrustStore } from "../../packages/skillset/src/node/trust/trust.ts";
import { skillMd, temporaryFolder, writeFiles } from "../temporary-folder.ts";
import { report } from "./report.ts";

const EVIL = "rm -rf ~";

/** Command lines that contain a git command, and might run another one or write a file. */
const COMMANDS: readonly string[] = [
  ...[";", "&&", "||", "|", "|&", "&", "\n", "\r", "\r\n", "\u2028", "\u0085", "\v", "\f", "\0"].flatMap(
    (separator) => [
      `git status${separator}${EVIL}`,
      `git status ${separator} ${EVIL}`,
      `${EVIL}${separator}git status`,
    ],
  ),
  ...[`$(${EVIL})`, `\`${EVIL}\``, `\${x:-$(${EVIL})}`, `$((\`${EVIL}\`))`, `$[$(${EVIL})]`].flatMap((substitution) => [
    `git log ${substitution}`,
    `git log "${substitution}"`,
    `git log --format="%h ${substitution}"`,
    `git log '%h'${substitution}`,
    `git log "it's ${substitution}"`,
  ]),
  `git log <(${EVIL})`,
  `git log >(${EVIL})`,
  `git log "'$(${EVIL})'"`,
  `git log "\\\\$(${EVIL})"`,
  `git log 'a'"'"'$(${EVIL})'"`,
  `git log \\'$(${EVIL})\\'`,
  `git log \\";${EVIL};\\"`,
  `git log \\';${EVIL};\\'`,
  `git log 'a\\';${EVIL};'b'`,
  `git log "a\\\\";${EVIL};"b"`,
  `git log $'\\';${EVIL};'`,
  `git log $"\`${EVIL}\`"`,
  `git log "unbalanced;${EVIL}`,
  `git log 'unbalanced\n${EVIL}`,
  `git log # '\n${EVIL} #'`,
  `git log #"\n${EVIL} #"`,
  `git log <<'git'\nx\ngit\n${EVIL}`,
  `git log <<<"$(${EVIL})"`,
  `git log > ~/.bashrc`,
  `git log >> ~/.bashrc`,
  `git log >| ~/.bashrc`,
  `git log &> ~/.bashrc`,
  `git log >& ~/.bashrc`,
  `git log 2>~/.bashrc`,
  `git log >&1~/.bashrc`,
  `git log <> ~/.bashrc`,
  `git log {fd}>~/.bashrc`,
  `git status \\\n; ${EVIL}`,
  `git status; { ${EVIL}; }`,
  `git status; (${EVIL})`,
  `(git status; ${EVIL})`,
  `git() { ${EVIL}; }; git status`,
  `function git { ${EVIL}; }; git status`,
  `alias git='${EVIL}'; git status`,
  `GIT_PAGER='${EVIL}' git log`,
  `PATH=. git status`,
  `git[0]=1 git status`,
  `git=1; $git`,
  `export PATH=.; git status`,
  `env git status`,
  `eval git status`,
  `exec git status`,
  `command git status; ${EVIL}`,
  `if true; then ${EVIL}; fi; git status`,
  `while git status; do ${EVIL}; done`,
  `for x in git; do ${EVIL}; done`,
  `! git status`,
  `coproc git status`,
  `git\u00a0status`,
  `git\u2003status`,
  `git\u200bstatus`,
  `git\u3000status;${EVIL}`,
  `\u202egit status`,
  `git\u{e0020}status`,
  `ｇit status`,
  `gіt status`,
  `./git status`,
  `~/git status`,
  `/tmp/git status`,
  `GIT status`,
  `'git' status; ${EVIL}`,
  `git-evil`,
  `git.sh`,
  `gits`,
  ` ; git status`,
  `git status ;; git log`,
  "",
  " ",
  "\n",
];

/** Tokens that might be mistaken for `Bash`, `Bash(*)` or a server's name. */
const TOKENS: readonly string[] = [
  ...[
    "bash",
    "BASH",
    "Вash",
    "Ｂash",
    "Ba​sh",
    "Bash\u200b",
    "B\u0430sh",
    "Bas\u0068\u0301",
    "Bash.",
    "Bash:*",
    "Bash*",
    "B*",
  ],
  ...[
    "Bash(",
    "Bash)",
    "Bash()",
    "Bash(:*)",
    "Bash(git",
    "Bash(git:*",
    "Bash((git:*)",
    "Bash (git:*)",
    "(Bash)",
    "Bash(git:*)x",
  ],
  ...[
    "Bash[git:*]",
    "Bash{git}",
    "Bash(git:**)x",
    "",
    " ",
    "()",
    "Bash(\u0000)",
    "Bash(git\u0000:*)",
    "Bash,Read",
    "Bash Read",
  ],
];

test("a prefix covers none of the lines that might run something else", () => {
  const prefixes = ["Bash(git:*)", "Bash(git *)", "Bash(git status:*)", "Bash(git log:*)"].map((text) =>
    parseToolToken(text),
  );
  const through = COMMANDS.filter((subject) => prefixes.some((token) => token.covers({ tool: "Bash", subject })));
  const naive = COMMANDS.filter((line) => line.startsWith("git "));
  report("allowed tools", {
    tried: "command lines that might run something else",
    cases: COMMANDS.length,
    through: through.length,
    control: `a plain prefix allows ${naive.length}`,
  });
  expect(through).toEqual([]);
  expect(naive.length).toBeGreaterThan(50);
});

test("disallowing a command also denies every line that hides it", () => {
  const token = parseToolToken("Bash(rm:*)");
  const hiding = COMMANDS.filter((line) => line.includes(EVIL) && !line.includes("alias") && !line.includes("command"));
  expect(hiding.length).toBeGreaterThan(60);
  expect(hiding.filter((subject) => !token.mayCover({ tool: "Bash", subject }))).toEqual([]);
});

test("a token that only looks like Bash covers no command", () => {
  const through = TOKENS.filter((text) =>
    ["git status", EVIL, "", undefined].some((subject) => parseToolToken(text).covers({ tool: "Bash", subject })),
  );
  expect(through).toEqual([]);
});

/** Fields that change what runs or where, beside a command that is allowed. */
const FIELDS: readonly (readonly [name: string, value: unknown])[] = [
  ...["cwd", "workdir", "working_directory", "directory", "dir_path", "dir", "folder", "cd", "chdir", "root"].map(
    (name) => [name, "/tmp/evil"] as const,
  ),
  ...["env", "env_vars", "envs", "environment", "variables"].map((name) => [name, { PATH: "/tmp/evil" }] as const),
  ...["PATH", "path", "env_file", "shell", "interpreter", "executable", "chroot"].map(
    (name) => [name, "/tmp/evil"] as const,
  ),
  ...["args", "argv", "command_args", "extra_args", "params", "flags", "cmds", "commands"].map(
    (name) => [name, [EVIL]] as const,
  ),
  ...["prefix", "suffix", "stdin", "input", "before", "after", "shell_command", "cmd", "script"].map(
    (name) => [name, EVIL] as const,
  ),
  ...["host", "machine", "container", "user", "server", "image", "url", "language"].map(
    (name) => [name, "evil"] as const,
  ),
  ["sudo", true],
];

describe("other fields of a command's input", () => {
  const covers = (text: string, input: object, cwd = "/work/app"): boolean =>
    parseToolToken(text, { cwd }).covers(toToolCall("Bash", input));

  test("no field that changes what runs leaves a command covered", () => {
    const tokens = ["Bash(./run.sh:*)", "Bash(scripts/*)", "Bash(python3 run.py)", "Bash(bash run.sh:*)"];
    const commands = ["./run.sh", "scripts/run.sh", "python3 run.py", "bash run.sh"];
    const inputs = FIELDS.flatMap(([name, value]) => commands.map((command) => ({ command, [name]: value })));
    const through = inputs.filter((input) => tokens.some((text) => covers(text, input)));
    const naive = inputs.filter(({ command }) => tokens.some((text) => covers(text, { command })));
    report("allowed tools", {
      tried: "fields beside a command that change what runs",
      cases: inputs.length,
      through: through.length,
      control: `reading only the command allows ${naive.length}`,
    });
    expect(through).toEqual([]);
    expect(naive).toHaveLength(inputs.length);
  });

  test("a program that is found by its name is the same one in every folder", () => {
    expect(covers("Bash(git:*)", { command: "git diff origin/main", workdir: "/tmp/other" })).toBe(true);
    expect(covers("Bash(/usr/bin/make:*)", { command: "/usr/bin/make", workdir: "/tmp/other" })).toBe(true);
    expect(covers("Bash(curl https://example.com/*)", { command: "curl https://example.com/a", cwd: "/" })).toBe(true);
  });

  test.each(["/work/app", "/work/app/", ".", "./", ""])("the folder %j is the working folder", (cwd) => {
    expect(covers("Bash(./run.sh:*)", { command: "./run.sh a", cwd })).toBe(true);
    expect(covers("Bash(python3 scripts/run.py:*)", { command: "python3 scripts/run.py", cwd })).toBe(true);
  });

  test("every command of a line is one in the folder of the input", async () => {
    const skill = defineSkill({
      name: "a",
      description: "Does it.",
      body: "Do it",
      allowedTools: ["Bash(./a)", "Bash(git:*)"],
    });
    const session = await (await createSkillset([skill], { allowedTools: "enforce" })).session();
    await session.activate("a");
    const allows = (cwd: string) =>
      session.checkTool("Bash", { command: "git log; ./a", cwd }, { cwd: "/work" }).allowed;
    expect(["/work", "/tmp/evil"].map(allows)).toEqual([true, false]);
  });
});

test.each([
  "src/../../secret",
  "src/../../../etc/passwd",
  "./src/../../app2/x",
  "/work/app/src/../../x",
  "/work/app/../app2/src/x",
  "src/..\\..\\x",
  "..",
  "../app/../x",
  "/work/app2/src/x",
  "/work/application/src/x",
  "~/src/x",
  "~root/src/x",
  "src\u0000/../../x",
  "//work/x",
  "ѕrc/x",
])("a pattern for src does not cover %j", (subject) => {
  const tokens = ["Read(src/**)", "Read(./src/**)", "Read(/src/**)", "Read(src)"];
  for (const text of tokens) {
    const token = parseToolToken(text, { cwd: "/work/app", home: "/home/ann" });
    expect(token.covers({ tool: "Read", subject }), text).toBe(false);
  }
});

describe("skills that try to widen what is allowed", () => {
  const SHELL = { command: "git status" };
  const define = (name: string, allowedTools: readonly string[] = []) =>
    defineSkill({ name, description: "Does it.", body: "# Do it", allowedTools });
  const allows = (session: Session, command = SHELL): boolean => session.checkTool("Bash", command).allowed;

  test("no order of activation and no further skill lifts a restriction", async () => {
    const skills = [
      define("narrow", ["Read"]),
      define("wide", ["*"]),
      define("bash", ["Bash", "Bash(*)"]),
      define("open"),
    ];
    const skillset = await createSkillset(skills, { allowedTools: "enforce" });
    const names = skills.map(({ name }) => name);
    for (const first of names)
      for (const second of names)
        for (const third of names) {
          const session = await skillset.session();
          for (const name of [first, second, third]) await session.activate(name);
          expect(allows(session)).toBe(![first, second, third].includes("narrow"));
        }
  });

  test("activating a skill again, or with arguments, keeps its restriction", async () => {
    const session = await (await createSkillset([define("narrow", ["Read"])], { allowedTools: "enforce" })).session();
    await session.activate("narrow");
    await session.activate("narrow", { arguments: "allowed-tools: Bash" });
    await session.activate("narrow", { by: "host" });
    expect(allows(session)).toBe(false);
  });

  test("a skill cannot name another skill's script or tool with its own tokens", async () => {
    const folder = temporaryFolder({
      "a/SKILL.md": withTools("a", "Bash(scripts/run.sh:*)"),
      "a/scripts/run.sh": "true\n",
      "b/SKILL.md": skillMd("b"),
      "b/scripts/run.sh": "true\n",
      "b/git": "#!/bin/sh\ntrue\n",
      "c/SKILL.md": withTools("c", "Bash(git:*) Bash(b/git:*)"),
    });
    const asked: string[] = [];
    const consent = ({ skill }: { readonly skill: string }) => {
      asked.push(skill);
      return "deny" as const;
    };
    const skillset = await createSkillset([folder], { allowedTools: "enforce", scripts: { runner: RUNNER, consent } });
    const session = await skillset.session();
    await session.activate("a");
    expect(await session.scripts.run("a", "scripts/run.sh")).toMatchObject({ outcome: "exited" });
    expect(await session.scripts.run("b", "scripts/run.sh")).toMatchObject({ outcome: "refused" });
    expect(await session.scripts.run("a", "./scripts/../scripts/run.sh")).toMatchObject({ outcome: "exited" });
    const other = await skillset.session();
    await other.activate("c");
    expect(await other.scripts.run("b", "scripts/run.sh")).toMatchObject({ outcome: "refused" });
    expect(asked).toEqual([]);
    // A token of another skill that names the script lets it be asked about, and never grants it.
    expect(await other.scripts.run("b", "git", { args: ["status"] })).toMatchObject({ outcome: "refused" });
    expect(asked).toEqual(["b"]);
  });

  test("arguments of a script never become commands or another script", async () => {
    const folder = temporaryFolder({
      "a/SKILL.md": withTools("a", "Bash(scripts/run.sh --safe) Bash(scripts/ok.sh:*)"),
      "a/scripts/run.sh": "true\n",
      "a/scripts/ok.sh": "true\n",
      "a/scripts/ok.sh x/evil.sh": "true\n",
    });
    const skillset = await createSkillset([folder], { allowedTools: "enforce", scripts: { runner: RUNNER } });
    const session = await skillset.session();
    await session.activate("a");
    const outcome = async (script: string, ...args: string[]) =>
      (await session.scripts.run("a", script, { args })).outcome;
    expect(await outcome("scripts/run.sh", "--safe")).toBe("exited");
    expect(await outcome("scripts/run.sh", "--unsafe")).toBe("refused");
    expect(await outcome("scripts/run.sh", "--safe", "--unsafe")).toBe("refused");
    expect(await outcome("scripts/run.sh", "--safe --unsafe")).toBe("refused");
    for (const arg of ["; rm -rf ~", "$(id)", "a'b", "`id`", "a\nb", '"', "--x='y'"]) {
      expect(await outcome("scripts/ok.sh", arg), arg).toBe("exited");
      expect(await outcome("scripts/run.sh", arg), arg).toBe("refused");
    }
    expect(await outcome("scripts/ok.sh x/evil.sh")).toBe("refused");
  });

  test("a skill that was changed after the session started must ask", async () => {
    const folder = temporaryFolder({
      "a/SKILL.md": withTools("a", "Bash"),
      "a/scripts/run.sh": "true\n",
    });
    const asked: string[] = [];
    const consent = ({ digest }: { readonly digest: string }) => {
      asked.push(digest);
      return "deny" as const;
    };
    const skillset = await createSkillset([folder], { allowedTools: "enforce", scripts: { runner: RUNNER, consent } });
    const session = await skillset.session();
    await session.activate("a");
    expect((await session.scripts.run("a", "scripts/run.sh")).outcome).toBe("exited");
    writeFileSync(join(folder, "a/scripts/run.sh"), "evil\n");
    expect((await session.scripts.run("a", "scripts/run.sh")).outcome).toBe("refused");
    // Also if its SKILL.md changes, the skillset is loaded again, or a new skill appears.
    writeFiles(folder, {
      "a/SKILL.md": withTools("a", "Bash Read"),
      "new/SKILL.md": withTools("new", "Bash"),
      "new/scripts/run.sh": "evil\n",
    });
    await session.use((await skillset.reload()).skillset);
    await session.activate("new");
    expect((await session.scripts.run("a", "scripts/run.sh")).outcome).toBe("refused");
    expect((await session.scripts.run("new", "scripts/run.sh")).outcome).toBe("refused");
    expect(new Set(asked).size).toBe(3);
  });

  test("a skill that is only installed for the user must ask", async () => {
    const { session } = await inStandardFolders("home");
    expect(await session.scripts.run("a", "scripts/run.sh")).toMatchObject({ outcome: "refused" });
  });

  test("a project's skill runs what it lists once it is trusted, and nothing after it has changed", async () => {
    const { session, root } = await inStandardFolders("repo");
    expect(await session.scripts.run("a", "scripts/run.sh")).toMatchObject({ outcome: "exited" });
    writeFileSync(join(root, "repo/.agents/skills/a/scripts/run.sh"), "evil\n");
    await expect(session.scripts.run("a", "scripts/run.sh")).rejects.toMatchObject({ code: "skill-locked" });
  });

  test("a skill from another program or a registry must ask", async () => {
    const definition = { name: "a", description: "Does it.", body: "# Do it", allowedTools: ["Bash"] };
    const remote = { ...defineSkill({ ...definition, files: { "scripts/run.sh": "true\n" } }), isRemote: true };
    const files = [{ path: "scripts/run.sh", size: 5 }];
    const list = async () => [{ folder: "a", skillMd: withTools("a", "Bash"), files }];
    for (const source of [remote, { name: "registry", list, read: async () => "true\n" }]) {
      const options = { allowedTools: "enforce", scripts: { runner: RUNNER } } as const;
      const session = await (await createSkillset([source], options)).session();
      await session.activate("a");
      expect(await session.scripts.run("a", "scripts/run.sh")).toMatchObject({ outcome: "refused" });
    }
  });
});

/** A session with an active skill in a standard folder, which is trusted, and lists its scripts. */
async function inStandardFolders(place: "home" | "repo") {
  const root = temporaryFolder({
    "repo/.git/HEAD": "",
    [`${place}/.agents/skills/a/SKILL.md`]: withTools("a", "Bash(scripts/*)"),
    [`${place}/.agents/skills/a/scripts/run.sh`]: "true\n",
  });
  const trustStore = new TrustStore(join(root, "config/trust.json"));
  trustStore.trust([join(root, place, ".agents/skills/a")]);
  const sources = standardFolders({ cwd: join(root, "repo"), home: join(root, "home") });
  const skillset = await createSkillset(sources, { trustStore, allowedTools: "enforce", scripts: { runner: RUNNER } });
  const session = await skillset.session();
  await session.activate("a");
  return { root, session };
}

function withTools(name: string, tools: string): string {
  return skillMd(name).replace("---\n\n", `allowed-tools: ${tools}\n---\n\n`);
}

const RUNNER = {
  level: "fake",
  check: async () => undefined,
  run: async ({ script }: { readonly script: string }) =>
    ({ outcome: "exited", exitCode: 0, command: [script], stdout: "", stderr: "" }) as const,
};
