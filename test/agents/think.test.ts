import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCancelled } from "../acp/cancel-scenario.ts";
import { runAtOnce } from "../acp/concurrent-scenario.ts";
import { runAtOnceWithoutMcp, runSessionWithoutMcp, runWithoutMcp } from "../acp/file-read-scenario.ts";
import { TELLS_PROCESSES } from "../acp/left-behind.ts";
import { PLAIN_RUN, runManyTimes, SKILL_RUN } from "../acp/many-runs-scenario.ts";
import { runRefused, runUnasked } from "../acp/refusal-scenario.ts";
import { CHECKS, runEverything, type SeenRun } from "../acp/scenario.ts";
import { runSession } from "../acp/session-scenario.ts";
import { FEATURES, SeenAgents, withTable } from "./agents-table.ts";
import { ACP_AGENTS, type AcpAgent } from "./fixtures/acp/all.ts";
import { SHELL_CALLS, type ShellCall } from "./fixtures/acp/shell-calls.ts";
import { underTest } from "./fixtures/acp/under-test.ts";
import { inAgents, needsAgents } from "./installed.ts";

needsAgents();

const seen = new SeenAgents(FEATURES);
const shows = (agent: AcpAgent, feature: string, title: string, run: () => unknown) =>
  test(title, () => seen.note(agent, feature, run));

describe.for(ACP_AGENTS.filter(({ name }) => name !== "pi"))("$name", (agent) => {
  const target = underTest(agent);
  let everything: Promise<SeenRun> | undefined;
  const runOnce = () => {
    everything ??= runEverything(target);
    return everything;
  };

  shows(agent, "bridge", "is reached over MCP", async () => {
    const chosen = (await runOnce()).events.find((event) => event.type === "bridge-chosen");
    expect(chosen?.failed).toEqual([]);
    return chosen?.bridge;
  });

  for (const { feature, title, check } of CHECKS) shows(agent, feature, title, async () => check(await runOnce()));

  for (const bridge of ["http", "stdio"] as const) {
    shows(agent, `all of this over ${bridge}`, `does all of this over ${bridge}`, async () => {
      const run = await runEverything(target, { bridge });
      for (const { check } of CHECKS) check(run);
      expect(run.events).toContainEqual({ type: "bridge-chosen", bridge, failed: [], unreachable: [] });
    });
  }

  shows(agent, "conversation of two prompts", "continues with another tool, skill and schema", () =>
    runSession(target),
  );

  shows(agent, "three runs at once in one folder", "isolates concurrent runs", () => runAtOnce(target));
});

describe.for(ACP_AGENTS.filter(({ name }) => name === "pi"))("$name", (agent) => {
  const target = underTest(agent);
  const byItself = "yes: it reads them by itself";
  const OUTCOMES = {
    bridge: "file-read",
    catalog: "yes",
    "stored skill": byItself,
    "its file": byItself,
    "checked result": "yes: as JSON in its answer",
    "nothing written into the working folder": "yes",
  };
  const LACKS = [
    "tools named as the model sees them",
    "skill in code",
    "its handler",
    "tool of yours",
    "no permission asked for our tools",
    "all of this over http",
    "all of this over stdio",
  ];

  test("reads stored skills itself and writes its result as text, because it has no MCP support", async () => {
    await runWithoutMcp(target, { reader: "read" });
    for (const [feature, outcome] of Object.entries(OUTCOMES)) await seen.note(agent, feature, () => outcome);
    for (const feature of LACKS) await seen.note(agent, feature, () => "no: it takes no MCP servers");
  });

  shows(agent, "conversation of two prompts", "continues with another schema", () => runSessionWithoutMcp(target));

  shows(agent, "three runs at once in one folder", "isolates concurrent runs", () => runAtOnceWithoutMcp(target));
});

describe.for(ACP_AGENTS)("$name", (agent) => {
  const target = underTest(agent);

  shows(agent, "cancelling", "can be cancelled, and the conversation continues", () => runCancelled(target));

  shows(agent, "refusing a command", "can be denied a command if it asks", async () => {
    const { asked, unasked, outcome } = SHELL_CALLS[agent.name] as ShellCall;
    if (asked !== undefined) await runRefused(underTest(agent, asked.env), asked.call);
    if (unasked !== undefined) await runUnasked(target, unasked);
    return outcome;
  });

  test.runIf(TELLS_PROCESSES)("leaves no process, port or descriptor behind after 20 runs", { timeout: 300_000 }, () =>
    seen.note(agent, "20 runs leave nothing behind", () =>
      runManyTimes(target, 20, agent.name === "pi" ? PLAIN_RUN : SKILL_RUN),
    ),
  );
});

test("docs/agents.md contains the table of observed features: if not, run `npm run test:agents -- --update`", async ({
  skip,
}) => {
  const table = seen.tableOf(ACP_AGENTS);
  skip(table === undefined, "not everything was run");
  const path = inAgents("../../docs/agents.md");
  const page = withTable(readFileSync(path, "utf8"), table ?? "", ["agents", "test/agents/think.test.ts"]);
  await expect(page).toMatchFileSnapshot(path);
});
