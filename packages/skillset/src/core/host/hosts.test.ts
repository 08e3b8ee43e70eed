import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../test/temporary-folder.ts";
import { strictSkillsOf } from "../../compat/strict-skills.ts";
import { createSkillset, defineSkill, type Session, type Skillset } from "../../index.ts";
import { outputsOf } from "../../scripts/index.ts";
import type { ConsentRequest, ScriptRunner } from "../script/script.ts";
import type { ScriptOptions } from "../script/script-options.ts";
import { hostOf } from "./skill-host.ts";

const SCRIPT = "scripts/a.sh";
const ON_DISK = (name: string) => ({ [`${name}/SKILL.md`]: skillMd(name, "Does it."), [`${name}/${SCRIPT}`]: "" });
const skillOf = (name: string) =>
  defineSkill({ name, description: "Does it.", body: "Do it.", files: { [SCRIPT]: "" } });

/** A runner that writes its level to `level.txt`, and notes what it ran. */
function runnerAt(level: string): ScriptRunner & { readonly folders: string[] } {
  const folders: string[] = [];
  return {
    level,
    folders,
    check: async () => undefined,
    run: async ({ script, skillFolder, outputFolder }) => {
      folders.push(skillFolder);
      writeFileSync(join(outputFolder, "level.txt"), level);
      writeFileSync(join(outputFolder, `${level}.txt`), level);
      return { outcome: "exited", exitCode: 0, command: [script], stdout: level, stderr: "" };
    },
  };
}

const quiet = { onProblem: () => {} };
const always = { consent: () => "always" as const };
const withRunner = (level: string, more: ScriptOptions = {}) => ({
  ...quiet,
  scripts: { runner: runnerAt(level), ...always, ...more },
});

/** What runs the script of each skill, or why nothing does. */
async function ranBy(session: Session): Promise<Record<string, string>> {
  const entries = session.skillset.names.map(async (name) => {
    const ran = await session.scripts
      .run(name, SCRIPT)
      .then(({ level, outcome }) => (outcome === "exited" ? level : outcome))
      .catch(({ code }) => code);
    return [name, ran] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const EACH_BY_ITS_OWN = { one: "first", two: "second", none: "scripts-disabled", own: "outer" };

/** Two skillsets with a runner each and one without, in one that has its own. */
async function mixed(): Promise<Skillset> {
  const one = await createSkillset([temporaryFolder(ON_DISK("one"))], withRunner("first"));
  const two = await createSkillset([skillOf("two")], withRunner("second"));
  const none = await createSkillset([skillOf("none")]);
  return createSkillset([one, two, none, temporaryFolder(ON_DISK("own"))], withRunner("outer"));
}

const WAYS: Readonly<Record<string, (set: Skillset) => Promise<Skillset> | Skillset>> = {
  itself: (set) => set,
  "createSkillset()": (set) => createSkillset(set),
  "createSkillset() with another runner": (set) => createSkillset([set], withRunner("another")),
  "filter()": (set) => set.filter({ disabled: ["other"] }),
  "reload()": async (set) => (await set.reload()).skillset,
  "filter() and reload()": async (set) => (await set.filter({ disabled: ["other"] }).reload()).skillset,
  "another one inside, and reload()": async (set) => (await (await createSkillset([set])).reload()).skillset,
  "the strict view": (set) => strictSkillsOf(set).skillset,
};

test.each(Object.entries(WAYS))("each skill keeps what runs its scripts: %s", async (_, make) => {
  const session = await (await make(await mixed())).session();
  expect(await ranBy(session)).toEqual(EACH_BY_ITS_OWN);
});

test("each skill keeps what runs its scripts while the set is watched", async () => {
  const folder = temporaryFolder(ON_DISK("own"));
  const inner = await createSkillset([skillOf("one")], withRunner("first"));
  const set = (await createSkillset([inner, folder], withRunner("outer"))).filter({ disabled: ["other"] });
  const { promise, resolve } = Promise.withResolvers<Skillset>();
  const watcher = set.watch(({ skillset }) => resolve(skillset), { debounce: 1 });
  onTestFinished(() => watcher.close());
  await watcher.ready;
  writeFiles(folder, ON_DISK("new"));
  const session = await (await promise).session();
  expect(await ranBy(session)).toMatchObject({ one: "first", own: "outer" });
  await session.use((await watcher.current.reload()).skillset);
  expect(await ranBy(session)).toEqual({ one: "first", own: "outer", new: "outer" });
});

test("the runner of a set runs none of the skills of a set without one, nor of its neighbours", async () => {
  const outer = runnerAt("outer");
  const inner = await createSkillset([skillOf("none")]);
  const set = await createSkillset([inner], { scripts: { runner: outer, ...always } });
  const session = await set.session();
  await expect(session.scripts.run("none", SCRIPT)).rejects.toMatchObject({ code: "scripts-disabled" });
  expect(outer.folders).toEqual([]);
  const turn = await session.turn([{ role: "user", text: "Hi." }]);
  expect(turn.tools.map(({ id }) => id)).not.toContain("run_skill_script");
});

test("a skill that the outer set has itself gets its runner, although another set has a copy without one", async () => {
  const folder = temporaryFolder(ON_DISK("tea"));
  const inner = await createSkillset([folder]);
  const before = await createSkillset([folder, inner], withRunner("outer"));
  expect(await ranBy(await before.session())).toEqual({ tea: "outer" });
  const after = await createSkillset([inner, folder], withRunner("outer"));
  expect(await ranBy(await after.session())).toEqual({ tea: "scripts-disabled" });
});

test("consent and grants are those of the skill's own set", async () => {
  const asked: string[] = [];
  const ask = (answer: "once" | "deny") => ({
    consent: ({ skill, level }: ConsentRequest) => {
      asked.push(`${skill} in ${level}`);
      return answer;
    },
  });
  const granted = (name: string) =>
    temporaryFolder({
      [`${name}/SKILL.md`]: skillMd(name, "D.", "Do.", "allowed-tools: Bash\n"),
      [`${name}/${SCRIPT}`]: "",
    });
  const free = await createSkillset([granted("free")], withRunner("first", { ...ask("deny"), grants: true }));
  const asks = await createSkillset([granted("asks")], withRunner("second", { ...ask("once"), grants: false }));
  const session = await (await createSkillset([free, asks], { allowedTools: "enforce" })).session();
  await session.activate("free");
  await session.activate("asks");
  expect(await ranBy(session)).toEqual({ free: "first", asks: "second" });
  expect(asked).toEqual(["asks in second"]);
});

test("consent for one sandbox is not consent for another", async () => {
  const asked: string[] = [];
  const consent = ({ level }: ConsentRequest): "always" => {
    asked.push(level);
    return "always";
  };
  const skill = skillOf("tea");
  const session = await (await createSkillset([skill], withRunner("strong", { consent }))).session();
  await session.scripts.run("tea", SCRIPT);
  await session.use(await createSkillset([skill], withRunner("weak", { consent })));
  await session.scripts.run("tea", SCRIPT);
  await session.scripts.run("tea", SCRIPT);
  expect(asked).toEqual(["strong", "weak"]);
});

test("toolsets are loaded only for the skills of the set that has them on", async () => {
  const files = (name: string) => ({
    [`${name}/SKILL.md`]: skillMd(name, "D.", "Do.", "metadata:\n  toolsets: toolsets/index:T\n"),
    [`${name}/toolsets/index.mjs`]: `export const T = { tools: [{ name: "${name}", description: "D.", handler: () => "${name}" }] };\n`,
  });
  const inner = await createSkillset([temporaryFolder(files("on"))], { toolsets: "in-process" });
  const session = await (await createSkillset([inner, temporaryFolder(files("off"))])).session();
  await session.activate("on");
  await session.activate("off");
  expect((await session.call("on", "on", {})).text).toBe("on");
  await expect(session.call("off", "off", {})).rejects.toMatchObject({ code: "tool-not-found" });
});

test("the files of all runners are the outputs of a session, and a skill reads those of its runner", async () => {
  const set = await mixed();
  const session = await set.session({ id: "chat" });
  await ranBy(session);
  const { outputs } = session.scripts;
  expect((await outputs.list()).map(({ path }) => path).sort()).toEqual([
    "first.txt",
    "level.txt",
    "outer.txt",
    "second.txt",
  ]);
  const text = async (path: string) => new TextDecoder().decode(await outputs.read(path));
  expect(await text("second.txt")).toBe("second");
  // The set's own runner comes first, then those of the sets in it.
  expect(await text("level.txt")).toBe("outer");
  const read = async (name: string) => (await session.files(name).read("$OUTPUT_DIR/level.txt")).content;
  expect(await Promise.all(["one", "two", "own"].map(read))).toEqual(["first", "second", "outer"]);
  await expect(read("none")).rejects.toMatchObject({ code: "scripts-disabled" });
  await expect(session.files("one").read("$OUTPUT_DIR/second.txt")).rejects.toThrow("second.txt");
  await expect(outputs.read("nothing.txt")).rejects.toMatchObject({ code: "resource-not-found" });
});

test("scripts in every runner find a file that a program writes, until the outputs are removed", async () => {
  const set = await mixed();
  const session = await set.session({ id: "chat" });
  await session.scripts.outputs.write("in.txt", new TextEncoder().encode("hot"));
  for (const name of ["one", "two", "own"])
    expect((await session.files(name).read("$OUTPUT_DIR/in.txt")).content).toBe("hot");
  outputsOf(set, "chat")?.remove();
  expect(await session.scripts.outputs.list()).toEqual([]);
});

test("outputs stay when their skill is disabled, and there are none without a runner", async () => {
  const set = await mixed();
  const session = await set.session({ id: "chat" });
  await session.scripts.run("one", SCRIPT);
  await session.use(set.filter({ disabled: ["one"] }));
  expect(new TextDecoder().decode(await session.scripts.outputs.read("first.txt"))).toBe("first");
  expect(outputsOf(await createSkillset([skillOf("a")]), "chat")).toBeUndefined();
});

test.each([
  ["off", undefined, undefined],
  [{ minimum: "bubblewrap" }, undefined, undefined],
  [{ runner: "bubblewrap" }, undefined, undefined],
  [{ runner: "auto" }, "embedded", undefined],
  [{ minimum: "embedded" }, "embedded", undefined],
  [{ runner: "subprocess" }, "embedded", "subprocess"],
  [undefined, "embedded", "subprocess"],
])("a profile with scripts %j narrows what runs the skills of other sets", async (scripts, strong, weak) => {
  const cwd = temporaryFolder({ "skillset.json": JSON.stringify({ profiles: { here: { scripts } } }) });
  mkdirSync(join(cwd, ".git"));
  const inner = await createSkillset([skillOf("strong")], withRunner("embedded"));
  const other = await createSkillset([skillOf("weak")], withRunner("subprocess"));
  const set = await createSkillset([inner, other], { ...quiet, profile: "here", cwd });
  for (const made of [set, (await set.reload()).skillset, await createSkillset([set], withRunner("outer"))]) {
    const level = (name: string) => hostOf(made, made.get(name)).scripts?.level;
    expect([level("strong"), level("weak")]).toEqual([strong, weak]);
  }
});
