import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { MemorySessionStore } from "../core/conversation/store.ts";
import type { ConsentAnswer, ConsentRequest } from "../core/script/script.ts";
import type { SessionOptions } from "../core/session/options.ts";
import type { Session } from "../core/session.ts";
import { defineSkill } from "../core/skill/define-skill.ts";
import { type CreateSkillsetOptions, createSkillset } from "../node/load/create-skillset.ts";

const MODULE = `export const Tea = {
  tools: [{
    name: "brew",
    description: "Brews a tea.",
    inputSchema: { type: "object", properties: { kind: { type: "string" } }, required: ["kind"] },
    handler: ({ kind }) => "a cup of " + kind,
  }],
};
`;
const FIELD = 'toolsets: ["toolsets/index:Tea"]';

function files(field = FIELD, module = MODULE) {
  return {
    "tea/SKILL.md": `---\nname: tea\ndescription: Makes tea.\n${field}\n---\n\n# Tea\n`,
    "tea/toolsets/index.mjs": module,
  };
}

interface Given {
  readonly answer?: ConsentAnswer;
  readonly field?: string;
  readonly module?: string;
  readonly options?: CreateSkillsetOptions;
  readonly session?: SessionOptions;
}

async function open({ answer = "always", field, module, options, session = {} }: Given = {}) {
  const asked: ConsentRequest[] = [];
  const consent = (request: ConsentRequest) => {
    asked.push(request);
    return answer;
  };
  const folder = temporaryFolder(files(field, module));
  const skillset = await createSkillset([folder], {
    toolsets: "sandbox",
    scripts: { runner: "subprocess", consent },
    ...options,
  });
  return { asked, folder, skillset, session: await skillset.session(session) };
}

function failures({ ledger: { entries } }: Session) {
  return entries.filter(({ type }) => type === "toolset-failed");
}

const UNAVAILABLE = "The toolset 'toolsets/index:Tea' is unavailable: ";

test("one answer allows all runs of a version: the question names the toolset, and later the tool", async () => {
  const { session, asked } = await open();
  await session.activate("tea");
  await session.call("tea", "brew", { kind: "oolong" });
  const digest = await session.skillset.get("tea")?.digest();
  expect(asked).toEqual([expect.objectContaining({ digest, script: "toolsets/index.mjs", level: "subprocess" })]);
  expect(asked[0]?.toolset).toEqual({ name: "toolsets/index:Tea" });

  const careful = await open({ answer: "once" });
  await careful.session.activate("tea");
  await careful.session.activate("tea");
  await careful.session.call("tea", "brew", { kind: "oolong" });
  expect(careful.asked.map(({ toolset, input }) => [toolset?.tool, input])).toEqual([
    [undefined, undefined],
    ["brew", { kind: "oolong" }],
  ]);
});

test("a denial makes the toolset unavailable for the version, and nobody is asked again", async () => {
  const { session, asked } = await open({ answer: "deny" });
  for (let at = 0; at < 2; at++)
    expect((await session.activate("tea")).text).toContain(
      `${UNAVAILABLE}The toolsets of skill 'tea' may not run: consent was denied.`,
    );
  await expect(session.call("tea", "brew", { kind: "x" })).rejects.toThrow(UNAVAILABLE);
  expect(asked).toHaveLength(1);
  expect(failures(session)).toHaveLength(1);
});

test("without somebody to ask, a later call with consent loads the toolset", async () => {
  const { session } = await open({ options: { scripts: { runner: "subprocess" } } });
  expect((await session.activate("tea")).text).toContain("nobody can be asked for consent");
  const turn = await session.turn([{ role: "user", text: "Tea" }]);
  const activate = turn.tools.find(({ id }) => id === "activate_skill");
  const again = await activate?.execute({ name: "tea" }, { scripts: { consent: () => "always" } });
  expect(again?.text).toContain("### brew");
});

test("a module that changes after consent needs consent again, and its new tools are used", async () => {
  const { session, asked, folder } = await open();
  await session.activate("tea");
  writeFileSync(join(folder, "tea/toolsets/index.mjs"), MODULE.replace("a cup of", "a pot of"));
  expect((await session.call("tea", "brew", { kind: "oolong" })).value).toBe("a pot of oolong");
  expect(new Set(asked.map(({ digest }) => digest)).size).toBe(2);
});

test("a module that changes between the check and the run does not run", async () => {
  let change = () => {};
  const consent = (request: ConsentRequest) => {
    if (request.toolset?.tool !== undefined) change();
    return "once" as const;
  };
  const { session, folder } = await open({ options: { scripts: { runner: "subprocess", consent } } });
  change = () => writeFileSync(join(folder, "tea/toolsets/index.mjs"), MODULE.replace("a cup of", "poison"));
  await session.activate("tea");
  expect((await session.call("tea", "brew", { kind: "oolong" })).value).toBe("a cup of oolong");
});

test("nothing of an untrusted skill runs", async () => {
  const home = temporaryFolder();
  const { standardFolders } = await import("../node/load/sources.ts");
  const root = temporaryFolder(
    Object.fromEntries(Object.entries(files()).map(([path, text]) => [`.agents/skills/${path}`, text])),
  );
  const asked: unknown[] = [];
  const consent = (request: ConsentRequest) => {
    asked.push(request);
    return "always" as const;
  };
  const skillset = await createSkillset(standardFolders({ home: root, cwd: home }), {
    toolsets: "sandbox",
    scripts: { runner: "subprocess", consent },
  });
  const session = await skillset.session();
  expect((await session.activate("tea")).text).toContain(`${UNAVAILABLE}the skill is not trusted.`);
  expect(failures(session)).toEqual([expect.objectContaining({ skill: "tea", reason: "the skill is not trusted" })]);
  expect(asked).toEqual([]);
  const { tools } = await session.turn([{ role: "user", text: "Tea" }]);
  expect(tools.map(({ id }) => id)).not.toContain("call_skill_tool");
});

test("toolsets are off by default, and a sandbox needs a runner", async () => {
  const folder = temporaryFolder(files());
  const session = await (await createSkillset([folder], { scripts: { runner: "subprocess" } })).session();
  expect((await session.activate("tea")).text).not.toMatch(/brew|unavailable/);
  await expect(session.call("tea", "brew", {})).rejects.toThrow("Skill 'tea' has no tools");
  await expect(createSkillset([folder], { toolsets: "sandbox" })).rejects.toThrow("needs the option 'scripts'");
  await expect(createSkillset([folder], { toolsets: "on" as never })).rejects.toThrow('must be "off", "sandbox" or');
});

test("a preview runs nothing", async () => {
  const { skillset, asked } = await open();
  expect((await skillset.preview("tea")).text).not.toContain("brew");
  expect(asked).toEqual([]);
});

test("a turn has one function for tools of toolsets, so that its list is the same before and after activation", async () => {
  const { session } = await open();
  const messages = [{ role: "user", text: "Tea" }] as const;
  const turn = await session.turn(messages);
  expect(turn.instructions).toContain("Call a skill's tools with `call_skill_tool`, once it is active.");
  const before = (await turn.step(messages)).tools.map(({ name }) => name);
  const run = (id: string, input: unknown) => turn.tools.find((one) => one.id === id)?.execute(input);
  const call = { skill: "tea", tool: "brew", input: { kind: "oolong" } };
  expect(await run("call_skill_tool", call)).toMatchObject({ isError: true, code: "tool-not-found" });
  expect((await run("activate_skill", { name: "tea" }))?.text).toContain("### brew");
  expect(await run("call_skill_tool", call)).toMatchObject({ isError: false, text: "a cup of oolong" });
  expect((await turn.step(messages)).tools.map(({ name }) => name)).toEqual(before);
  const next = await session.turn(messages);
  expect([next.instructions, next.tools.map(({ name }) => name)]).toEqual([turn.instructions, before]);
});

test("tools of skills in code stay separate functions beside toolsets", async () => {
  const { skillset } = await open();
  const milk = defineSkill({
    name: "milk",
    description: "Adds milk.",
    body: "Add milk.",
    tools: [{ name: "add", description: "Adds milk.", handler: () => "milk" }],
  });
  const both = await createSkillset([milk, ...skillset.skills], { toolsets: "in-process" });
  const { tools } = await (await both.session()).turn([{ role: "user", text: "Tea" }]);
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["call_skill_tool", "milk__add"]));
});

test("a resumed conversation can call the tools of an active skill", async () => {
  const store = new MemorySessionStore();
  const { session, skillset } = await open({ session: { id: "a", store } });
  await session.activate("tea");
  const resumed = await skillset.session({ id: "a", store });
  expect((await resumed.call("tea", "brew", { kind: "oolong" })).value).toBe("a cup of oolong");
});

test("a model that has the tools is not sent the instructions again", async () => {
  const { session } = await open();
  const messages = [{ role: "user", text: "Tea" }] as const;
  const turn = await session.turn(messages);
  const activate = turn.tools.find(({ id }) => id === "activate_skill");
  await activate?.execute({ name: "tea" });
  expect((await activate?.execute({ name: "tea" }))?.text).toContain("already active");
});

test("allowed-tools decide on tools of toolsets", async () => {
  const options = { allowedTools: "enforce" as const, toolsets: "in-process" as const };
  const denied = await open({ field: `${FIELD}\nallowed-tools: Read`, options });
  await denied.session.activate("tea");
  await expect(denied.session.call("tea", "brew", { kind: "x" })).rejects.toMatchObject({ code: "tool-denied" });
  const allowed = await open({ field: `${FIELD}\nallowed-tools: brew`, options });
  await allowed.session.activate("tea");
  expect((await allowed.session.call("tea", "brew", { kind: "x" })).value).toBe("a cup of x");
});

test("toolsets under metadata, with extensions and in skills in code work too", async () => {
  const field = 'metadata:\n  toolsets: "./toolsets/index.mjs:Tea, toolsets/none:Other"';
  const { session } = await open({ field });
  const { text } = await session.activate("tea");
  expect(text).toContain("### brew");
  expect(text).toContain("The toolset 'toolsets/none:Other' is unavailable: its module does not exist in the skill.");

  const inCode = defineSkill({
    name: "code",
    description: "Makes tea.",
    body: "Brew.",
    metadata: { toolsets: "toolsets/index:Tea" },
    files: { "toolsets/index.mjs": MODULE },
  });
  const set = await createSkillset([inCode], { toolsets: "in-process" });
  const other = await set.session();
  await other.activate("code");
  expect((await other.call("code", "brew", { kind: "oolong" })).value).toBe("a cup of oolong");
});

test("of two toolsets with the same tool, the second is unavailable", async () => {
  const module = `${MODULE}export const Second = Tea;\n`;
  const field = 'toolsets: ["toolsets/index:Tea", "toolsets/index:Second"]';
  const { session, asked } = await open({ field, module, answer: "once" });
  const { text } = await session.activate("tea");
  expect(text.match(/### brew/g)).toHaveLength(1);
  expect(text).toContain("'toolsets/index:Second' is unavailable: the skill already has a tool named 'brew'.");
  expect(asked).toHaveLength(1);
});

test("regular expressions in a schema are shown and not checked", async () => {
  const schema = `{ type: "object", properties: { kind: { type: "string", pattern: "^(a+)+$" } },
    patternProperties: { "^(b+)+$": {} }, additionalProperties: false, required: ["kind"] }`;
  const { session } = await open({ module: MODULE.replace(/inputSchema: .*/, `inputSchema: ${schema},`) });
  expect((await session.activate("tea")).text).toContain('"pattern":"^(a+)+$"');
  const kind = `${"a".repeat(40)}!`;
  expect((await session.call("tea", "brew", { kind, bbb: 1 })).value).toBe(`a cup of ${kind}`);
  await expect(session.call("tea", "brew", { kind: 3 })).rejects.toMatchObject({ code: "tool-input-invalid" });
});

test("malformed toolsets are a problem and not used", async () => {
  const field = 'toolsets: ["toolsets/index", "../out:Tea", 3, "toolsets/index:Tea"]';
  const { skillset } = await open({ field, options: { onProblem: () => {} } });
  expect(skillset.get("tea")?.toolsets).toEqual(["toolsets/index:Tea"]);
  const found = skillset.problems.filter(({ code }) => code === "toolsets-invalid");
  expect(found.map(({ line, severity }) => [line, severity])).toEqual(Array(3).fill([4, "warning"]));
});

test("a tool that returns a secret as a number fails with that reason", async () => {
  const { session } = await open({
    field: `${FIELD}\nmetadata:\n  env: TEA_PIN`,
    module: MODULE.replace('"a cup of " + kind', "({ pin: Number(process.env.TEA_PIN) })"),
    options: {
      env: () => true,
      scripts: { runner: "subprocess", consent: () => "always", secrets: () => ({ TEA_PIN: "12345678" }) },
    },
  });
  await session.activate("tea");
  await expect(session.call("tea", "brew", { kind: "oolong" })).rejects.toThrow("its result contained a secret");
});
