import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { strictSkillsOf } from "../../compat/strict-skills.ts";
import { createSkillset, defineSkill, type Skillset } from "../../index.ts";
import type { ScriptHost } from "../host/script-host.ts";
import { hostOf } from "../host/skill-host.ts";
import { withScriptHost } from "../with-script-host.ts";

const BUDGET = { tokens: 250 };
const many = Array.from({ length: 30 }, (_, at) =>
  defineSkill({ name: `skill-${at}`, description: `Does thing ${at} for whoever asks for it.`, body: "Do it." }),
);
const embedding = async (texts: readonly string[]): Promise<number[][]> => texts.map(() => [1, 0]);
const other = defineSkill({ name: "other", description: "Does other things.", body: "Other." });

async function configured(): Promise<Skillset> {
  const folder = temporaryFolder({ "pinned/SKILL.md": skillMd("pinned", "Is always described in the catalog.") });
  return createSkillset([folder, ...many], {
    catalog: { budget: BUDGET, pins: ["pinned"] },
    embedding,
    allowedTools: "enforce",
    toolNames: { Bash: "shell" },
    onProblem: () => {},
  });
}

const HOST = { level: "test" } as ScriptHost;
const quiet = { onProblem: () => {} };

/** Every way to make a skillset from another one. */
const WAYS: Readonly<Record<string, (inner: Skillset) => Promise<Skillset> | Skillset>> = {
  "createSkillset([inner])": (inner) => createSkillset([inner], quiet),
  "createSkillset(inner)": (inner) => createSkillset(inner, quiet),
  "another one inside": async (inner) => createSkillset([await createSkillset([inner], quiet), other], quiet),
  "filter()": (inner) => inner.filter({ disabled: ["skill-1"] }),
  "reload()": async (inner) => (await inner.reload()).skillset,
  "filter() and reload()": async (inner) => (await inner.filter({ disabled: ["skill-1"] }).reload()).skillset,
  "createSkillset([inner]) and reload()": async (inner) =>
    (await (await createSkillset([inner], quiet)).reload()).skillset,
  "another host": (inner) => withScriptHost(inner, HOST),
  "the strict view": (inner) => strictSkillsOf(inner).skillset,
};

describe.each(Object.entries(WAYS))("a skillset made with %s", (_, make) => {
  test("keeps the budget and the pins of catalogs", async () => {
    const made = await make(await configured());
    expect(made.settings).toMatchObject({ budget: BUDGET, pins: ["pinned"] });
    const { tokens, text } = made.catalog();
    expect(tokens).toBeLessThanOrEqual(BUDGET.tokens);
    expect(text).toContain("Is always described in the catalog.");
    const { catalog } = await (await made.session()).turn([{ role: "user", text: "Hi." }]);
    expect(catalog.tokens).toBeLessThanOrEqual(BUDGET.tokens);
  });

  test("keeps the embedding model", async () => {
    const inner = await configured();
    expect((await make(inner)).settings.embedding).toBe(inner.settings.embedding);
  });

  test("keeps the rules about tools", async () => {
    const { settings } = await make(await configured());
    expect(settings).toMatchObject({ allowedTools: "enforce", toolNames: { Bash: "shell" } });
  });
});

test("a change on disk reaches a derived skillset, which keeps its settings", async () => {
  const folder = temporaryFolder({ "tea/SKILL.md": skillMd("tea", "Makes tea.") });
  const inner = await createSkillset([folder], { catalog: { budget: BUDGET }, allowedTools: "enforce" });
  const made = withScriptHost(inner, HOST);
  writeFileSync(join(folder, "tea/SKILL.md"), skillMd("tea", "Makes green tea."));
  const { skillset, changes } = await made.reload();
  expect(changes.changed).toEqual(["tea"]);
  expect(hostOf(skillset, skillset.get("tea")).scripts).toBe(HOST);
  expect(skillset.settings.budget).toEqual(BUDGET);
  expect(skillset.settings.allowedTools).toBe("enforce");
});

test("the settings of the outer skillset come first, but never weaken the rules about tools", async () => {
  const inner = await configured();
  const own = async (texts: readonly string[]): Promise<number[][]> => texts.map(() => [0, 1]);
  const options = {
    catalog: { budget: { tokens: 90 }, pins: ["other"] },
    embedding: own,
    allowedTools: "off",
  } as const;
  const made = await createSkillset([inner, other], { ...options, toolNames: { Read: "cat" }, ...quiet });
  expect(made.settings).toMatchObject({ budget: { tokens: 90 }, pins: ["other", "pinned"] });
  expect(made.settings.embedding).not.toBe(inner.settings.embedding);
  expect(made.settings).toMatchObject({ allowedTools: "enforce", toolNames: { Bash: "shell", Read: "cat" } });
});

test("a looser policy holds where no skillset inside sets one", async () => {
  const inner = await createSkillset([other]);
  expect((await createSkillset([inner], { allowedTools: "off" })).settings.allowedTools).toBe("off");
});

test.each([
  ["catalog.budget", "250 tokens", "90 tokens", { catalog: { budget: { tokens: 90 } } }],
  ["embedding", "a function", "the model 'acme/one'", { embedding: { model: embedding, id: "acme/one" } }],
])(
  "two skillsets with a different '%s' are refused, unless the outer one sets it",
  async (option, one, two, options) => {
    const sets = [await configured(), await createSkillset([other], options)];
    await expect(createSkillset(sets, quiet)).rejects.toMatchObject({
      code: "option-invalid",
      message: `'${option}' is ${one} in one skillset and ${two} in another. Set '${option}' for the skillset that is made of them.`,
    });
    await expect(createSkillset(sets, { ...options, ...quiet })).resolves.toMatchObject({ size: 32 });
  },
);

test("two skillsets with the same budget and model are no conflict", async () => {
  const options = { catalog: { budget: { ...BUDGET } }, embedding };
  const sets = [await configured(), await createSkillset([other], options)];
  const { settings } = await createSkillset(sets, quiet);
  expect(settings.budget).toEqual(BUDGET);
  expect(settings.embedding).toBe(sets[0]?.settings.embedding);
});

test("all names of tools apply, the outer ones too", async () => {
  const sets = [await configured(), await createSkillset([other], { toolNames: { Bash: ["shell", "exec"] } })];
  const { settings } = await createSkillset(sets, { toolNames: { Bash: "run", Read: "cat" }, ...quiet });
  expect(settings.toolNames).toEqual({ Bash: ["run", "shell", "exec"], Read: "cat" });
});

test("a tool with different names is refused: it would be allowed by either", async () => {
  const inner = await configured();
  const loading = createSkillset([inner, other], { toolNames: { Read: "shell" }, ...quiet });
  await expect(loading).rejects.toMatchObject({
    code: "option-invalid",
    message:
      "In 'toolNames', the tool 'shell' is 'Read' in one skillset and 'Bash' in another. Load both skillsets with the same 'toolNames'.",
  });
});

test("searches of a skillset made of another use its index", async () => {
  const inner = await createSkillset([other]);
  expect((await createSkillset([inner])).settings.index).toBe(inner.settings.index);
});
