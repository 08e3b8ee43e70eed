import { agent as agentApp, type SessionUpdate, type ToolCallContent } from "@agentclientprotocol/sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { LIMITS } from "../../../core/base/limits.ts";
import { connectAgent, type ThinkEvent } from "../../index.ts";

/** The events of a run on an agent that sends these updates. */
async function eventsOf(...updates: readonly SessionUpdate[]): Promise<readonly ThinkEvent[]> {
  const app = agentApp()
    .onRequest("initialize", () => ({ protocolVersion: 1 }))
    .onRequest("session/new", () => ({ sessionId: "one" }))
    .onRequest("session/prompt", async ({ client }) => {
      for (const update of updates) await client.notify("session/update", { sessionId: "one", update });
      return { stopReason: "end_turn" };
    });
  const agent = await connectAgent(app);
  onTestFinished(() => agent.close());
  const events: ThinkEvent[] = [];
  for await (const event of agent.think().text("Go.").stream()) events.push(event);
  return events;
}

/** The contents of the event of a finished call. */
async function contentsOf(...content: ToolCallContent[]) {
  const call = { sessionUpdate: "tool_call", toolCallId: "1", title: "Edit", status: "completed", content } as const;
  const [event] = await eventsOf(call);
  return event?.type === "tool-done" ? event.contents : [];
}

describe("a tool call", () => {
  test("is reported with its kind and places, and an update changes only what it contains", async () => {
    const [started, updated, done] = await eventsOf(
      {
        sessionUpdate: "tool_call",
        toolCallId: "1",
        title: "Edit notes",
        kind: "edit",
        locations: [{ path: "/work/notes.md", line: 12 }, { path: "/work/other.md" }],
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "1",
        content: [{ type: "diff", path: "/work/notes.md", oldText: "a\n", newText: "b\n" }],
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "1",
        status: "completed",
        locations: [{ path: "/work/new.md" }],
      },
    );
    const locations = [{ path: "/work/notes.md", line: 12 }, { path: "/work/other.md" }];
    const diff = { type: "diff", path: "/work/notes.md", oldText: "a\n", newText: "b\n", truncated: false };
    const same = { id: "1", title: "Edit notes", kind: "edit" };
    expect(started).toEqual({ type: "tool-started", ...same, locations, contents: [] });
    expect(updated).toEqual({ type: "tool-updated", ...same, locations, contents: [diff] });
    expect(done).toMatchObject({ type: "tool-done", ...same, locations: [{ path: "/work/new.md" }], contents: [diff] });
  });

  test("with the id of an older call is a new call", async () => {
    const first = {
      sessionUpdate: "tool_call",
      toolCallId: "1",
      title: "Edit",
      kind: "edit",
      rawInput: { a: 1 },
    } as const;
    const [, , third, fourth] = await eventsOf(
      first,
      { sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" },
      { sessionUpdate: "tool_call", toolCallId: "1", title: "Look", status: "pending" },
      { sessionUpdate: "tool_call", toolCallId: "1", title: "Look", status: "completed" },
    );
    const same = { id: "1", title: "Look", kind: "other", locations: [], contents: [] };
    expect(third).toEqual({ type: "tool-started", ...same });
    expect(fourth).toEqual({ type: "tool-done", ...same, outcome: "succeeded", text: "" });
  });

  test("without a kind, or with an unknown one, is of the kind 'other'", async () => {
    const unknown = { sessionUpdate: "tool_call", toolCallId: "2", title: "b", kind: "dance" } as unknown;
    const events = await eventsOf(
      { sessionUpdate: "tool_call", toolCallId: "1", title: "a" },
      unknown as SessionUpdate,
    );
    expect(events).toMatchObject([{ kind: "other" }, { kind: "other" }]);
  });

  test("is reported with contents of every type", async () => {
    const contents = await contentsOf(
      { type: "content", content: { type: "text", text: "one" } },
      { type: "diff", path: "/new.md", newText: "new" },
      { type: "content", content: { type: "image", mimeType: "image/png", data: "aW1n" } },
      { type: "content", content: { type: "audio", mimeType: "audio/wav", data: "c25k" } },
      { type: "content", content: { type: "resource_link", uri: "file:///a.md", name: "a", mimeType: "text/plain" } },
      { type: "content", content: { type: "resource", resource: { uri: "file:///b.md", text: "two" } } },
      { type: "content", content: { type: "resource", resource: { uri: "file:///c.bin", blob: "YmxvYg==" } } },
      { type: "terminal", terminalId: "unknown" },
    );
    expect(contents).toEqual([
      { type: "text", text: "one", truncated: false },
      { type: "diff", path: "/new.md", oldText: undefined, newText: "new", truncated: false },
      { type: "image", mimeType: "image/png", data: "aW1n", truncated: false },
      { type: "audio", mimeType: "audio/wav", data: "c25k", truncated: false },
      { type: "link", uri: "file:///a.md", name: "a", mimeType: "text/plain" },
      { type: "resource", uri: "file:///b.md", mimeType: undefined, text: "two", truncated: false },
      { type: "blob", uri: "file:///c.bin", mimeType: undefined, data: "YmxvYg==", truncated: false },
      { type: "terminal", id: "unknown", output: "", truncated: false },
    ]);
  });

  test("has the output of its terminal, as far as the agent has sent it", async () => {
    const printed = (data: string): SessionUpdate => ({
      sessionUpdate: "tool_call_update",
      toolCallId: "1",
      _meta: { terminal_output: { terminal_id: "t", data } },
    });
    const content: ToolCallContent[] = [{ type: "terminal", terminalId: "t" }];
    const events = await eventsOf(
      { sessionUpdate: "tool_call", toolCallId: "1", title: "ls", kind: "execute", content },
      printed("a\n"),
      printed("b\n"),
      { sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" },
    );
    const outputs = events.map((event) => "contents" in event && event.contents[0]);
    expect(outputs).toMatchObject([{ output: "" }, { output: "a\n" }, { output: "a\nb\n" }, { output: "a\nb\n" }]);
  });
});

describe("the size of an event is bounded:", () => {
  const { toolCharacters, toolContents, toolLocations, terminalCharacters } = LIMITS.agent;
  const text = (length: number): ToolCallContent => ({
    type: "content",
    content: { type: "text", text: "x".repeat(length) },
  });

  test("texts and diffs are cut, and data is left out, once all of them together are too long", async () => {
    const contents = await contentsOf(
      text(toolCharacters - 5),
      { type: "content", content: { type: "image", mimeType: "image/png", data: "123456" } },
      { type: "diff", path: "/a", oldText: "abc", newText: "defg" },
    );
    expect(contents).toMatchObject([
      { truncated: false },
      { type: "image", data: "", truncated: true },
      { oldText: "abc", newText: "de", truncated: true },
    ]);
  });

  test("there are at most as many contents and locations as the limits allow", async () => {
    const locations = Array.from({ length: toolLocations + 1 }, (_, index) => ({ path: `/${index}` }));
    const content = Array.from({ length: toolContents + 1 }, () => text(1));
    const [event] = await eventsOf({ sessionUpdate: "tool_call", toolCallId: "1", title: "a", locations, content });
    expect(event).toMatchObject({ locations: { length: toolLocations }, contents: { length: toolContents } });
  });

  test("a terminal's output keeps its end", async () => {
    const data = `${"x".repeat(terminalCharacters)}end`;
    const [event] = await eventsOf({
      sessionUpdate: "tool_call",
      toolCallId: "1",
      title: "a",
      content: [{ type: "terminal", terminalId: "t" }],
      _meta: { terminal_output: { terminal_id: "t", data } },
    });
    const [terminal] = event?.type === "tool-started" ? event.contents : [];
    expect(terminal).toMatchObject({ output: expect.stringMatching(/^x+end$/), truncated: true });
    expect(terminal?.type === "terminal" && terminal.output.length).toBe(terminalCharacters);
  });
});
