import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { z } from "zod";
import type { ConnectAgentOptions, ThinkEvent, ThinkStream } from "../../packages/skillset/src/acp/index.ts";
import type { ScriptFault, ScriptStep } from "../../packages/testing/src/model/script.ts";
import type { ReceivedRequest } from "../../packages/testing/src/wire/model-request.ts";
import { type AgentUnderTest, PATIENCE, type PlayedModel, textOf, turnsOf } from "./agent-under-test.ts";
import { GUIDE_BODY, GUIDE_FILE, storeGuide, TIDES_BODY, tidesSkill } from "./guide-skills.ts";

/** The record of a run. */
export interface SeenRun {
  readonly requests: readonly ReceivedRequest[];
  readonly faults: readonly ScriptFault[];
  readonly events: readonly ThinkEvent[];
  readonly result: unknown;
  /** The inputs that the handlers in this process received. */
  readonly handled: readonly unknown[];
  /** The files in the agent's working folder. */
  readonly files: readonly string[];
}

/** One run with everything: a stored skill and one in code, their file and tool, a tool of the caller and a result. */
export async function runEverything(target: AgentUnderTest, options: ConnectAgentOptions = {}): Promise<SeenRun> {
  await using started = await target.start(SCRIPT, options);
  const { agent, model, cwd, folder } = started;
  const handled: unknown[] = [];
  const stream = agent
    .think(SIGHTING)
    .textln("What did I see, and how high was the water?")
    .skill(storeGuide(folder))
    .skill(tidesSkill((input) => handled.push(input)))
    .tool("lookup", "Looks up who saw a bird last", z.object({ bird: z.string() }), ({ bird }) => {
      handled.push({ bird });
      return `Maren saw the last ${bird}.`;
    })
    .timeout(PATIENCE)
    .stream();
  const events = await takeEvents(stream, model);
  const files = readdirSync(cwd, { recursive: true, encoding: "utf8" });
  return { requests: turnsOf(model), faults: model.faults, events, result: await stream.result, handled, files };
}

/** All events of a run. If it fails, the error includes the state of the script. */
export async function takeEvents(stream: ThinkStream<unknown>, { faults }: PlayedModel): Promise<ThinkEvent[]> {
  const events: ThinkEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
  } catch (error) {
    const why = faults.map(({ message }) => message).join(" ");
    throw new Error(`${(error as Error).message} ${why}`, { cause: error });
  }
  return events;
}

/** No JSON Schema expresses that a bird is one word, so this process rejects the first result. */
const SIGHTING = z.object({ bird: z.string().refine((bird) => !bird.includes(" "), "One word."), height: z.number() });

const RESULT = { bird: "oystercatcher", height: 417 };

/** Agents have similarly named tools, so each name includes the server. */
const SCRIPT: readonly ScriptStep[] = [
  { call: "skillset_activate_skill", input: { name: "bird-guide" } },
  { call: "skillset_read_skill_file", input: { skill: "bird-guide", path: "references/waders.md" } },
  { call: "skillset_activate_skill", input: { name: "tides" } },
  { call: "skillset_call_skill_tool", input: { skill: "tides", tool: "gauge", input: { place: "Husum" } } },
  { call: "think_lookup", input: { bird: "oystercatcher" } },
  { call: "think_return_result", input: { bird: "an oystercatcher", height: 417 } },
  { call: "think_return_result", input: RESULT },
  { say: "That was an oystercatcher." },
];

export interface Check {
  /** The feature, as named in the table of the docs. */
  readonly feature: string;
  readonly title: string;
  readonly check: (seen: SeenRun) => void;
}

/** The expectations for a run with everything, one by one. */
export const CHECKS: readonly Check[] = [
  {
    feature: "catalog",
    title: "the catalog is in the first request, with both names and without instructions",
    check: ({ requests }) => {
      const [first] = requests;
      const text = first === undefined ? "" : textOf(first);
      expect(text).toContain("<available_skills>");
      for (const said of ["bird-guide", "Names birds.", "tides", "Knows the tides."]) expect(text).toContain(said);
      for (const later of [GUIDE_BODY, GUIDE_FILE, TIDES_BODY]) expect(text).not.toContain(later);
    },
  },
  {
    feature: "tools named as the model sees them",
    title: "the prompt uses our tools' names as shown to the model, or adds their server",
    check: ({ requests: [first] }) => {
      const named = [...userTextOf(first).matchAll(/`([\w-]+)`(?: of the MCP server `(\w+)`)?/g)];
      const names = named.map(([, name = ""]) => name).filter((name) => /_/.test(name));
      expect(names.map((name) => name.replace(/^(?:mcp_+)?(?:skillset|think)_+/, "")).sort()).toEqual(OUR_TOOLS);
      const isShown = names.every((name) => first?.tools.includes(name));
      const isOwned = ["skillset", "think"].every((server) =>
        userTextOf(first).includes(`of the MCP server \`${server}\``),
      );
      expect(isShown || isOwned).toBe(true);
    },
  },
  {
    feature: "stored skill",
    title: "the instructions of a stored skill arrive when it is activated, and not before",
    check: ({ requests, events }) => {
      expectFrom(requests, 1, GUIDE_BODY);
      expect(events).toContainEqual(expect.objectContaining({ type: "skill-activated", skill: "bird-guide" }));
    },
  },
  {
    feature: "its file",
    title: "a stored skill's file reaches the model",
    check: ({ requests, events }) => {
      expectFrom(requests, 2, GUIDE_FILE);
      const path = "references/waders.md";
      expect(events).toContainEqual(expect.objectContaining({ type: "skill-file-read", skill: "bird-guide", path }));
    },
  },
  {
    feature: "skill in code",
    title: "the instructions of a skill in code arrive when it is activated, and not before",
    check: ({ requests, events }) => {
      expectFrom(requests, 3, TIDES_BODY);
      expect(events).toContainEqual(expect.objectContaining({ type: "skill-activated", skill: "tides" }));
    },
  },
  {
    feature: "its handler",
    title: "a skill's tool runs in this process, and its output reaches the model",
    check: ({ requests, events, handled }) => {
      expect(handled[0]).toEqual({ place: "Husum" });
      expectFrom(requests, 4, "The gauge of Husum says 417 cm.");
      const called = { type: "skill-tool-called", skill: "tides", tool: "gauge", outcome: "succeeded" };
      expect(events).toContainEqual(called);
    },
  },
  {
    feature: "tool of yours",
    title: "the caller's tool runs in this process, and its output reaches the model",
    check: ({ requests, handled }) => {
      expect(handled.slice(1)).toEqual([{ bird: "oystercatcher" }]);
      expectFrom(requests, 5, "Maren saw the last oystercatcher.");
    },
  },
  {
    feature: "checked result",
    title: "an invalid result is rejected, and the run returns the valid one",
    check: ({ requests, events, result }) => {
      expectFrom(requests, 6, "One word.");
      expect(events).toContainEqual(expect.objectContaining({ type: "result-refused", attemptsLeft: 4 }));
      expect(result).toEqual(RESULT);
    },
  },
  {
    feature: "no permission asked for our tools",
    title: "the events are in order, the script was played to its end, and no permission was requested for our tools",
    check: ({ events, faults }) => {
      expect(faults).toEqual([]);
      const told = events.map(({ type }) => type).filter((type) => TOLD.has(type));
      expect(told).toEqual([
        "bridge-chosen",
        "skill-activated",
        "skill-file-read",
        "skill-activated",
        "skill-tool-called",
        "result-refused",
      ]);
    },
  },
  {
    feature: "nothing written into the working folder",
    title: "nothing was written into the working folder",
    check: ({ files }) => expect(files).toEqual([]),
  },
];

/** The tools that the prompt of a run with everything mentions. */
const OUR_TOOLS = ["activate_skill", "call_skill_tool", "read_skill_file", "return_result"];

function userTextOf(request: ReceivedRequest | undefined): string {
  return request?.messages.find(({ text }) => text.includes("<available_skills>"))?.text ?? "";
}

const TOLD: ReadonlySet<string> = new Set([
  "bridge-chosen",
  "skill-activated",
  "skill-file-read",
  "skill-tool-called",
  "result-refused",
  "permission-decided",
  "events-dropped",
]);

/** Expects the text to appear first in the request that plays this step. */
function expectFrom(requests: readonly ReceivedRequest[], step: number, text: string): void {
  const having = requests.filter((request) => textOf(request).includes(text)).map((request) => request.step);
  expect(having[0]).toBe(step);
}
