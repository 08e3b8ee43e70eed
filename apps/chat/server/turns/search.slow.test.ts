import { afterEach, expect, test } from "vitest";
import { makeSkills, pickSkills, searchingStep } from "../../../../test/many-skills.ts";
import { skillMd } from "../../../../test/temporary-folder.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const CONFIG = `[app.skills]
enabled = true
directories = ["./.skills"]
max_skills = 5000
max_catalog_tokens = 8000
`;

test("a model in the chat reaches any of 5,000 skills in two calls, with a catalog of 8,000 tokens", async () => {
  const made = makeSkills(5_000);
  const files = made.map(({ name, description, body }) => [
    `.skills/${name}/SKILL.md`,
    skillMd(name, description, body),
  ]);
  const step = searchingStep({ search: "skills_search", activate: "skills_activate" });
  const picked = pickSkills(made, Math.min(200, Number(process.env.CASES ?? 60)));
  const script = Array(3 * picked.length).fill(step);
  const chat = await openChat({ files: Object.fromEntries(files), config: CONFIG, script, pace: "global" });
  const reached: unknown[] = [];
  for (const { request } of picked) {
    const { last } = await chat.say(await chat.create(), request);
    const calls = last.parts.filter(({ type }) => type.startsWith("tool-"));
    expect(calls.map(({ type }) => type)).toEqual(["tool-skills_search", "tool-skills_activate"]);
    reached.push(calls[1]?.type === "tool-skills_activate" && calls[1].input?.name);
  }
  expect(chat.model.faults).toEqual([]);
  expect(chat.model.requests).toHaveLength(3 * picked.length);
  expect(reached).toEqual(picked.map(({ name }) => name));
});
