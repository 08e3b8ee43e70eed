import { agent as agentApp, methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectScripted, eventsOf } from "../../../../../test/acp/connect-scripted.ts";
import { connectAgent } from "../index.ts";

const TEA = { name: "tea", description: "Makes tea.", body: "Steep for three minutes." };

/** An agent that sends these updates and ends its turn. */
function updatingAgent(updates: readonly SessionUpdate[]) {
  return agentApp({ name: "updating" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "1" }))
    .onRequest(methods.agent.session.prompt, async ({ client }) => {
      for (const update of updates) await client.notify(methods.client.session.update, { sessionId: "1", update });
      return { stopReason: "end_turn" as const };
    });
}

describe("the answer", () => {
  const text = (words: string): SessionUpdate => ({
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: words },
  });
  const done = (id: string): SessionUpdate => ({
    sessionUpdate: "tool_call",
    toolCallId: id,
    title: "todo",
    status: "completed",
  });

  test.each([
    ["is the text before the last tool call if no text follows", [text("It is 4."), done("1")], "It is 4."],
    [
      "is not the text before a tool call if more text follows",
      [text("Let me see."), done("1"), text("It is "), text("4.")],
      "It is 4.",
    ],
  ])("%s", async (_what, updates, answer) => {
    const agent = await connectAgent(updatingAgent(updates));
    onTestFinished(() => agent.close());
    expect(await agent.think().text("2 + 2?").run()).toBe(answer);
  });
});

describe("events", () => {
  test("cover the agent's thoughts, messages, tools and plans", async () => {
    const updates: SessionUpdate[] = [
      { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } },
      { sessionUpdate: "plan", entries: [{ content: "Look", status: "pending", priority: "high" }] },
      {
        sessionUpdate: "tool_call",
        toolCallId: "1",
        title: "ls",
        kind: "execute",
        status: "pending",
        rawInput: { a: 1 },
      },
      { sessionUpdate: "tool_call_update", toolCallId: "1", status: "in_progress" },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "1",
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: "x" } }],
      },
      { sessionUpdate: "tool_call_update", toolCallId: "2", status: "failed", title: "never announced" },
      { sessionUpdate: "agent_message_chunk", content: { type: "image", data: "", mimeType: "image/png" } },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Done." } },
    ];
    const agent = await connectAgent(updatingAgent(updates));
    onTestFinished(() => agent.close());
    const stream = agent.think().text("Go.").stream();
    const ls = { id: "1", title: "ls", kind: "execute", locations: [] };
    const succeeded = { outcome: "succeeded" };
    expect(await eventsOf(stream)).toEqual([
      { type: "thought", text: "Hm." },
      { type: "plan", entries: [{ content: "Look", status: "pending", priority: "high" }] },
      { type: "tool-started", ...ls, contents: [], input: { a: 1 } },
      { type: "tool-updated", ...ls, contents: [], input: { a: 1 } },
      { type: "tool-done", ...ls, contents: [{ type: "text", text: "x", truncated: false }], ...succeeded, text: "x" },
      {
        type: "tool-done",
        id: "2",
        title: "never announced",
        kind: "other",
        locations: [],
        contents: [],
        outcome: "failed",
        text: "",
      },
      { type: "message", text: "Done." },
    ]);
    expect(await stream.result).toBe("Done.");
  });

  test("can be filtered by type", async () => {
    const { agent } = await connectScripted([{ call: "activate_skill", input: { name: "tea" } }, { say: "Done." }]);
    const stream = agent
      .think()
      .skill(TEA)
      .text("Tea.")
      .stream({ include: ["skill-activated", "message"] });
    for await (const event of stream) event.type satisfies "skill-activated" | "message";
    expect(await stream.result).toBe("Done.");
    const again = agent
      .think()
      .skill(TEA)
      .text("Tea.")
      .stream({ include: ["message"] });
    expect((await eventsOf(again)).map(({ type }) => type)).toEqual(["message"]);
  });

  test("end with the error of the run", async () => {
    const { agent } = await connectScripted([{ fail: { status: 500, message: "out of order" } }]);
    const stream = agent.think().text("Hi.").stream();
    await expect(eventsOf(stream)).rejects.toMatchObject({ code: "agent-failed" });
  });
});
