import { chmodSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { outputsOf } from "../core/host/outputs-of.ts";
import type { ScriptHost } from "../core/host/script-host.ts";
import { scriptHostsOf } from "../core/host/skill-host.ts";
import type { ConsentRequest, ScriptConsent, ScriptRunner } from "../core/script/script.ts";
import { defineSkill } from "../core/skill/define-skill.ts";
import type { Skillset } from "../core/skillset.ts";
import { withScriptHost } from "../core/with-script-host.ts";
import { createSkillset } from "../node/load/create-skillset.ts";

const FILES = {
  "tea/SKILL.md": skillMd("tea", "Makes tea."),
  "tea/scripts/brew.sh": 'echo "brewing $1"; cat; echo hot > "$OUTPUT_DIR/cup.txt"\n',
};

async function sessionOf(answer: "once" | "always" | "deny") {
  const asked: ConsentRequest[] = [];
  const consent = (request: ConsentRequest) => {
    asked.push(request);
    return answer;
  };
  const skillset = await createSkillset([temporaryFolder(FILES)], { scripts: { runner: "subprocess", consent } });
  return { asked, session: await skillset.session() };
}

test("a script runs after consent, and its files can be read", async () => {
  const { session, asked } = await sessionOf("always");
  const result = await session.scripts.run("tea", "scripts/brew.sh", { args: ["green"], input: { cups: 2 } });
  expect(result).toMatchObject({ outcome: "exited", exitCode: 0, level: "subprocess" });
  expect(result).toMatchObject({ stdout: 'brewing green\n{"cups":2}\n', files: [{ path: "cup.txt", size: 4 }] });
  expect((await session.files("tea").read("$OUTPUT_DIR/cup.txt")).content).toBe("hot\n");
  await session.scripts.run("tea", "scripts/brew.sh");
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ digest: await session.skillset.get("tea")?.digest(), script: "scripts/brew.sh" });
});

test("somebody who answered 'always' is asked again after any file of the skill has changed", async () => {
  const { session, asked } = await sessionOf("always");
  await session.scripts.run("tea", "scripts/brew.sh");
  writeFileSync(join(session.skillset.get("tea")?.basePath ?? "", "notes.md"), "changed");
  await session.scripts.run("tea", "scripts/brew.sh");
  expect(asked.map(({ digest }) => digest)).toEqual([expect.any(String), await session.skillset.get("tea")?.digest()]);
  expect(asked[0]?.digest).not.toBe(asked[1]?.digest);
});

test("a model gets an operation for scripts, and one sentence if consent is denied", async () => {
  const { session } = await sessionOf("deny");
  const turn = await session.turn([{ role: "user", text: "Make tea" }]);
  const tool = turn.tools.find(({ id }) => id === "run_skill_script");
  expect(await tool?.execute({ skill: "tea", script: "scripts/brew.sh" })).toEqual({
    isError: true,
    code: "script-refused",
    text: "The scripts of skill 'tea' may not run: consent was denied.",
  });
});

test.each([[undefined], [null], [true], [{}], [[]], [{ deny: undefined }], [{ deny: "" }], [Object("once")], ["Once"]])(
  "the answer %j is a denial",
  async (answer) => {
    const { session } = await sessionOf(answer as "deny");
    const result = await session.scripts.run("tea", "scripts/brew.sh");
    const reason = "The scripts of skill 'tea' may not run: consent was denied.";
    expect(result).toMatchObject({ outcome: "refused", reason });
    expect(await session.scripts.outputs.list()).toEqual([]);
  },
);

test("an abort ends a run that waits for an answer or for another run", async () => {
  const { session } = await sessionOf("once");
  const run = (consent: ScriptConsent) => {
    const controller = new AbortController();
    const ended = session.scripts.run("tea", "scripts/brew.sh", { consent, signal: controller.signal });
    ended.catch(() => {});
    return { ended, controller };
  };
  const silent = Promise.withResolvers<ConsentRequest>();
  const first = run((request) => {
    silent.resolve(request);
    return new Promise(() => {});
  });
  const second = run(() => "once");
  const third = run(() => "once");
  await silent.promise;
  second.controller.abort();
  expect(await second.ended).toMatchObject({ outcome: "aborted" });
  first.controller.abort();
  expect(await first.ended).toMatchObject({ outcome: "aborted" });
  expect(await third.ended).toMatchObject({ outcome: "exited" });
});

function hostIn({ skillset }: { readonly skillset: Skillset }): ScriptHost | undefined {
  return scriptHostsOf(skillset)[0];
}

test("nobody is asked about a run that is aborted while the skill is copied", async () => {
  const skill = defineSkill({ name: "slow", description: "Slow.", body: "Slow.", files: { "scripts/a.sh": "" } });
  const controller = new AbortController();
  const digest = async (): Promise<string> => {
    controller.abort();
    return skill.digest();
  };
  const { session, asked } = await sessionOf("always");
  await session.use(withScriptHost(await createSkillset([{ ...skill, digest }]), hostIn(session)));
  const running = session.scripts.run("slow", "scripts/a.sh", { signal: controller.signal });
  expect(await running).toMatchObject({ outcome: "aborted" });
  expect(asked).toEqual([]);
});

test("what runs is what somebody consented to, even if the caller changes it meanwhile", async () => {
  const { session } = await sessionOf("deny");
  const [args, input, files] = [["green"], { cups: 1 }, { "note.txt": "hot" }];
  const consent = (): "once" => {
    args[0] = "black";
    input.cups = 2;
    files["note.txt"] = "cold";
    return "once";
  };
  const result = await session.scripts.run("tea", "scripts/brew.sh", { args, input, files, consent });
  expect(result).toMatchObject({ stdout: 'brewing green\n{"cups":1}\n' });
  expect((await session.files("tea").read("$OUTPUT_DIR/note.txt")).content).toBe("hot");
});

test("scripts of a skill on a server do not run, and nobody is asked", async () => {
  const skill = defineSkill({ name: "far", description: "Far.", body: "Far.", files: { "scripts/a.sh": "echo a\n" } });
  const far = Object.freeze({ ...skill, isRemote: true, provider: "MCP server 'depot'" });
  const { session, asked } = await sessionOf("always");
  await session.use(withScriptHost(await createSkillset([far]), hostIn(session)));
  expect(await session.scripts.run("far", "scripts/a.sh")).toMatchObject({
    outcome: "refused",
    reason:
      "The scripts of skill 'far' may not run: it comes from MCP server 'depot', and only scripts of local skills run.",
  });
  expect(asked).toEqual([]);
});

test.each([
  [{ args: "green" }, "'args' must be a list of strings."],
  [{ args: [1] }, "'args' must be a list of strings."],
  [{ files: null }, "'files' must be an object with paths and texts."],
  [{ input: 1n }, "'input' must be a value that JSON can express."],
  [{ input: () => {} }, "'input' must be a value that JSON can express."],
])("session.scripts.run() refuses the options of case %#", async (options, message) => {
  const { session } = await sessionOf("once");
  const running = session.scripts.run("tea", "scripts/brew.sh", options as object);
  await expect(running).rejects.toMatchObject({ code: "option-invalid", message });
});

test("without a runner or without scripts, there is no operation for scripts", async () => {
  const tools = async (skillset: Awaited<ReturnType<typeof createSkillset>>) =>
    (await (await skillset.session()).turn([{ role: "user", text: "Hello" }])).tools.map(({ id }) => id);
  expect(await tools(await createSkillset([temporaryFolder(FILES)]))).not.toContain("run_skill_script");
  const plain = temporaryFolder({ "tea/SKILL.md": skillMd("tea", "Makes tea.") });
  const skillset = await createSkillset([plain], { scripts: { runner: "subprocess" } });
  expect(await tools(skillset)).not.toContain("run_skill_script");
});

test("sessions with the same id run one script at a time, because they share a folder", async () => {
  let [running, most] = [0, 0];
  const runner: ScriptRunner = {
    level: "test",
    check: async () => undefined,
    run: async () => {
      running++;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
      return { outcome: "exited", exitCode: 0, command: [], stdout: "", stderr: "" };
    },
  };
  const skillset = await createSkillset([temporaryFolder(FILES)], { scripts: { runner, consent: () => "once" } });
  const sessions = await Promise.all(["a", "a", "a"].map((id) => skillset.session({ id })));
  await Promise.all(sessions.map((session) => session.scripts.run("tea", "scripts/brew.sh")));
  expect(most).toBe(1);
});

test("what a runner left behind is removed even if it fails", async () => {
  const outside = temporaryFolder({ "kept.txt": "kept" });
  const runner: ScriptRunner = {
    level: "test",
    check: async () => undefined,
    run: async ({ outputFolder }) => {
      symlinkSync(outside, join(outputFolder, "link"));
      throw new Error("broken");
    },
  };
  const skillset = await createSkillset([temporaryFolder(FILES)], { scripts: { runner, consent: () => "once" } });
  const session = await skillset.session();
  await expect(session.scripts.run("tea", "scripts/brew.sh")).rejects.toThrow("broken");
  expect(await session.scripts.outputs.list()).toEqual([]);
});

test.each([
  [{ time: 0 }, "The limit 'time' must be a whole number above 0, not 0."],
  [{ memory: Number.NaN }, "The limit 'memory' must be a whole number above 0, not NaN."],
  [{ tiem: 1 } as object, "The option 'scripts.limits' has no option 'tiem'. Did you mean 'time'?"],
])("the limits %j are refused", async (limits, message) => {
  const opening = createSkillset([temporaryFolder(FILES)], { scripts: { runner: "subprocess", limits } });
  await expect(opening).rejects.toThrow(message);
});

test.each([
  [{ minimum: "bubblwrap" }, "'minimum' must be 'embedded' or 'sandbox-runtime' or 'bubblewrap'; got \"bubblwrap\"."],
  [{ keepFor: Number.NaN }, "'keepFor' must be a number of milliseconds, at least 0, not NaN."],
  [{ consent: "once" }, "'consent' must be a function."],
  [{ onOutput: 1 }, "'onOutput' must be a function."],
  [{ grants: "no" }, "'grants' must be true or false, not 'no'."],
  [{ folder: "" }, "'folder' must be a path."],
  [{ runner: {} }, "'runner' must be a name or an object with 'level', 'check' and 'run'."],
  [{ runner: null }, "'runner' must be a name or an object with 'level', 'check' and 'run'."],
])("the options %j are refused", async (options, message) => {
  const scripts = { runner: "subprocess", ...options } as object;
  const opening = createSkillset([temporaryFolder(FILES)], { scripts });
  await expect(opening).rejects.toMatchObject({ code: "option-invalid", message: expect.stringContaining(message) });
});

test.each(["scripts/none.sh", "scripts", `scripts/${"n".repeat(5_000)}`])("%s is not a script", async (script) => {
  const { session } = await sessionOf("always");
  await expect(session.scripts.run("tea", script)).rejects.toMatchObject({ code: "resource-not-found" });
});

test("files are kept in a folder that only this user can enter, and deleted with the session's files", async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o700);
  const scripts = { runner: "subprocess", consent: () => "once" as const, folder } as const;
  const skillset = await createSkillset([temporaryFolder(FILES)], { scripts });
  const session = await skillset.session({ id: "one" });
  await session.scripts.run("tea", "scripts/brew.sh", { files: { "note.txt": "sweet" } });
  const again = await session.scripts.run("tea", "scripts/brew.sh");
  expect(again.files).toEqual([{ path: "cup.txt", size: 4 }]);
  expect((await session.scripts.outputs.list()).map(({ path }) => path)).toEqual(["cup.txt", "note.txt"]);
  expect(readdirSync(folder)).toHaveLength(1);
  outputsOf(skillset, "one")?.remove();
  expect(readdirSync(folder)).toEqual([]);
});

test.each([0o700, 0o755])("files that are removed during a run stay removed (mode %o)", async (mode) => {
  const folder = temporaryFolder();
  chmodSync(folder, mode);
  const runner: ScriptRunner = {
    level: "test",
    check: async () => undefined,
    run: async ({ outputFolder }) => {
      writeFileSync(join(outputFolder, "cup.txt"), "hot");
      outputsOf(skillset, "one")?.remove();
      return { outcome: "exited", exitCode: 0, command: [], stdout: "", stderr: "" };
    },
  };
  const scripts = { runner, consent: () => "once" as const, folder };
  const skillset = await createSkillset([temporaryFolder(FILES)], { scripts });
  const result = await (await skillset.session({ id: "one" })).scripts.run("tea", "scripts/brew.sh");
  expect(result).toMatchObject({ outcome: "exited", files: [] });
  expect(readdirSync(folder)).toEqual([]);
});

test("texts that exceed the limit for files are refused, and the session's files stay", async () => {
  const scripts = { runner: "subprocess", consent: () => "once" as const, limits: { files: 10 } } as const;
  const session = await (await createSkillset([temporaryFolder(FILES)], { scripts })).session();
  await session.scripts.run("tea", "scripts/brew.sh");
  const running = session.scripts.run("tea", "scripts/brew.sh", { files: { "a.txt": "1234567" } });
  await expect(running).rejects.toThrow("'files' exceed the limit: a session may have 10 bytes.");
  expect((await session.scripts.outputs.list()).map(({ path }) => path)).toEqual(["cup.txt"]);
});

test("a listener for output that rejects does not change the run", async () => {
  const { session } = await sessionOf("always");
  const onOutput = async () => {
    throw new Error("broken listener");
  };
  expect(await session.scripts.run("tea", "scripts/brew.sh", { onOutput })).toMatchObject({
    outcome: "exited",
    exitCode: 0,
  });
});

test("a script finds the bytes that the session's program wrote, also under a name with spaces", async () => {
  const files = { "tea/SKILL.md": skillMd("tea"), "tea/scripts/read.sh": 'od -An -tx1 "$1"\n' };
  const scripts = { runner: "subprocess", consent: () => "once" as const } as const;
  const session = await (await createSkillset([temporaryFolder(files)], { scripts })).session();
  await session.scripts.outputs.write("my data.bin", Uint8Array.of(0, 255, 10));
  const result = await session.scripts.run("tea", "scripts/read.sh", { args: ["$OUTPUT_DIR/my data.bin"] });
  expect(result).toMatchObject({ outcome: "exited", stdout: expect.stringMatching(/00 ff 0a/), files: [] });
});
