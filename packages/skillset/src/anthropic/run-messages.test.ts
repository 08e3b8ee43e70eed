import { Anthropic } from "@anthropic-ai/sdk";
import type { MessageParam, ToolUnion } from "@anthropic-ai/sdk/resources/messages";
import { describe, expect, test } from "vitest";
import { createSkillset, defineSkill, defineTool } from "../index.ts";
import { type RunMessagesOptions, runMessages } from "./index.ts";

const tea = defineSkill({ name: "tea", description: "Makes tea.", body: "Steep it." });
const pay = defineTool({
  name: "pay",
  description: "Pays.",
  handler: ({ to }) => {
    if (to === "nobody") throw new Error("Nobody has no account.");
    return `Paid ${to}.`;
  },
});
const thinking = { type: "thinking", thinking: "They want tea.", signature: "c2lnbmVk" };
const said = (text: string) => ({ type: "text", text, citations: null });
const calls = (id: string, name: string, input: object = {}) => ({ type: "tool_use", id, name, input });

interface Answer {
  readonly content?: readonly object[];
  readonly stop_reason?: string;
  readonly [field: string]: unknown;
}
type Body = { readonly messages: MessageParam[]; readonly system?: object[]; readonly tools?: object[] } & Record<
  string,
  unknown
>;

/** Runs one message against these answers, from an endpoint that streams them or that cannot stream. */
async function run(
  answers: readonly Answer[],
  {
    request,
    isWhole = false,
    ...options
  }: Partial<Omit<RunMessagesOptions, "request">> & {
    readonly request?: object;
    readonly isWhole?: boolean;
  } = {},
) {
  const requests: Body[] = [];
  const events: string[] = [];
  const left = [...answers];
  const fetch = async (_url: unknown, init?: { readonly body?: unknown }) => {
    const body = JSON.parse(String(init?.body)) as Body;
    requests.push(body);
    const message = { id: "m", type: "message", role: "assistant", model: "any", usage: {}, ...left.shift() };
    return isWhole ? Response.json(message) : stream(message);
  };
  const client = new Anthropic({ apiKey: "any", fetch, maxRetries: 0 });
  const session = await (await createSkillset([tea])).session();
  const messages = [{ role: "user" as const, content: "Hi." }];
  const result = await runMessages({
    client,
    session,
    request: { model: "any", max_tokens: 100, messages, ...request },
    onEvent: ({ type }) => events.push(type),
    ...options,
  });
  return { result, requests, events, session };
}

/** Streams a message in the API's events. */
function stream(message: Answer): Response {
  const { content = [], stop_reason, stop_details = null, container, ...rest } = message;
  const events = [
    { type: "message_start", message: { ...rest, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: { ...block, ...("input" in block && { input: {} }) } },
      ...("input" in block
        ? [
            {
              type: "content_block_delta",
              index,
              delta: { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
            },
          ]
        : []),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null, stop_details, container }, usage: {} },
    { type: "message_stop" },
  ];
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

describe.each([
  ["in a stream", false],
  ["in one piece", true],
])("an answer %s", (_how, isWhole) => {
  test.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "refused"],
  ])("that ends with '%s' finishes with '%s'", async (stop_reason, finish) => {
    const { result } = await run([{ content: [said("Yes.")], stop_reason }], { isWhole });
    expect(result).toMatchObject({ text: "Yes.", finish, isDone: finish === "stop", answer: { stop_reason } });
  });

  test("keeps thinking blocks with their signatures, in the next request and in 'added'", async () => {
    const content = [
      thinking,
      { type: "redacted_thinking", data: "eHl6" },
      calls("1", "activate_skill", { name: "tea" }),
    ];
    const answers = [
      { content, stop_reason: "tool_use" },
      { content: [said("Done.")], stop_reason: "end_turn" },
    ];
    const { result, requests, session } = await run(answers, { isWhole });
    expect(session.active).toEqual(["tea"]);
    expect(result.added.map(({ role }) => role)).toEqual(["assistant", "user", "assistant"]);
    expect(result.added[0]).toEqual({ role: "assistant", content });
    expect(requests[1]?.messages[1]).toEqual({ role: "assistant", content });
  });

  test("with several calls gets all results in one message, with errors marked", async () => {
    const content = [calls("1", "pay", { to: "Ann" }), calls("2", "pay", { to: "nobody" }), calls("3", "steal")];
    const answers = [
      { content, stop_reason: "tool_use" },
      { content: [said("Done.")], stop_reason: "end_turn" },
    ];
    const { requests } = await run(answers, { isWhole, tools: [pay] });
    expect(requests[1]?.messages.slice(2)).toEqual([
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "1", content: "Paid Ann." },
          { type: "tool_result", tool_use_id: "2", content: "Nobody has no account.", is_error: true },
          expect.objectContaining({ tool_use_id: "3", content: "There is no function 'steal'.", is_error: true }),
        ],
      },
    ]);
  });

  test("that is paused is continued, in the container in which its code runs", async () => {
    const search = { type: "server_tool_use", id: "s", name: "web_search", input: { query: "tea" } };
    const answers = [
      { content: [said("I search."), search], stop_reason: "pause_turn", container: { id: "c-1", expires_at: "" } },
      { content: [said("Found.")], stop_reason: "end_turn" },
    ];
    const { result, requests } = await run(answers, { isWhole });
    expect(result).toMatchObject({ text: "I search.\n\nFound.", finish: "stop", isDone: true });
    expect(result.added).toHaveLength(2);
    expect(requests[1]?.messages[1]).toMatchObject({ role: "assistant", content: [said("I search."), search] });
    expect(requests[1]?.container).toBe("c-1");
  });
});

test("a refusal without a text has the API's explanation", async () => {
  const stop_details = { type: "refusal", category: null, explanation: "Not this." };
  const { result } = await run([{ content: [], stop_reason: "refusal", stop_details }]);
  expect(result).toMatchObject({ text: "Not this.", finish: "refused", added: [] });
});

test("a call in a cut answer is not run, and has a result", async () => {
  const { result, requests } = await run([{ content: [calls("1", "pay")], stop_reason: "max_tokens" }], {
    tools: [pay],
  });
  expect(requests).toHaveLength(1);
  const content = [
    { type: "tool_result", tool_use_id: "1", content: expect.stringMatching(/^This call was not run/), is_error: true },
  ];
  expect(result).toMatchObject({ finish: "length", added: [{}, { role: "user", content }] });
});

test("texts that citations split are joined, and a text after a tool's use is a paragraph", async () => {
  const search = { type: "server_tool_use", id: "s", name: "web_search", input: {} };
  const content = [said("I search."), search, said("Tea is "), said("a drink.")];
  const { result } = await run([{ content, stop_reason: "end_turn" }]);
  expect(result.text).toBe("I search.\n\nTea is a drink.");
});

test("a request for a long answer is sent, also without 'onEvent'", async () => {
  const answer = { content: [said("Yes.")], stop_reason: "end_turn" };
  const { result, requests } = await run([answer], { request: { max_tokens: 64_000 }, onEvent: undefined });
  expect(result.text).toBe("Yes.");
  expect(requests).toMatchObject([{ max_tokens: 64_000, stream: true }]);
});

test("streamed events reach 'onEvent'", async () => {
  const { events } = await run([{ content: [said("Yes.")], stop_reason: "end_turn" }]);
  expect(events).toEqual(expect.arrayContaining(["message_start", "content_block_stop", "message_stop"]));
});

test("the error that a gateway returns instead of an answer is the error's message", async () => {
  const asked = run([{ content: undefined, error: { message: "No credits left." } } as never], { isWhole: true });
  await expect(asked).rejects.toMatchObject({ name: "RunError", code: "run-failed", message: "No credits left." });
});

test("images and documents stay in a message that invokes a skill", async () => {
  const image = { type: "image", source: { type: "url", url: "https://example.org/leaf.png" } };
  const document = { type: "document", source: { type: "text", media_type: "text/plain", data: "Leaves." } };
  const messages = [{ role: "user", content: [image, document, { type: "text", text: "/tea green" }] }];
  const { requests, session } = await run([{ content: [said("Yes.")], stop_reason: "end_turn" }], {
    request: { messages },
  });
  expect(session.active).toEqual(["tea"]);
  const [sent] = requests[0]?.messages ?? [];
  expect(sent?.content).toEqual(expect.arrayContaining([image, expect.objectContaining(document)]));
  expect(JSON.stringify(sent)).toContain("Steep it.");
  expect(JSON.stringify(sent)).not.toContain("/tea");
});

describe("tools that Anthropic defines", () => {
  const answer = { content: [said("Yes.")], stop_reason: "end_turn" };
  const bash: ToolUnion = { type: "bash_20250124", name: "bash" };

  test("are passed on unchanged before the functions", async () => {
    const tools = [{ type: "web_search_20250305", name: "web_search", max_uses: 2 }];
    const { requests } = await run([answer], { request: { tools } });
    expect(requests[0]?.tools?.slice(0, 2)).toMatchObject([tools[0], { name: "activate_skill" }]);
  });

  test("and that the program runs are answered by the tool with their name", async () => {
    const shell = defineTool({ name: "bash", description: "Runs.", handler: ({ command }) => `$ ${command}` });
    const content = [calls("1", "bash", { command: "ls" })];
    const options = { request: { tools: [bash] }, tools: [shell] };
    const { requests, result } = await run([{ content, stop_reason: "tool_use" }, answer], options);
    expect(requests[0]?.tools?.filter((tool) => "name" in tool && tool.name === "bash")).toEqual([bash]);
    expect(JSON.stringify(result.added[1])).toContain("$ ls");
  });

  test.each<[string, object, string]>([
    ["a function", { tools: [{ name: "pay", input_schema: { type: "object" } }] }, "with a 'handler'"],
    ["a tool that nobody runs", { tools: [bash] }, "Your program runs 'bash'"],
    ["a toolset", { tools: [{ type: "computer_toolset_20260801" }] }, "is not supported"],
    ["'stream'", { stream: true }, "'onEvent' gets the events"],
    ["'cache'", { cache: false }, "move it out of 'request'"],
  ])("%s in the request is refused", async (_what, request, message) => {
    const refused = { code: "option-invalid", message: expect.stringContaining(message) };
    await expect(run([answer], { request })).rejects.toMatchObject(refused);
  });
});
