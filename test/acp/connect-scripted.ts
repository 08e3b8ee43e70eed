import { onTestFinished } from "vitest";
import { type ConnectAgentOptions, connectAgent, type ThinkEvent } from "../../packages/skillset/src/acp/index.ts";
import { type ScriptedAgentOptions, type ScriptStep, startScriptedAgent } from "../../packages/testing/src/index.ts";

/** Connects an agent that follows a script, until the test is over. */
export async function connectScripted(
  script: readonly ScriptStep[],
  options: ScriptedAgentOptions & ConnectAgentOptions = {},
) {
  const { mcp, announces, asksPermission, connects, ...rest } = options;
  const given = { mcp, announces, asksPermission, connects };
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const scripted = await startScriptedAgent(script, defined);
  const agent = await connectAgent(scripted.app, rest);
  onTestFinished(async () => {
    await agent.close();
    await scripted.close();
  });
  return { agent, scripted };
}

/** All events of a stream. */
export async function eventsOf(stream: AsyncIterable<ThinkEvent>): Promise<ThinkEvent[]> {
  const events: ThinkEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
