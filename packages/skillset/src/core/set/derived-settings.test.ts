import { expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { createSkillset, defineSkill, type Skillset } from "../../index.ts";

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
    toolNames: { Bash: "shell" },
    onProblem: () => {},
  });
}

const quiet = { onProblem: () => {} };

test("the budget and the pins of a skillset inside another one apply to catalogs and turns", async () => {
  const made = await createSkillset([await configured(), other], quiet);
  const { tokens, text } = made.catalog();
  expect(tokens).toBeLessThanOrEqual(BUDGET.tokens);
  expect(text).toContain("Is always described in the catalog.");
  const { catalog } = await (await made.session()).turn([{ role: "user", text: "Hi." }]);
  expect(catalog.tokens).toBeLessThanOrEqual(BUDGET.tokens);
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

test("a tool with different names is refused: it would be allowed by either", async () => {
  const inner = await configured();
  const loading = createSkillset([inner, other], { toolNames: { Read: "shell" }, ...quiet });
  await expect(loading).rejects.toMatchObject({
    code: "option-invalid",
    message:
      "In 'toolNames', the tool 'shell' is 'Read' in one skillset and 'Bash' in another. Load both skillsets with the same 'toolNames'.",
  });
});
