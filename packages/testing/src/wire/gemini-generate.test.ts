import { expect, test } from "vitest";
import { startScriptedModel } from "../model/scripted-model.ts";

const TOOLS = [{ googleSearch: {} }, { functionDeclarations: [{ name: "echo" }] }];

async function post(url: string, contents: readonly object[]): Promise<unknown> {
  return (await fetch(url, { method: "POST", body: JSON.stringify({ contents, tools: TOOLS }) })).json();
}

test("a stream without alt=sse is a list, and the key in the query is not recorded", async () => {
  await using model = await startScriptedModel([{ say: "Look.", call: "echo" }]);
  const url = `${model.url}/v1beta/models/gemini-x:streamGenerateContent?key=sk-1`;
  const list = await post(url, [{ role: "user", parts: [{ text: "Go" }] }]);
  expect(list).toMatchObject([
    { candidates: [{ content: { parts: [{ text: "Look." }] } }] },
    { candidates: [{ content: { parts: [{ functionCall: { name: "echo", args: {} } }] }, finishReason: "STOP" }] },
  ]);
  expect(model.requests[0]).toMatchObject({
    path: "/v1beta/models/gemini-x:streamGenerateContent",
    model: "gemini-x",
    tools: ["echo"],
  });
});

test("a tool's text is read from its output, from its error, and from an MCP result", async () => {
  await using model = await startScriptedModel([{ say: "Seen." }]);
  const results = [
    { output: "Fine." },
    { error: "It broke." },
    { content: [{ type: "text", text: "Also broken." }], isError: true },
    { rows: [1] },
  ];
  const parts = results.map((response) => ({ functionResponse: { name: "echo", response } }));
  await post(`${model.url}/v1beta/models/gemini-x:generateContent`, [{ role: "user", parts }]);
  expect(model.requests[0]?.toolResults).toEqual([
    { id: "", name: "echo", text: "Fine.", isError: false },
    { id: "", name: "echo", text: "It broke.", isError: true },
    { id: "", name: "echo", text: "Also broken.", isError: true },
    { id: "", name: "echo", text: '{"rows":[1]}', isError: false },
  ]);
});
