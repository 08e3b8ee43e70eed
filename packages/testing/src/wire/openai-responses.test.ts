import { expect, test } from "vitest";
import { startScriptedModel } from "../model/scripted-model.ts";
import { asObject, asObjects, type JsonObject } from "./json.ts";

const ECHO = { type: "function", name: "echo" };

async function post(url: string, body: JsonObject): Promise<JsonObject> {
  const response = await fetch(`${url}/v1/responses`, {
    method: "POST",
    body: JSON.stringify({ model: "m", ...body }),
  });
  return asObject(await response.json());
}

function textOf({ output }: JsonObject): unknown {
  return asObjects(asObjects(output)[0]?.content)[0]?.text;
}

test("a call of a tool in a namespace contains the namespace, and a freeform tool gets text", async () => {
  await using model = await startScriptedModel([
    {
      calls: [
        { call: "child_echo", input: { text: "a" } },
        { call: "exec", input: "await 1" },
      ],
    },
    ({ toolResults }) => ({ say: toolResults.map(({ name, text }) => `${name}: ${text}`).join(", ") }),
  ]);
  const tools = [
    { type: "namespace", name: "mcp__child", tools: [ECHO] },
    { type: "custom", name: "exec" },
    { type: "web_search" },
  ];
  const input = [{ role: "user", content: "Go" }];
  const { output } = await post(model.url, { input, tools });
  expect(output).toMatchObject([
    { type: "function_call", namespace: "mcp__child", name: "echo", arguments: '{"text":"a"}' },
    { type: "custom_tool_call", name: "exec", input: "await 1" },
  ]);
  expect(model.requests[0]?.tools).toEqual(["mcp__child__echo", "exec"]);

  const [call, freeform] = asObjects(output);
  const results = [
    { type: "function_call_output", call_id: call?.call_id, output: "one" },
    { type: "custom_tool_call_output", call_id: freeform?.call_id, output: [{ type: "input_text", text: "two" }] },
  ];
  const told = await post(model.url, { input: [...input, ...asObjects(output), ...results], tools });
  expect(textOf(told)).toBe("mcp__child__echo: one, exec: two");
});

test("tools in an item of the input are available too", async () => {
  await using model = await startScriptedModel([{ call: "exec", input: "1" }]);
  const tools = [{ type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }] }];
  const input = [
    { type: "additional_tools", role: "developer", tools },
    { role: "developer", content: "Be brief." },
    { role: "user", content: "Go" },
  ];
  expect((await post(model.url, { input })).output).toMatchObject([{ namespace: "functions", name: "exec" }]);
  expect(model.requests[0]).toMatchObject({ tools: ["functions__exec"], system: "Be brief.", side: false });
});

test("a client that leaves the history to the server continues from the answer that it names", async () => {
  await using model = await startScriptedModel([{ say: "One." }, { say: "Two." }, { say: "Three." }]);
  const one = await post(model.url, { input: "Go", tools: [ECHO] });
  const two = await post(model.url, { input: "And?", tools: [ECHO], previous_response_id: one.id });
  expect(textOf(two)).toBe("Two.");
  const reference = { type: "item_reference", id: asObjects(two.output)[0]?.id };
  const three = await post(model.url, { input: [reference, { role: "user", content: "And?" }], tools: [ECHO] });
  expect(textOf(three)).toBe("Three.");
});
