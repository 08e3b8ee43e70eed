import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseSkillMd } from "../../packages/skillset/src/core/manifest/parse.ts";
import type { Skill } from "../../packages/skillset/src/core/skill/skill.ts";
import { findTriggers } from "../../packages/skillset/src/core/trigger/find-triggers.ts";
import { lintTriggers } from "../../packages/skillset/src/node/lint/lint-triggers.ts";
import { createSkillset } from "../../packages/skillset/src/node/load/create-skillset.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { skills, messages } = JSON.parse(
  readFileSync(new URL("../fixtures/triggers.json", import.meta.url), "utf8"),
) as {
  readonly skills: Readonly<Record<string, object>>;
  readonly messages: Readonly<Record<string, readonly (readonly [string, readonly string[]])[]>>;
};

const skillMd = (name: string, lines: string) =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${lines}\n---\nDo it.\n`;

describe("100 messages in four languages", () => {
  const ordered = Object.entries(skills).map(
    ([name, triggers]) => parseSkillMd(skillMd(name, `triggers: ${JSON.stringify(triggers)}`)) as object as Skill,
  );

  test("are there", () => {
    expect(Object.values(messages).flat()).toHaveLength(100);
  });

  describe.each(Object.entries(messages))("%s", (_language, rows) => {
    test.each(rows)("%j triggers %j", async (message, expected) => {
      expect((await findTriggers(ordered, message)).map(({ skill }) => skill.name)).toEqual(expected);
    });
  });
});

test("triggers under metadata are text with commas, which brackets and backslashes protect", async () => {
  const lines = String.raw`metadata:
  trigger-keywords: tea, green  tea
  trigger-patterns: "a{1,2}b, (c,d), e\\,f"`;
  const root = temporaryFolder({ "a/SKILL.md": skillMd("a", lines) });
  const { skills: loaded, problems } = await createSkillset([root]);
  expect(problems).toEqual([]);
  expect(loaded[0]?.triggers).toEqual({
    keywords: ["tea", "green  tea"],
    verbs: [],
    patterns: ["a{1,2}b", "(c,d)", String.raw`e\,f`],
  });
});

test("a skill without a valid trigger loads, and each fault has its line", async () => {
  const lines = ["triggers:", "  keywords:", "    - tea", "    - ''", "    - [x]", "  verbs: 7", "  words: [a]"].join(
    "\n",
  );
  const root = temporaryFolder({ "a/SKILL.md": skillMd("a", lines), "b/SKILL.md": skillMd("b", "triggers: tea") });
  const { skills: loaded, problems } = await createSkillset([root]);
  expect(loaded[0]?.triggers).toEqual({ keywords: ["tea"], verbs: ["7"], patterns: [] });
  expect(loaded[1]?.triggers).toBeUndefined();
  const found = problems.filter(({ code }) => code === "triggers-invalid");
  expect(found.map(({ skill, line }) => [skill, line])).toEqual([
    ["a", 7],
    ["a", 8],
    ["a", 10],
    ["b", 4],
  ]);
});

test("a plain list of triggers is a list of keywords", async () => {
  const root = temporaryFolder({ "a/SKILL.md": skillMd("a", "triggers: [tea, green tea]") });
  const { skills: loaded, problems } = await createSkillset([root]);
  expect(loaded[0]?.triggers?.keywords).toEqual(["tea", "green tea"]);
  expect(problems.filter(({ code }) => code === "triggers-invalid")).toEqual([]);
});

test("more than 50 triggers of a kind are reported once, and the first 50 are used", async () => {
  const keywords = Array.from({ length: 80 }, (_, index) => `k${index}`);
  const root = temporaryFolder({ "a/SKILL.md": skillMd("a", `triggers: ${JSON.stringify({ keywords })}`) });
  const { skills: loaded, problems } = await createSkillset([root]);
  expect(loaded[0]?.triggers?.keywords).toEqual(keywords.slice(0, 50));
  expect(problems.filter(({ code }) => code === "triggers-invalid")).toHaveLength(1);
});

test("a pattern that cannot be used is reported with its line, and the others still work", async () => {
  const lines = ["triggers:", "  patterns:", '    - "(tea"', "    - coff?ee", '    - "x*"', '    - "(?<=a)b"'].join(
    "\n",
  );
  const root = temporaryFolder({ "a/SKILL.md": skillMd("a", lines) });
  const { skills: loaded } = await createSkillset([root]);
  const problems = await lintTriggers({ folder: `${root}/a`, name: "a" });
  expect(problems.map(({ code, line }) => [code, line])).toEqual(
    [6, 8, 9].map((at) => ["trigger-pattern-invalid", at]),
  );
  expect(problems[0]?.message).toBe("The pattern '(tea' is not used: missing closing ): `(tea`.");
  expect(problems[1]?.message).toBe("The pattern 'x*' is not used: it matches every message.");
  expect(await findTriggers(loaded, "(tea or Coffee")).toMatchObject([{ kind: "pattern", trigger: "coff?ee" }]);
});
