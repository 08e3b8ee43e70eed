import { expect, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { createSkillset } from "../../node/load/create-skillset.ts";
import type { AllowedToolsPolicy } from "../allowed-tools/decide-call.ts";
import type { ScriptHooks, ScriptRunner } from "../script/script.ts";
import { defineSkill } from "../skill/define-skill.ts";

/** Frontmatter of the skills, by name. Each has a script. */
const FIELDS: Readonly<Record<string, string>> = {
  free: "",
  git: "allowed-tools: Bash(git:*)\n",
  reader: "allowed-tools: Read Grep\n",
  both: "allowed-tools: Read Bash(git:*)\n",
  shell: "allowed-tools: Bash\n",
  scripts: "allowed-tools: Bash(scripts/*)\n",
  python: "allowed-tools: Bash(python3 scripts/run.py:*)\n",
  careful: "disallowed-tools: Bash(git push:*), WebFetch\n",
  listed: "disallowed-tools:\n  - Bash(git push *)\n",
  empty: "allowed-tools:\n",
};

const FILES = Object.fromEntries(
  Object.entries(FIELDS).flatMap(([name, field]) => [
    [`${name}/SKILL.md`, skillMd(name).replace("---\n\n", `${field}---\n\n`)],
    [`${name}/scripts/run.sh`, "true\n"],
    [`${name}/scripts/run.py`, "pass\n"],
  ]),
);

const RUNNER: ScriptRunner = {
  level: "fake",
  check: async () => undefined,
  run: async ({ script }) => ({ outcome: "exited", exitCode: 0, command: [script], stdout: "", stderr: "" }),
};

async function open(allowedTools: AllowedToolsPolicy | undefined, active: readonly string[], hooks: ScriptHooks = {}) {
  const asked: string[] = [];
  const consent = ({ skill }: { readonly skill: string }) => {
    asked.push(skill);
    return "once" as const;
  };
  const skillset = await createSkillset([temporaryFolder(FILES)], {
    cwd: "/work/app",
    scripts: { runner: RUNNER, consent, ...hooks },
    ...(allowedTools && { allowedTools }),
  });
  const session = await skillset.session();
  for (const name of active) await session.activate(name);
  const events = () => session.ledger.entries.filter(({ type }) => type.startsWith("tool-"));
  return { session, asked, events };
}

const STATUS = ["Bash", { command: "git status" }] as const;
const PUSH = ["Bash", { command: "git push" }] as const;
const READ = ["Read", { file_path: "/work/app/a.md" }] as const;

/** Policy, active skills, call, and what happens: `allowed`, or who denies or reports it, with the token. */
const HOST_CALLS: readonly [AllowedToolsPolicy | undefined, string, readonly [string, unknown], string][] = [
  ["off", "git", READ, "allowed"],
  ["off", "careful", PUSH, "allowed"],
  [undefined, "git", READ, "tool-outside git Read(//work/app/a.md)"],
  ["log", "git", READ, "tool-outside git Read(//work/app/a.md)"],
  ["log", "careful", PUSH, "tool-outside careful Bash(git push:*)"],
  ["log", "git", STATUS, "allowed"],
  ["enforce", "", READ, "allowed"],
  ["enforce", "free", READ, "allowed"],
  ["enforce", "empty", READ, "allowed"],
  ["enforce", "git", STATUS, "allowed"],
  ["enforce", "git", READ, "tool-denied git Read(//work/app/a.md)"],
  ["enforce", "git", ["WebSearch", {}], "tool-denied git WebSearch"],
  ["enforce", "free git", READ, "tool-denied git Read(//work/app/a.md)"],
  ["enforce", "git reader", STATUS, "tool-denied reader Bash(git:*)"],
  ["enforce", "reader git", STATUS, "tool-denied reader Bash(git:*)"],
  ["enforce", "git reader", READ, "tool-denied git Read(//work/app/a.md)"],
  ["enforce", "git both", STATUS, "allowed"],
  ["enforce", "reader both", READ, "allowed"],
  ["enforce", "shell", ["Bash", { command: "echo $(id) > x" }], "allowed"],
  ["enforce", "careful", PUSH, "tool-denied careful Bash(git push:*)"],
  ["enforce", "careful", ["Bash", { command: "ls; git push" }], "tool-denied careful Bash(git push:*)"],
  ["enforce", "careful", ["WebFetch", { url: "https://example.com" }], "tool-denied careful WebFetch"],
  ["enforce", "careful", STATUS, "allowed"],
  ["enforce", "listed", PUSH, "tool-denied listed Bash(git push *)"],
  ["enforce", "git careful", PUSH, "tool-denied careful Bash(git push:*)"],
];

test.each(HOST_CALLS)("%s, active: '%s', call %j: %s", async (policy, active, [tool, input], expected) => {
  const { session, events } = await open(policy, active.split(" ").filter(Boolean));
  const decision = session.checkTool(tool, input);
  const [event] = events();
  const seen = event && "token" in event ? `${event.type} ${event.skill} ${event.token}` : "allowed";
  expect(seen).toBe(expected);
  expect(decision.allowed).toBe(!expected.startsWith("tool-denied"));
});

/** Policy, active skills, skill whose `scripts/run.sh` the model runs, and what happens. */
const SCRIPTS: readonly [AllowedToolsPolicy, string, string, "granted" | "asked" | `denied by ${string}`][] = [
  ["off", "scripts", "scripts", "asked"],
  ["log", "scripts", "scripts", "asked"],
  ["log", "reader", "reader", "asked"],
  ["enforce", "scripts", "scripts", "granted"],
  ["enforce", "shell", "shell", "granted"],
  ["enforce", "free", "free", "asked"],
  ["enforce", "", "scripts", "asked"],
  ["enforce", "", "reader", "denied by reader"],
  ["enforce", "reader", "reader", "denied by reader"],
  ["enforce", "reader", "free", "denied by reader"],
  ["enforce", "scripts reader", "scripts", "denied by reader"],
  ["enforce", "reader scripts", "scripts", "denied by reader"],
  ["enforce", "scripts shell", "scripts", "granted"],
  ["enforce", "shell free", "free", "asked"],
  ["enforce", "scripts free", "free", "denied by scripts"],
  ["enforce", "careful", "careful", "asked"],
];

test.each(SCRIPTS)("%s, active: '%s', script of '%s': %s", async (policy, active, skill, expected) => {
  const { session, asked, events } = await open(policy, active.split(" ").filter(Boolean));
  const result = await session.scripts.run(skill, "scripts/run.sh", { args: ["a b"] });
  const denying = events().find(({ type }) => type === "tool-denied");
  const granted = events().some(({ type }) => type === "tool-granted");
  expect(result.outcome).toBe(expected.startsWith("denied") ? "refused" : "exited");
  const by = denying !== undefined && "skill" in denying ? `denied by ${denying.skill}` : undefined;
  expect(by ?? (granted ? "granted" : asked.length === 1 ? "asked" : "ran")).toBe(expected);
  expect(asked).toEqual(expected === "asked" ? [skill] : []);
});

test("a token may name a script after its interpreter", async () => {
  const { session, asked } = await open("enforce", ["python"]);
  expect(await session.scripts.run("python", "scripts/run.py")).toMatchObject({ outcome: "exited" });
  expect(asked).toEqual([]);
});

test("with grants: false, consent decides on scripts that allowed-tools cover", async () => {
  const { session, asked } = await open("enforce", ["scripts"], { grants: false });
  await session.scripts.run("scripts", "scripts/run.sh");
  expect(asked).toEqual(["scripts"]);
});

test.each([
  [false, 0],
  [true, 1],
])("with grants: %s, opening a session reads the files of %i skills", async (grants, reads) => {
  const digest = vi.fn(async () => "sha256:0");
  const skill = {
    ...defineSkill({ name: "tea", description: "Makes tea.", body: "x", allowedTools: ["Bash"] }),
    digest,
  };
  const skillset = await createSkillset([skill], { scripts: { runner: RUNNER }, allowedTools: "enforce" });
  await skillset.session({ scripts: { grants } });
  expect(digest).toHaveBeenCalledTimes(reads);
});

test("the model gets one sentence with the skill and the token, and can still use all operations", async () => {
  const { session } = await open("enforce", ["reader"]);
  const { tools } = await session.turn([{ role: "user", text: "Hello" }]);
  const execute = (id: string, input: object) => tools.find((tool) => tool.id === id)?.execute(input);
  expect(await execute("run_skill_script", { skill: "free", script: "scripts/run.sh" })).toEqual({
    isError: true,
    code: "script-refused",
    text: "This call of 'Bash' is not allowed while skill 'reader' is in use: its allowed-tools lack 'Bash(free/scripts/run.sh:*)'.",
  });
  expect(await execute("activate_skill", { name: "git" })).toMatchObject({ isError: false });
  expect(await execute("read_skill_file", { skill: "git", path: "scripts/run.sh" })).toMatchObject({ isError: false });
});

test("a skill's own tools need a token too: the name in the skill, or the qualified name", async () => {
  const tools = [{ name: "Read", description: "Looks like another tool.", handler: () => "Done." }];
  const more = { description: "Has a tool.", body: "# Tool", tools };
  const skillset = await createSkillset(
    [
      defineSkill({ name: "plain", ...more }),
      defineSkill({ name: "own", allowedTools: ["Read"], ...more }),
      defineSkill({ name: "other", allowedTools: ["Read", "own__Read"], ...more }),
      defineSkill({ name: "none", allowedTools: ["Bash"], ...more }),
    ],
    { allowedTools: "enforce" },
  );
  const session = await skillset.session();
  const denied = { code: "tool-denied" };
  await expect(session.call("none", "Read", {})).rejects.toMatchObject(denied);
  await expect(session.call("own", "Read", {})).resolves.toMatchObject({ text: "Done." });
  await session.activate("other");
  await expect(session.call("own", "Read", {})).resolves.toMatchObject({ text: "Done." });
  await expect(session.call("plain", "Read", {})).rejects.toMatchObject(denied);
});

test("a host maps the names of its tools, and the session's options override the skillset's", async () => {
  const skillset = await createSkillset([temporaryFolder(FILES)], { allowedTools: "off", toolNames: { Bash: "run" } });
  const session = await skillset.session({ allowedTools: "enforce", toolNames: { Bash: ["shell", "exec"] } });
  await session.activate("git");
  const command = { command: "git status" };
  expect(["shell", "exec", "run", "Bash"].map((tool) => session.checkTool(tool, command).allowed)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("a skillset made of others has the strictest of their policies", async () => {
  const [strict, lax] = await Promise.all(
    (["enforce", "off"] as const).map((allowedTools) => createSkillset([], { allowedTools })),
  );
  expect((await createSkillset([lax ?? [], strict ?? []].flat())).settings.allowedTools).toBe("enforce");
});

test("a policy that does not exist is refused", async () => {
  const options = { allowedTools: "strict" as never };
  await expect(createSkillset([], options)).rejects.toMatchObject({ code: "option-invalid" });
  await expect((await createSkillset([])).session(options)).rejects.toMatchObject({ code: "option-invalid" });
});
