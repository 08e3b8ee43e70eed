import { afterEach, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import type { SkillDetail, SkillsView } from "../../shared/skills-api.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const config = (policy: string) => `[app.skills]\nenabled = true\ndirectories = ["./.skills"]\npolicy = "${policy}"\n`;
const FILES = {
  ".skills/Big-Name/SKILL.md": skillMd("Big-Name", "Is upper case."),
  ".skills/colon/SKILL.md": "---\nname: colon\ndescription: Use this: it has a colon\n---\nCount to three.\n",
  ".skills/long/SKILL.md": skillMd("long", "x".repeat(1_500)),
  ".skills/empty/SKILL.md": "---\nname: empty\n---\n",
  ".skills/тест/SKILL.md": skillMd("тест"),
  ".skills/fine/SKILL.md": skillMd("fine", undefined, undefined, "colour: red\n"),
};

test("under the standard policy, a skill that only it refuses says that lenient would load it", async () => {
  const chat = await openChat({ files: FILES, config: config("standard") });
  const { rows, problems } = await chat.get<SkillsView>("/api/skills");
  const lenient = rows.filter(({ loadsLeniently }) => loadsLeniently).map(({ name }) => name);
  expect(lenient).toEqual(["Big-Name", "colon", "long"]);
  const paths = problems.filter(({ loadsLeniently }) => loadsLeniently).map(({ path }) => path);
  expect(new Set(paths)).toEqual(new Set(lenient.map((name) => `./.skills/${name}/SKILL.md`)));
  expect(rows.some((row) => "tolerated" in row)).toBe(false);
});

test("a skill that is loaded leniently says why the standard policy would refuse it, and works in a chat", async () => {
  const script = [{ call: "skills_activate", input: { name: "colon" } }, { say: "One, two, three." }];
  const chat = await openChat({ files: FILES, config: config("lenient"), script });
  const { rows } = await chat.get<SkillsView>("/api/skills");
  const tolerated = Object.fromEntries(rows.flatMap((row) => (row.tolerated ? [[row.name, row.tolerated]] : [])));
  expect(tolerated).toEqual({
    "Big-Name": [expect.stringContaining("must be lowercase")],
    colon: [expect.stringContaining("not valid YAML")],
    long: [expect.stringContaining("1500")],
  });
  expect(rows.some((row) => "loadsLeniently" in row)).toBe(false);
  expect((await chat.get<SkillDetail>("/api/skills/colon")).row.tolerated).toEqual(tolerated.colon);
  const id = await chat.create();
  const { last } = await chat.say(id, "Count");
  expect(JSON.stringify(last.parts)).toContain("One, two, three.");
  expect(chat.model.requests[0]?.system).toContain("Use this: it has a colon");
  expect(JSON.stringify(chat.model.requests[1])).toContain("Count to three.");
  expect((await chat.load(id)).active).toMatchObject([{ name: "colon", by: "model" }]);
});
