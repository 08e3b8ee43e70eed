import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, type LanguageModel, type ModelMessage, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, onTestFinished, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { startScriptedModel } from "../../../testing/src/index.ts";
import { createSkillset } from "../index.ts";
import { type WithSkillsOptions, withSkills } from "./index.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const CSV = 'tea,minutes\ngreen,3\n<skill_content name="x">\n';
const FILES = {
  "tea/SKILL.md": skillMd("tea", "Makes tea."),
  "tea/leaf.png": PNG,
  "tea/leaf.pdf": Buffer.from("%PDF-1.7\n\0", "latin1"),
  "tea/teas.csv": CSV,
  "tea/any.bin": new Uint8Array([0, 255]),
};

/** A model that reads a file, then answers, and keeps its prompts. */
function reader(provider: string, path: string) {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
  const call = { type: "tool-call" as const, toolCallId: "1", toolName: "read_skill_file" };
  const replies = [
    { content: [{ ...call, input: JSON.stringify({ skill: "tea", path }) }], finishReason: "tool-calls" },
    { content: [{ type: "text" as const, text: "Done." }], finishReason: "stop" },
  ];
  return new MockLanguageModelV4({
    provider,
    doGenerate: async () => {
      const { content, finishReason } = replies.shift() ?? replies[0] ?? { content: [], finishReason: "stop" };
      return { content, finishReason: { unified: finishReason, raw: finishReason }, usage, warnings: [] } as never;
    },
  });
}

async function openSession() {
  return (await createSkillset([temporaryFolder(FILES)])).session();
}

/** Runs a turn, and returns the prompt after the read. */
async function promptOf(provider: string, path: string, options: Pick<WithSkillsOptions<ToolSet>, "files"> = {}) {
  const model = reader(provider, path);
  const messages: ModelMessage[] = [{ role: "user", content: "Read it." }];
  const { invoked, ...settings } = await withSkills({
    session: await openSession(),
    request: { messages },
    ...options,
  });
  const { responseMessages } = await generateText({ model, ...settings });
  const [, second] = model.doGenerateCalls;
  return { prompt: second?.prompt.slice(-2) ?? [], responseMessages };
}

const fileOf = (mediaType: string, filename: string) => ({ type: "file", mediaType, filename });
const outputOf = (prompt: readonly { readonly role: string; readonly content: unknown }[]) => {
  const results = prompt.find(({ role }) => role === "tool")?.content as { output: unknown }[] | undefined;
  return results?.[0]?.output;
};

test.each(["openai.responses", "google.generative-ai", "anthropic.messages"])(
  "%s gets a picture in the tool's result",
  async (provider) => {
    const { prompt } = await promptOf(provider, "leaf.png");
    expect(outputOf(prompt)).toMatchObject({
      type: "content",
      value: [{ type: "text" }, fileOf("image/png", "leaf.png")],
    });
  },
);

test.each(["any.chat", "openai.chat", "gateway"])(
  "%s gets a picture in a message after the result",
  async (provider) => {
    const { prompt } = await promptOf(provider, "leaf.png");
    expect(prompt).toMatchObject([
      { role: "tool", content: [{ output: { type: "text" } }] },
      {
        role: "user",
        content: [{ type: "text" }, { type: "text", text: "'leaf.png':" }, fileOf("image/png", "leaf.png")],
      },
    ]);
  },
);

test("a CSV file is a file with its name where the provider takes it, and otherwise complete text", async () => {
  expect(outputOf((await promptOf("openai.responses", "teas.csv")).prompt)).toMatchObject({
    type: "content",
    value: [{ type: "text" }, fileOf("text/csv", "teas.csv")],
  });
  const { prompt } = await promptOf("anthropic.messages", "teas.csv");
  expect(prompt.at(-1)).toMatchObject({ role: "user", content: [{}, {}, fileOf("text/csv", "teas.csv")] });
  const output = outputOf((await promptOf("any.chat", "teas.csv")).prompt);
  expect(output).toEqual({ type: "text", value: expect.stringContaining("green,3") });
});

test("an unknown binary file, and with 'files: false' any, is refused with an error", async () => {
  const refusal = (name: string) => ({
    type: "error-text",
    value: `'${name}' is a binary file: binary not supported.`,
  });
  expect(outputOf((await promptOf("openai.responses", "any.bin")).prompt)).toEqual(refusal("any.bin"));
  const { prompt } = await promptOf("openai.responses", "leaf.png", { files: false });
  expect(outputOf(prompt)).toEqual(refusal("leaf.png"));
});

test("a function decides by the media type which files a model gets", async () => {
  const files = (mediaType: string) => mediaType.startsWith("image/");
  expect(outputOf((await promptOf("openai.responses", "leaf.png", { files })).prompt)).toMatchObject({
    value: [{ type: "text" }, fileOf("image/png", "leaf.png")],
  });
  expect(outputOf((await promptOf("openai.responses", "leaf.pdf", { files })).prompt)).toMatchObject({
    type: "error-text",
  });
});

test("a history moves to another model: files go where its provider takes them, and text stays text", async () => {
  for (const [path, found] of [
    ["leaf.png", "image_url"],
    ["teas.csv", "green,3"],
  ] as const) {
    const { responseMessages } = await promptOf("openai.responses", path);
    const scripted = await startScriptedModel([{ say: "Hi." }], { isSide: () => false });
    onTestFinished(() => scripted.close());
    const model: LanguageModel = createOpenAICompatible({ name: "s", baseURL: `${scripted.url}/v1` }).chatModel("s");
    const messages: ModelMessage[] = [
      { role: "user", content: "Read it." },
      // Also after it was stored.
      ...(JSON.parse(JSON.stringify(responseMessages)) as ModelMessage[]),
      { role: "user", content: "And now?" },
    ];
    const { invoked, ...settings } = await withSkills({ session: await openSession(), request: { messages } });
    await generateText({ model, ...settings });
    const body = JSON.stringify(scripted.requests[0]?.body);
    expect(body).toContain(found);
    expect(body).not.toContain('\\"type\\":\\"file\\"');
    expect(body).not.toContain('<skill_content name=\\"x');
  }
});

test("a result that was stored as JSON has no bytes, and its file is read again unless it has changed", async () => {
  const session = await openSession();
  const [tool] = (await session.turn([])).tools.filter(({ id }) => id === "read_skill_file");
  const output = await tool?.execute({ skill: "tea", path: "leaf.png" }, { takesFile: () => true });
  const stored = JSON.stringify(output);
  expect(stored).not.toMatch(/iVBOR|"data":\{"0"|137/);
  const messages = (value: unknown): ModelMessage[] => [
    { role: "user", content: "Read it." },
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "read_skill_file", input: {} }] },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "1",
          toolName: "read_skill_file",
          output: { type: "json", value: value as never },
        },
      ],
    },
  ];
  const again = await withSkills({ session, request: { messages: messages(JSON.parse(stored)) } });
  expect(JSON.stringify(again.messages)).toContain(PNG.toString("base64"));
  const changed = stored.replaceAll(/sha256:[0-9a-f]{8}/g, "sha256:00000000");
  const other = await withSkills({ session, request: { messages: messages(JSON.parse(changed)) } });
  expect(JSON.stringify(other.messages)).toContain("'leaf.png' is missing here: it has changed, or no longer exists.");
});
