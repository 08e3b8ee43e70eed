import { afterEach, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const TOPICS = ["violin", "orchid", "glacier", "harbour", "comet", "saddle", "lantern", "meadow"];
const FILES = {
  ...Object.fromEntries(
    TOPICS.map((topic) => [`.skills/${topic}/SKILL.md`, skillMd(topic, `Studies every ${topic}.`)]),
  ),
  ".skills/sourdough/SKILL.md": skillMd("sourdough", "Bakes sourdough bread from a starter."),
};
const open = (suggest: string) =>
  openChat({
    files: FILES,
    config: `[app.skills]\nenabled = true\ndirectories = ["./.skills"]\nmax_catalog_tokens = 100\n${suggest}`,
    script: Array(4).fill({ say: "Here." }),
  });
const BREAD = "How do I bake sourdough bread from a starter?";

test("by default a message gets no suggestions", async () => {
  const chat = await open("");
  await chat.say(await chat.create(), BREAD);
  expect(JSON.stringify(chat.model.requests)).not.toContain("may fit this message");
});

test("with suggest = true, the model gets the description of a skill that the catalog does not describe", async () => {
  const chat = await open("suggest = true");
  const id = await chat.create();
  await chat.say(id, BREAD);
  await chat.say(id, "Thanks.");
  const [first, second] = chat.model.requests.map(
    ({ messages }) => messages.find(({ role }) => role === "user")?.text ?? "",
  );
  expect(first).toMatch(/may fit this message[\s\S]*Bakes sourdough bread from a starter\.[\s\S]*How do I bake/);
  expect(second).toBe(first);
  expect(JSON.stringify((await chat.load(id)).messages)).not.toContain("may fit this message");
  expect(chat.log).toContainEqual(expect.objectContaining({ event: "skills-suggested", skills: ["sourdough"] }));
});
