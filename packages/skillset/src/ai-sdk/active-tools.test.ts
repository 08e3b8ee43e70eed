import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, type ToolSet } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { startScriptedModel } from "../../../testing/src/index.ts";
import { createSkillset, defineSkill } from "../index.ts";
import { createChat, type WithSkillsRequest, withSkills } from "./index.ts";

const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it." });
const one = { description: "Does it.", inputSchema: jsonSchema({ type: "object" }), execute: () => "Done." };
const tools: ToolSet = { pay: one, ring: one };
const own = [{ name: "sing", description: "Sings.", handler: () => "La." }];

async function open() {
  const scripted = await startScriptedModel([{ say: "Hi." }]);
  onTestFinished(() => scripted.close());
  const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
  return { model, offered: () => scripted.requests[0]?.tools.filter((name) => !name.includes("skill")) };
}

async function offeredWith(request: Partial<WithSkillsRequest<ToolSet>>) {
  const { model, offered } = await open();
  const session = await (await createSkillset([tea])).session();
  const messages = [{ role: "user" as const, content: "Hi." }];
  const { invoked: _, ...settings } = await withSkills<ToolSet>({
    session,
    request: { messages, tools, ...request },
    tools: own,
  });
  await generateText({ model, ...settings });
  return offered();
}

test("'activeTools' of the request limits the host's tools, from 'request.tools' and 'tools'", async () => {
  expect(await offeredWith({})).toEqual(["pay", "ring", "sing"]);
  expect(await offeredWith({ activeTools: ["pay"] })).toEqual(["pay"]);
  expect(await offeredWith({ activeTools: ["ring", "sing"] })).toEqual(["ring", "sing"]);
});

test("'activeTools' of a step overrides that of the request", async () => {
  const prepareStep = () => ({ activeTools: ["ring"] });
  expect(await offeredWith({ activeTools: ["pay"], prepareStep })).toEqual(["ring"]);
});

test("a chat passes 'activeTools' on", async () => {
  const { model, offered } = await open();
  const request = { model, tools, activeTools: ["pay"] };
  const chat = await createChat<ToolSet>({ skills: await createSkillset([tea]), request });
  await chat.send("Hi.");
  expect(offered()).toEqual(["pay"]);
});
