import { agent as agentApp } from "@agentclientprotocol/sdk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { connectScripted, eventsOf } from "../../../../../test/acp/connect-scripted.ts";
import { connectAgent } from "../index.ts";

const VERDICT = z.object({ verdict: z.enum(["good", "bad"]) });
const GOOD = { call: "return_result", input: { verdict: "good" } };
const TEA = { name: "tea", description: "Makes tea.", body: "Steep for three minutes." };

describe("the bridge to the agent", () => {
  const script = [{ call: "activate_skill", input: { name: "tea" } }, GOOD, { say: "Done." }];

  test.each(["http", "stdio"] as const)("is %s if the agent supports it", async (mcp) => {
    const { agent } = await connectScripted(script, { mcp });
    const stream = agent.think(VERDICT).skill(TEA).text("Judge the tea.").stream();
    const events = await eventsOf(stream);
    expect(events[0]).toEqual({ type: "bridge-chosen", bridge: mcp, failed: [], unreachable: [] });
    expect(events).toContainEqual(expect.objectContaining({ type: "skill-activated", skill: "tea" }));
    expect(await stream.result).toEqual({ verdict: "good" });
  });

  test("falls back to file reads if the agent never lists the tools, and the result is taken from its answer", async () => {
    const { agent, scripted } = await connectScripted([{ say: 'It is:\n```json\n{ "verdict": "bad" }\n```' }], {
      mcp: "none",
      bridgeTimeout: 100,
    });
    const stream = agent
      .think(VERDICT)
      .skill(TEA)
      .skill("skills/code-review")
      .cwd("packages/skillset")
      .text("Judge.")
      .stream();
    const [chosen] = await eventsOf(stream);
    expect(chosen).toMatchObject({
      bridge: "file-read",
      failed: expect.arrayContaining(["stdio"]),
      unreachable: [],
    });
    expect(await stream.result).toEqual({ verdict: "bad" });
    expect(scripted.requests[0]?.messages[0]?.text).toMatch(/<location>\/.*code-review\/SKILL\.md<\/location>/);
  });

  test("that is missing puts the instructions of skills in code into the prompt, once, as far as there is room", async () => {
    const { agent, scripted } = await connectScripted([{ say: "Yes." }, { say: "No." }], {
      mcp: "none",
      bridgeTimeout: 50,
    });
    const huge = { ...TEA, name: "huge", body: "All. ".repeat(50_000) };
    const chat = agent.session();
    const stream = chat
      .think()
      .skill(TEA)
      .skill(huge)
      .skill("packages/skillset/skills/code-review")
      .text("Go.")
      .stream();
    expect(await eventsOf(stream)).toContainEqual(
      expect.objectContaining({ type: "bridge-chosen", bridge: "file-read", unreachable: ["huge"] }),
    );
    await chat.think().skill(TEA).text("And now?").run();
    const [first = "", second = ""] =
      scripted.requests.at(-1)?.messages.flatMap(({ role, text }) => (role === "user" ? [text] : [])) ?? [];
    expect(first).toContain("Steep for three minutes.");
    expect(first).not.toMatch(/All\. All\.|Review the diff/);
    expect(second).not.toContain("Steep for three minutes.");
  });

  test("that is missing is named in the error of a run without a result", async () => {
    const { agent } = await connectScripted([{ say: "Hm." }, { say: "I cannot." }], { mcp: "none", bridgeTimeout: 50 });
    await expect(agent.think(VERDICT).skill(TEA).text("Judge.").run()).rejects.toMatchObject({
      code: "result-missing",
      message: expect.stringMatching(
        /did not use our tools over (http or )?stdio, so its answer had to be JSON\. .*I cannot/,
      ),
    });
  });

  test("that gemini ignores is reported with what to do: trust the folder", async () => {
    const app = agentApp()
      .onRequest("initialize", () => ({ protocolVersion: 1, agentInfo: { name: "gemini-cli", version: "1" } }))
      .onRequest("session/new", () => ({ sessionId: "one" }))
      .onRequest("session/prompt", () => ({ stopReason: "end_turn" as const }));
    const agent = await connectAgent(app, { bridgeTimeout: 50 });
    onTestFinished(() => agent.close());
    await expect(agent.think(VERDICT).skill(TEA).text("Judge.").run()).rejects.toMatchObject({
      code: "result-missing",
      message: expect.stringMatching(
        /did not use our tools.* trust the folder in gemini, or set GEMINI_CLI_TRUST_WORK/,
      ),
    });
  });

  test("can be the prompt itself, with 'inject'", async () => {
    const { agent, scripted } = await connectScripted([{ say: '{ "verdict": "good" }' }], {
      mcp: "none",
      bridgeTimeout: 50,
      inject: true,
    });
    const stream = agent
      .think(VERDICT)
      .skill(TEA)
      .text("Judge.")
      .stream({ include: ["bridge-chosen"] });
    expect(await eventsOf(stream)).toMatchObject([{ bridge: "inject", unreachable: [] }]);
    expect(await stream.result).toEqual({ verdict: "good" });
    expect(scripted.requests[0]?.messages[0]?.text).toContain("Steep for three minutes.");
  });

  test("runs announced tool calls in this process, including skills and their tools", async () => {
    const handler = vi.fn(() => "hot");
    const kettle = { ...TEA, tools: [{ name: "boil", description: "Boils", handler }] };
    const { agent, scripted } = await connectScripted(
      [
        { call: "activate_skill", input: { name: "tea" } },
        { call: "call_skill_tool", input: { skill: "tea", tool: "boil", input: {} } },
        { call: "lookup", input: { id: 7 } },
        { call: "return_result", input: { verdict: "sour" } },
        GOOD,
      ],
      { announces: ["activate_skill", "call_skill_tool", "lookup", "return_result"], bridgeTimeout: 50 },
    );
    const lookup = vi.fn(() => "ticket");
    const stream = agent
      .think(VERDICT)
      .skill(kettle)
      .tool("lookup", "Looks up", z.object({ id: z.number() }), lookup)
      .text("Judge.")
      .stream();
    const events = await eventsOf(stream);
    expect(await stream.result).toEqual({ verdict: "good" });
    expect(handler).toHaveBeenCalledOnce();
    expect(lookup).toHaveBeenCalledWith({ id: 7 }, expect.anything());
    expect(events.filter(({ type }) => type === "bridge-chosen").at(-1)).toMatchObject({ bridge: "announced" });
    const told = scripted.requests
      .at(-1)
      ?.messages.map(({ text }) => text)
      .join("\n");
    expect(told).toMatch(/Steep for three minutes[\s\S]*hot[\s\S]*ticket[\s\S]*does not fit/);
  });
});
