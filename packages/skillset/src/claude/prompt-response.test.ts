import { expect, test } from "vitest";
import { z } from "zod";
import { MarkdownSection, Prompt, PromptTemplate } from "../prompt/index.ts";
import { ClaudeAgentSDKAdapter } from "./index.ts";

const TASK = new MarkdownSection({ title: "Task", key: "task", template: "List teas." });
const promptWith = <Output>(output: z.ZodType<Output>) =>
  new Prompt(new PromptTemplate({ ns: "n", key: "k", sections: [TASK], output }));

/** Replaces the SDK: sends this result, and then throws if there is an error. */
function ending(result: object, error?: Error) {
  const formats: unknown[] = [];
  const query = async function* ({ options }: { options: { outputFormat?: unknown } }) {
    formats.push(options.outputFormat);
    yield { type: "result", subtype: "success", result: "Done.", ...result };
    if (error !== undefined) throw error;
  };
  return { adapter: new ClaudeAgentSDKAdapter({ sdk: { query } }), formats };
}

test("a list is returned in an object, which Claude Code requires, and unwrapped", async () => {
  const { adapter, formats } = ending({ structured_output: { result: ["green"] } });
  const { output } = await adapter.evaluate(promptWith(z.array(z.string())));
  expect(output).toEqual(["green"]);
  expect(formats).toMatchObject([
    { schema: { type: "object", properties: { result: { type: "array" } }, required: ["result"] } },
  ]);
});

test("too many values that do not fit are result-invalid, with the agent's reason, although the SDK throws", async () => {
  const result = {
    subtype: "error_max_structured_output_retries",
    is_error: true,
    errors: ["minutes: must be number"],
  };
  const { adapter } = ending(result, new Error("Claude Code returned an error result"));
  await expect(adapter.evaluate(promptWith(z.object({ minutes: z.number() })))).rejects.toMatchObject({
    code: "result-invalid",
    message: expect.stringContaining("minutes: must be number"),
  });
});

test("a missing output is reported with the agent's answer", async () => {
  const { adapter } = ending({ result: "I do not know." });
  await expect(adapter.evaluate(promptWith(z.object({})))).rejects.toMatchObject({
    code: "result-missing",
    message: expect.stringMatching(/Its answer: I do not know\.$/),
  });
});

test("an error of the SDK without a failed result is agent-failed", async () => {
  const { adapter } = ending({ structured_output: {} }, new Error("The process ended"));
  await expect(adapter.evaluate(promptWith(z.object({})))).rejects.toMatchObject({
    code: "agent-failed",
    message: "Claude Code failed: The process ended",
  });
});
