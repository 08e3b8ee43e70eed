import assert from "node:assert/strict";
import { startScriptedModel } from "@skillset/testing";

const scripted = await startScriptedModel([
  { call: "open_sections", input: { section_keys: ["tea"], reason: "The task is tea." } },
  { call: "steep", input: { minutes: 3 } },
  { say: "Enjoy." },
]);
const endpoint = `${scripted.url}/v1/chat/completions`;

// #region program
import { conductPrompt, type EvaluatePromptOptions } from "skillset/adapter";
import { defineTool, MarkdownSection, Prompt, PromptTemplate, SkillSection } from "skillset/prompt";

type Call = { id: string; function: { name: string; arguments: string } };
type Message = { role: string; content: string | null; tool_calls?: Call[]; tool_call_id?: string };

/** Evaluates a prompt over an endpoint with /v1/chat/completions, without an SDK. */
export async function evaluate<Output>(options: Omit<EvaluatePromptOptions<Output>, "maxSteps">) {
  const messages: Message[] = [];
  return conductPrompt(options, async (text, run) => {
    messages.push({ role: "user", content: text });
    for (;;) {
      // The tools change when the model opens a section, so they are part of each request.
      const tools = run.tools.map(({ name, description, inputSchema: parameters }) => {
        return { type: "function", function: { name, description, parameters } };
      });
      const body = JSON.stringify({ model: "any", messages, ...(tools.length > 0 && { tools }) });
      const response = await fetch(endpoint, { method: "POST", body, signal: options.signal ?? null });
      if (!response.ok) throw new Error(`The model failed: ${await response.text()}`);
      const { choices } = (await response.json()) as { choices: { message: Message; finish_reason: string }[] };
      const { message, finish_reason: reason } = choices[0] ?? { message: { role: "", content: "" } };
      messages.push(message);
      for (const { id, function: called } of message.tool_calls ?? []) {
        const result = await run.call(called.name, JSON.parse(called.arguments), { signal: options.signal });
        messages.push({ role: "tool", tool_call_id: id, content: result.text });
      }
      // No further request after a valid result.
      if (message.tool_calls === undefined || run.isSettled)
        return { text: message.content ?? "", finish: reason === "length" ? "length" : "stop" };
    }
  });
}

const steep = defineTool({
  name: "steep",
  description: "Steep tea",
  inputSchema: { type: "object", properties: { minutes: { type: "number" } }, required: ["minutes"] },
  handler: ({ minutes }) => `Steeped for ${minutes} minutes.`,
});
const task = new MarkdownSection({ title: "Task", key: "task", template: "Make tea." });
const tea = new SkillSection({
  name: "tea",
  description: "Makes tea.",
  title: "Tea",
  template: "Call `steep`.",
  tools: [steep],
});
const prompt = new Prompt(new PromptTemplate({ ns: "kitchen", key: "tea", sections: [task, tea] }));
const { text } = await evaluate({ prompt });
console.log(text);
// #endregion

assert.equal(text, "Enjoy.");
assert.deepEqual(scripted.faults, []);
assert.equal(scripted.requests[2]?.toolResults[1]?.text, "Steeped for 3 minutes.");
await scripted.close();
