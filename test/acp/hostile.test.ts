import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { startFaulty, take } from "./faulty-agent.ts";
import { type Instruction, instruct } from "./instructed-agent.ts";

const NUMBER = { type: "number" };
const DEADLINE = { timeout: 45_000 };

describe.concurrent("an agent's updates", DEADLINE, () => {
  test("are accepted, however strange: IDs like __proto__, titles of 1 MB, unknown sessions", async () => {
    await using faulty = await startFaulty(["instructed"]);
    const call = (toolCallId: string, more: object = {}): Instruction => ({
      update: { sessionUpdate: "tool_call", toolCallId, title: toolCallId, ...more },
    });
    const done = (toolCallId: string): Instruction => ({
      update: { sessionUpdate: "tool_call_update", toolCallId, status: "completed" },
    });
    const stream = faulty.agent
      .think()
      .text(
        instruct(
          call("__proto__", { rawInput: JSON.parse('{"__proto__":{"polluted":true}}') }),
          call("constructor", { kind: "execute" }),
          call("long", { title: "t".repeat(1_000_000) }),
          done("__proto__"),
          done("__proto__"),
          done("never-started"),
          { ...call("other"), sessionId: "no-such-session" },
          { ...call("other"), sessionId: "__proto__" },
        ),
      )
      .stream({ include: ["tool-started", "tool-updated", "tool-done"] });
    const events = await take(stream);
    expect(events.map((event) => `${event.type} ${"id" in event ? event.id : ""}`)).toEqual([
      "tool-started __proto__",
      "tool-started constructor",
      "tool-started long",
      "tool-done __proto__",
      "tool-updated __proto__",
      "tool-done never-started",
    ]);
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ outcome: "succeeded", title: "" });
  });

  test("in sessions with one ID go to the newest run only, and do not affect later runs", async () => {
    await using faulty = await startFaulty(["instructed", "sessions=same"]);
    for (let run = 0; run < 3; run++) {
      expect(
        await faulty.agent
          .think()
          .text(instruct({ report: "pid" }))
          .run(),
      ).toMatch(/^\[\d+\]$/);
    }
  });
});

describe.concurrent("a permission", DEADLINE, () => {
  // The schema is closed: only then do other arguments show that a call is not ours.
  const LOOK = { type: "object", properties: { at: { type: "string" } }, additionalProperties: false };
  const OPTIONS = [
    { optionId: "yes", kind: "allow_once", name: "Yes" },
    { optionId: "ever", kind: "allow_always", name: "Forever" },
    { optionId: "no", kind: "reject_once", name: "No" },
  ];
  const ask = (toolCall: object, options: readonly object[] = OPTIONS): Instruction => ({
    permission: { toolCall: { toolCallId: crypto.randomUUID(), ...toolCall }, options },
  });
  const answers = async (policy: Parameters<typeof decide>[0], ...asked: Instruction[]) => decide(policy, asked);

  async function decide(policy: { allow?: string[]; deny?: string[] }, asked: readonly Instruction[]) {
    await using faulty = await startFaulty(["instructed"]);
    const said = await faulty.agent
      .think()
      .text(instruct(...asked))
      .skill({ name: "in-code", description: "Is in code.", body: "Hello." })
      .tool("look", "Looks", LOOK, () => {})
      .permissions(policy)
      .run();
    return (JSON.parse(said) as { outcome: string; optionId?: string }[]).map(
      ({ outcome, optionId }) => optionId ?? outcome,
    );
  }

  test("is granted for our own tools, however an agent names them", async () => {
    const own = [
      ask({ title: "mcp__skillset__activate_skill", rawInput: { name: "in-code" } }),
      ask({ title: "think_look", rawInput: { at: "it" } }),
      ask({ title: "look (think MCP Server)", kind: "other" }),
      ask({ title: "Looking", name: "mcp__think__look", kind: "execute" }),
      ask({
        title: "mcp.think.look",
        kind: "execute",
        _meta: { is_mcp_tool_call: true },
        rawInput: { server: "think", tool: "look", arguments: { at: "it" } },
      }),
    ];
    expect(await answers({}, ...own)).toEqual(own.map(() => "yes"));
  });

  test("is not granted for calls that only look like ours", async () => {
    const imitations = [
      ...["execute", "edit", "delete", "move", "read", "search", "fetch", "think"].map((kind) =>
        ask({ title: "mcp__think__look", kind, rawInput: { at: "it" } }),
      ),
      ask({ title: "mcp__think__look", kind: "execute", rawInput: { command: "rm -rf ~" } }),
      ask({ title: "mcp__think__look", rawInput: { command: "rm -rf ~" } }),
      ask({ title: "mcp__think__look; rm -rf ~" }),
      ask({ title: "mcp__think__look\nrm -rf ~" }),
      ask({ title: " mcp__think__look" }),
      ask({ title: "mcp__think__no_such_tool" }),
      ask({ title: "mcp__other__look" }),
      ask({ title: "look" }),
      ask({ title: "Bash", name: "Bash", rawInput: { command: "mcp__think__look" } }),
      ask({ title: "mcp__think__look", name: "Bash", rawInput: {} }),
      ask({ title: "mcp__think__look", name: "", rawInput: {} }),
      ask({
        title: "mcp__think__look",
        _meta: { is_mcp_tool_call: true },
        rawInput: { server: "other", tool: "look", arguments: {} },
      }),
      ask({
        title: "mcp__think__look",
        _meta: { is_mcp_tool_call: true },
        rawInput: { server: ["think"], tool: ["look"] },
      }),
      ask({ title: "mcp__think__look", rawInput: "rm -rf ~" }),
      ask({ title: "mcp__think__look", rawInput: ["rm -rf ~"] }),
      ask({ title: "mcp__think____proto__" }),
      ask({ title: "mcp__think__constructor" }),
    ];
    expect(await answers({}, ...imitations)).toEqual(imitations.map(() => "no"));
  });

  test("is not granted because an earlier call with the same ID was ours", async () => {
    const id = "reused";
    const ours = { toolCallId: id, title: "mcp__think__look", rawInput: { at: "it" } };
    const asked: Instruction[] = [
      { update: { sessionUpdate: "tool_call", ...ours } },
      { update: { sessionUpdate: "tool_call_update", toolCallId: id, status: "completed" } },
      ask({ toolCallId: id, kind: "execute" }),
      ask({ toolCallId: id, title: "rm -rf ~" }),
      ask({ toolCallId: id, rawInput: { command: "rm -rf ~" } }),
    ];
    expect((await answers({}, ...asked)).slice(2)).toEqual(["no", "no", "no"]);
  });

  test("is cancelled if no option matches the decision", async () => {
    const [once, ever, no] = OPTIONS as [object, object, object];
    const own = { title: "mcp__think__look" };
    const asked = [
      ask({ title: "make tea" }, []),
      ask({ title: "make tea" }, [ever]),
      ask({ title: "make coffee" }, [once, ever]),
      ask({ title: "make tea" }, [no]),
      ask(own, []),
      ask(own, [ever]),
      ask(own, [no]),
    ];
    expect(await answers({ allow: ["make tea"] }, ...asked)).toEqual([
      "cancelled",
      "cancelled",
      "cancelled",
      "cancelled",
      "cancelled",
      "ever",
      "cancelled",
    ]);
  });

  test("is found among 1,000 options, and a title of 1 MB is matched before the deadline", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({
      optionId: `o${index}`,
      kind: index === 777 ? "reject_once" : "allow_always",
      name: "Yes",
    }));
    const asked = [ask({ title: "make coffee" }, many), ask({ title: `${"a".repeat(1_000_000)}!` })];
    expect(await answers({ allow: ["*a*a*a*a*b"] }, ...asked)).toEqual(["o777", "no"]);
  });

  test("for an unknown or ended session is cancelled", async () => {
    await using faulty = await startFaulty(["instructed"]);
    const own = ask({ title: "mcp__think__look" });
    const run = async (...told: Instruction[]) =>
      JSON.parse(
        await faulty.agent
          .think()
          .text(instruct(...told))
          .permissions({ allow: ["*"] })
          .run(),
      );
    const anything = ask({ title: "anything" });
    const [now] = await run(
      { ...anything, sessionId: "no-such-session" } as Instruction,
      { later: anything, after: "next-turn" },
      { later: own, after: "next-turn" },
    );
    expect(now).toEqual({ outcome: "cancelled" });
    const [remembered] = await run({ report: "remembered" });
    expect(remembered).toEqual([{ outcome: "cancelled" }, { outcome: "cancelled" }]);
  });
});

describe.concurrent("return_result", DEADLINE, () => {
  test("called twice concurrently accepts the first result, and rejects the other with a message", async () => {
    await using faulty = await startFaulty(["instructed"]);
    const calls = [1, 2].map((result) => ({ tool: "return_result", input: { result } }));
    const stream = faulty.agent
      .think(NUMBER)
      .text(instruct({ calls }))
      .stream({ include: ["message"] });
    const [said] = await take(stream);
    expect([1, 2]).toContain(await stream.result);
    const [texts] = JSON.parse(said?.type === "message" ? said.text : "[]") as string[][];
    expect([...(texts ?? [])].sort()).toEqual([
      "A result was accepted before; this one is not used.",
      "The result was accepted. You are done: end your turn.",
    ]);
  });

  // HTTP takes longer.
  const isFull = process.env.SOAK !== undefined;
  const LATE = /no such tool|There is no tool|The run has ended|No result is requested/;
  const isAccepted = (text: string) => text.startsWith("The result was accepted.");
  test.each([
    ["http", 2],
    ["stdio", isFull ? 20 : 4],
  ] as const)("called many times over %s accepts the first result", async (bridge, batchCount) => {
    await using faulty = await startFaulty(["instructed"], { bridge });
    const session = faulty.agent.session();
    const batches = Array.from({ length: batchCount }, (_, batch) => ({
      calls: Array.from({ length: 50 }, (_, index) => ({
        tool: "return_result",
        input: { result: batch * 50 + index },
      })),
      isRemembered: true as const,
    }));
    const result = session
      .think(NUMBER)
      .text(instruct(...batches))
      .run();
    expect(await result).toBeLessThan(50);
    const said = await session
      .think()
      .text(instruct({ report: "remembered" }))
      .run();
    // On a busy machine, the agent's answer to the first prompt may still arrive, in front of the second one.
    const texts = (JSON.parse(said.slice(said.lastIndexOf("[[["))) as string[][][]).flat(2);
    expect(texts.length).toBeGreaterThanOrEqual(50);
    const [accepted, others] = [texts.filter(isAccepted), texts.filter((text) => !isAccepted(text))];
    expect(accepted).toHaveLength(1);
    // A run waits for a few seconds after its result. On a busy machine, calls may arrive later.
    for (const text of others) if (!LATE.test(text)) expect(text).toMatch(/^A result was accepted before/);
  });

  test("called 1,000 times with invalid results fails the run after five", async () => {
    await using faulty = await startFaulty(["instructed"]);
    const calls = Array.from({ length: 1_000 }, () => ({ tool: "return_result", input: { result: "none" } }));
    const stream = faulty.agent
      .think(NUMBER)
      .text(instruct({ calls }))
      .stream({ include: ["result-refused"] });
    stream.result.catch(() => {});
    const attempts: number[] = [];
    await expect(
      (async () => {
        for await (const { attemptsLeft } of stream) attempts.push(attemptsLeft);
      })(),
    ).rejects.toMatchObject({ code: "result-invalid" });
    expect(attempts).toEqual([4, 3, 2, 1, 0]);
  });

  test("called after its run has ended does not affect the next run", async () => {
    await using faulty = await startFaulty(["instructed"]);
    const session = faulty.agent.session();
    const late: Instruction = { calls: [{ tool: "return_result", input: { result: 2 } }] };
    const first: Instruction = { calls: [{ tool: "return_result", input: { result: 1 } }] };
    expect(
      await session
        .think(NUMBER)
        .text(instruct(first, { later: late, after: 200 }))
        .run(),
    ).toBe(1);
    await sleep(600);
    const said = await session
      .think()
      .text(instruct({ report: "remembered" }))
      .run();
    // On a busy machine the call may arrive during the next run, which requests no result.
    expect(said).toMatch(LATE);
  });
});
