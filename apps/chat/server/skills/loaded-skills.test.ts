import { afterEach, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { SkillsView } from "../../shared/skills-api.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const config = (more = "") => `[app.skills]\nenabled = true\ndirectories = ["./.skills"]\n${more}\n`;
const LOOK_ALIKES = {
  ".skills/pdf/SKILL.md": skillMd("pdf", "Reads PDFs."),
  ".skills/тест/SKILL.md": skillMd("тест", "Tests."),
  ".skills/naïve/SKILL.md": skillMd("naïve", "Is naive."),
  ".skills/рdf/SKILL.md": skillMd("рdf", "Begins with a Cyrillic letter."),
  ".skills/nameless-рdf/SKILL.md": "---\ndescription: Has no name but its folder's.\n---\nBody",
};
const REPAIRABLE = {
  ".skills/Big-Name/SKILL.md": skillMd("Big-Name", "Is upper case."),
  ".skills/folder/SKILL.md": skillMd("other", "Has another folder."),
  ".skills/colon/SKILL.md": "---\nname: colon\ndescription: Use this: it has a colon\n---\nBody",
};

async function view(files: Readonly<Record<string, string>>, settings: string) {
  const chat = await openChat({ files, config: settings });
  const skills = await chat.get<SkillsView>("/api/skills");
  const inState = (state: string) => skills.rows.filter((row) => row.state === state).map(({ name }) => name);
  return { chat, skills, enabled: inState("enabled").sort(), invalid: inState("invalid").sort() };
}

test.each(["standard", "lenient"])(
  "names with letters outside a-z are excluded under the %s policy, with the error shown",
  async (policy) => {
    const { skills, enabled, invalid, chat } = await view(LOOK_ALIKES, config(`policy = "${policy}"`));
    expect(enabled).toEqual(["pdf"]);
    expect(invalid).toHaveLength(4);
    const errors = skills.problems.filter(({ code, severity }) => code === "name-not-ascii" && severity === "error");
    expect(errors.map(({ message }) => message)).toContainEqual(expect.stringContaining("'тест' has letters outside"));
    expect(errors).toHaveLength(4);
    expect((await chat.get<{ name: string }[]>("/api/commands")).map(({ name }) => name)).toEqual(["pdf"]);
  },
);

test("skills that break the rules for names or YAML are refused by default, and load with warnings when lenient", async () => {
  const standard = await view(REPAIRABLE, config());
  expect([standard.enabled, standard.invalid]).toEqual([[], ["Big-Name", "colon", "folder"]]);
  const lenient = await view(REPAIRABLE, config('policy = "lenient"'));
  expect([lenient.enabled, lenient.invalid]).toEqual([["Big-Name", "colon", "other"], []]);
  expect(lenient.skills.problems.map(({ code, severity }) => `${severity}: ${code}`).sort()).toEqual([
    "warning: frontmatter-repaired",
    "warning: name-folder-mismatch",
    "warning: name-uppercase",
  ]);
  const id = await lenient.chat.create();
  await lenient.chat.say(id, "/Big-Name");
  expect((await lenient.chat.load(id)).active).toMatchObject([{ name: "Big-Name" }]);
});

test("'scan_depth' sets how many folder levels are scanned", async () => {
  const files = {
    ".skills/near/SKILL.md": skillMd("near", "Is near."),
    ".skills/group/far/SKILL.md": skillMd("far", "Is far."),
  };
  expect((await view(files, config())).enabled).toEqual(["near"]);
  expect((await view(files, config("scan_depth = 2"))).enabled).toEqual(["far", "near"]);
});

test("'catalog_pins' keep their description, and an unknown name is a problem that names the nearest", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `skill-${index}`);
  const description = "Does many things. ".repeat(20).trim();
  const files = Object.fromEntries(names.map((name) => [`.skills/${name}/SKILL.md`, skillMd(name, description)]));
  const lines = "max_catalog_tokens = 600\ncatalog_pins = ['skill-9', 'skil-8']";
  const { skills } = await view(files, config(lines));
  expect(skills.catalog.text).toContain(`{"name":"skill-9","description":"${description}"}`);
  expect(skills.catalog.text.split(description)).toHaveLength(2);
  expect(skills.problems).toContainEqual(
    expect.objectContaining({ code: "pattern-unmatched", fix: "Did you mean 'skill-8'?" }),
  );
});

test("'max_catalog_tokens' shortens the catalog, for models and on the page, and the catalog says so", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `skill-${index}`);
  const files = Object.fromEntries(
    names.map((name) => [`.skills/${name}/SKILL.md`, skillMd(name, "Does many things. ".repeat(20))]),
  );
  const { chat, skills } = await view(files, config("max_catalog_tokens = 600"));
  expect(skills.catalog.tokens).toBeLessThanOrEqual(600);
  expect(skills.catalog.text).toContain(" descriptions are shortened");
  const { full, shortened, nameOnly, omitted, budget } = skills.catalog;
  expect([full + shortened + nameOnly, omitted, budget]).toEqual([20, 0, 600]);
  expect(shortened).toBeGreaterThan(0);
  const id = await chat.create();
  await chat.say(id, "Hello");
  expect(chat.model.requests[0]?.system).toContain(skills.catalog.text);
});
