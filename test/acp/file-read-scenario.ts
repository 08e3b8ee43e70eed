import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import type { ConnectAgentOptions } from "../../packages/skillset/src/acp/index.ts";
import type { ScriptStep } from "../../packages/testing/src/model/script.ts";
import type { ReceivedRequest } from "../../packages/testing/src/wire/model-request.ts";
import { type AgentUnderTest, PATIENCE, textOf, turnsOf } from "./agent-under-test.ts";
import { GUIDE_BODY, GUIDE_FILE, storeGuide, TIDES_BODY, tidesSkill } from "./guide-skills.ts";
import { takeEvents } from "./scenario.ts";

export interface FileReadOptions extends ConnectAgentOptions {
  /** The agent's own tool that reads a file by its `path`; undefined if it has none. */
  readonly reader?: string;
}

/** A run with an agent without MCP: it reads stored skills itself, and writes its result as text. */
export async function runWithoutMcp(
  target: AgentUnderTest,
  { reader, ...options }: FileReadOptions = {},
): Promise<void> {
  const read = (path: string): readonly ScriptStep[] =>
    reader === undefined
      ? []
      : [({ messages }) => ({ call: reader, input: { path: join(guideIn(messages[0]?.text ?? ""), path) } })];
  const result = { bird: "oystercatcher" };
  await using started = await target.start(
    [...read("SKILL.md"), ...read("references/waders.md"), answer({ bird: 7 }), answer(result)],
    options,
  );
  const { agent, model, cwd, folder } = started;
  const stream = agent
    .think(z.object({ bird: z.string() }))
    .text("What did I see?")
    .skill(storeGuide(folder))
    .skill(tidesSkill())
    .timeout(PATIENCE)
    .stream();
  const events = await takeEvents(stream, model);
  expect(await stream.result).toEqual(result);
  expect(model.faults).toEqual([]);
  expect(readdirSync(cwd)).toEqual([]);
  const chosen = { type: "bridge-chosen", bridge: "file-read", unreachable: [] };
  expect(events.filter(({ type }) => type === "bridge-chosen")).toEqual([expect.objectContaining(chosen)]);
  expect(events).toContainEqual(expect.objectContaining({ type: "result-refused" }));
  const sent = turnsOf(model).map(textOf);
  expect(sent[0]).toContain("<available_skills>");
  expect(sent[0]).not.toContain(GUIDE_BODY);
  expect(sent.at(-1)?.includes(GUIDE_BODY)).toBe(reader !== undefined);
  expect(sent.at(-1)?.includes(GUIDE_FILE)).toBe(reader !== undefined);
  expect(sent[0]).toContain(TIDES_BODY);
}

/** Two prompts of one conversation without MCP. The second sees the first, even with another run in between. */
export async function runSessionWithoutMcp(target: AgentUnderTest, options: ConnectAgentOptions = {}): Promise<void> {
  const begin: ScriptStep = (request) =>
    textOf(request).includes("By the way") ? { say: "Never better." } : answer({ bird: "gull" });
  await using started = await target.start([begin, answer({ height: 297 })], options);
  const { agent, model } = started;
  await using session = agent.session();
  const first = session
    .think(z.object({ bird: z.string() }))
    .text("What did I see?")
    .timeout(PATIENCE);
  expect(await first.run()).toEqual({ bird: "gull" });
  const second = session
    .think(z.object({ height: z.number() }))
    .text("And how high was the water?")
    .timeout(PATIENCE);
  expect(await second.run()).toEqual({ height: 297 });
  const last = textOf(turnsOf(model).at(-1) as ReceivedRequest);
  for (const said of ["What did I see?", "gull", "And how high was the water?"]) expect(last).toContain(said);
  expect(model.faults).toEqual([]);
}

/** Three concurrent runs without MCP: each gets its own answer. */
export async function runAtOnceWithoutMcp(target: AgentUnderTest, options: ConnectAgentOptions = {}): Promise<void> {
  const repeat: ScriptStep = (request) => answer({ told: textOf(request).match(/the word (\w+)/)?.[1] });
  await using started = await target.start([repeat], options);
  const { agent, model } = started;
  const words = ["amber", "birch", "coral"];
  const ask = (word: string) =>
    agent
      .think(z.object({ told: z.string() }))
      .text(`Repeat the word ${word}.`)
      .timeout(PATIENCE)
      .run();
  expect(await Promise.all(words.map(ask))).toEqual(words.map((told) => ({ told })));
  expect(model.faults).toEqual([]);
}

function answer(result: unknown) {
  return { say: `Here it is.\n\n\`\`\`json\n${JSON.stringify(result)}\n\`\`\`` };
}

/** The skill's folder, from the catalog. */
function guideIn(prompt: string): string {
  return /<location>(.*bird-guide)\/SKILL\.md<\/location>/.exec(prompt)?.[1] ?? "";
}
