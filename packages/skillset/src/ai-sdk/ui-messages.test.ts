import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  convertToModelMessages,
  jsonSchema,
  readUIMessageStream,
  streamText,
  type Tool,
  toUIMessageStream,
  type UIMessage,
} from "ai";
import { expect, onTestFinished, test } from "vitest";
import { type ScriptStep, startScriptedModel } from "../../../testing/src/index.ts";
import { createSkillset, defineSkill } from "../index.ts";
import { withSkills } from "./index.ts";

/** What `useChat` and a route handler do together: the page keeps the messages and sends them all. */
async function open(script: readonly ScriptStep[], tools: Record<string, Tool> = {}) {
  const scripted = await startScriptedModel(script);
  onTestFinished(() => scripted.close());
  const model = createOpenAICompatible({ name: "scripted", baseURL: `${scripted.url}/v1` }).chatModel("scripted");
  const run = { name: "run", description: "Runs", handler: () => ({ steeped: true }) };
  const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep for 3 minutes.", tools: [run] });
  const session = await (await createSkillset([tea])).session();
  const history: UIMessage[] = [];
  const say = async (text: string): Promise<void> => {
    history.push({ id: `${history.length}`, role: "user", parts: [{ type: "text", text }] });
    const messages = await convertToModelMessages(history);
    const { stream } = streamText({ model, ...(await withSkills({ session, request: { messages, tools } })) });
    let answer: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream: toUIMessageStream({ stream }) })) answer = message;
    history.push(JSON.parse(JSON.stringify(answer)));
  };
  return { scripted, say };
}

test("results of skills in the history of a page reach the model as the text that it got before", async () => {
  const { scripted, say } = await open([
    { call: "activate_skill", input: { name: "tea" } },
    { calls: [{ call: "tea__run" }, { call: "read_skill_file", input: { skill: "tea", path: "none.md" } }] },
    { say: "Three minutes." },
    { say: "You are welcome." },
  ]);
  await say("How long for tea?");
  await say("Thanks!");
  expect(scripted.faults).toEqual([]);
  const [, , third, fourth] = scripted.requests;
  expect(third?.toolResults).toHaveLength(3);
  expect(fourth?.toolResults).toEqual(third?.toolResults);
  expect(JSON.stringify(fourth).split("Steep for 3 minutes")).toHaveLength(
    JSON.stringify(third).split("Steep for 3 minutes").length,
  );
});

test("a result of a function of the host stays as it is", async () => {
  const own: Tool = {
    inputSchema: jsonSchema({ type: "object" }),
    execute: () => ({ isError: false, text: "one", data: {} }),
  };
  const { scripted, say } = await open([{ call: "own" }, { say: "Done." }, { say: "You are welcome." }], { own });
  await say("Do it.");
  await say("Thanks!");
  expect(scripted.faults).toEqual([]);
  expect(scripted.requests[2]?.toolResults).toEqual(scripted.requests[1]?.toolResults);
  expect(scripted.requests[2]?.toolResults[0]?.text).toBe('{"isError":false,"text":"one","data":{}}');
});
