import { describe, expect, test } from "vitest";
import { ACP_AGENTS } from "../agents/fixtures/acp/all.ts";
import { runCancelled } from "./cancel-scenario.ts";
import { runAtOnce } from "./concurrent-scenario.ts";
import { runAtOnceWithoutMcp, runSessionWithoutMcp, runWithoutMcp } from "./file-read-scenario.ts";
import { TELLS_PROCESSES } from "./left-behind.ts";
import { runManyTimes, SKILL_RUN } from "./many-runs-scenario.ts";
import { CHECKS, runEverything } from "./scenario.ts";
import { agentInProcess, agentProgram } from "./scripted-agents.ts";
import { runSession } from "./session-scenario.ts";

/** What is left behind by five is left behind by twenty. */
const RUNS = process.env.SLOW === undefined ? 5 : 20;

describe.for([agentInProcess(), agentProgram])("with $name", (target) => {
  test.for(["http", "stdio"] as const)(
    "a run has skills, files, handlers and a checked result over %s",
    async (bridge) => {
      const seen = await runEverything(target, { bridge });
      for (const { check } of CHECKS) check(seen);
      expect(seen.events).toContainEqual({ type: "bridge-chosen", bridge, failed: [], unreachable: [] });
    },
  );

  test.for(["http", "stdio"] as const)(
    "a conversation goes on with other tools, skills and schemas over %s",
    (bridge) => runSession(target, { bridge }),
  );

  test.for(["http", "stdio"] as const)("runs at once do not mix over %s", (bridge) => runAtOnce(target, { bridge }));

  test.runIf(TELLS_PROCESSES).for(["http", "stdio"] as const)("runs over %s leave nothing behind", (bridge) =>
    runManyTimes(target, RUNS, SKILL_RUN, { bridge }),
  );

  test("a prompt can be cancelled, and the conversation goes on", () => runCancelled(target));
});

describe("with an agent that takes no MCP servers", () => {
  const target = agentInProcess({ mcp: "none" });
  // As long as it takes to be sure that it does not ask for the tools.
  const options = { bridgeTimeout: 300 };

  test("a run tells it where stored skills are, and takes a result that is written down", () =>
    runWithoutMcp(target, options));

  test("a conversation goes on", () => runSessionWithoutMcp(target, options));

  test("runs at once do not mix", () => runAtOnceWithoutMcp(target, options));
});

test("the real agents do all of this, too", ({ skip }) => {
  const how = "`npm run agents:install && npm run test:agents`";
  const left = ACP_AGENTS.filter(({ version }) => version === undefined).map(({ name }) => name);
  skip(left.length > 0, `left out: ${left.join(", ")}; for them: ${how}`);
  expect(left).toEqual([]);
});
