import { expect, test } from "vitest";
import { withSkills as withAiSkills } from "../ai-sdk/index.ts";
import { createSkillset } from "../index.ts";
import { withSkills as withAgentSkills } from "../openai-agents/index.ts";

const pay = { name: "pay", description: "Pays.", handler: () => "Paid." };

test.each<[string, (tools: never) => Promise<unknown>]>([
  [
    "ai-sdk",
    async (tools) =>
      withAiSkills({ session: await (await createSkillset([])).session(), request: { messages: [] }, tools }),
  ],
  [
    "openai-agents",
    async (tools) =>
      withAgentSkills({ session: await (await createSkillset([])).session(), request: { input: "Hi." }, tools }),
  ],
])("'withSkills' of skillset/%s refuses 'tools' that are a function or an object", async (_name, open) => {
  await expect(open((() => [pay]) as never)).rejects.toMatchObject({
    code: "option-invalid",
    message: expect.stringMatching(/^'tools' takes a list here/),
  });
  await expect(open({ pay } as never)).rejects.toMatchObject({
    code: "option-invalid",
    message: expect.stringContaining("'request.tools'"),
  });
});
