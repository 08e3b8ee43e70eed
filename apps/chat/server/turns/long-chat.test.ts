import { afterEach, expect, test } from "vitest";
import { skillMd } from "../../../../test/temporary-folder.ts";
import { emptyDatabase, openChat } from "../testing/open-chat.ts";

afterEach(emptyDatabase);

const SKILLS = `[app.skills]
enabled = true
directories = ["./.skills"]
`;
const LONG = "All work and no play makes a long chat. ".repeat(60);

test.each([
  ["with skills", SKILLS],
  ["without skills", ""],
])(
  "a request that is too long for the model leaves out the oldest messages, and the answer says so, %s",
  async (_, skills) => {
    const config = `${skills}[models]\nmax_prompt_tokens = 3000`;
    const files = { ".skills/notes/SKILL.md": skillMd("notes") };
    const chat = await openChat({ config, files, script: Array(8).fill({ say: "Noted." }) });
    const id = await chat.create();
    const answers = [];
    for (let turn = 0; turn < 6; turn++) answers.push((await chat.say(id, `Turn ${turn}. ${LONG}`)).last);
    expect(answers[0]?.metadata?.leftOut).toBeUndefined();
    expect(answers.at(-1)?.metadata?.leftOut).toBeGreaterThan(0);
    const { messages } = await chat.load(id);
    expect(messages).toHaveLength(12);
    expect(messages.at(-1)?.metadata?.leftOut).toBe(answers.at(-1)?.metadata?.leftOut);
    const sent = JSON.stringify(chat.model.requests.at(-1)?.body);
    expect(sent).toContain("Turn 5.");
    expect(sent).not.toContain("Turn 0.");
  },
);

test("a request that fits is sent whole", async () => {
  const chat = await openChat({ script: Array(8).fill({ say: "Noted." }) });
  const id = await chat.create();
  for (let turn = 0; turn < 6; turn++) await chat.say(id, `Turn ${turn}. ${LONG}`);
  expect(JSON.stringify(chat.model.requests.at(-1)?.body)).toContain("Turn 0.");
});
