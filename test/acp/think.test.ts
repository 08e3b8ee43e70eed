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

/** A leak after twenty runs also shows after five. */
const RUNS = Math.min(20, Number(process.env.SOAK ?? 5));

describe.for([agentInProcess(), agentProgram])("with $name", (target) => {
  test.for(["http", "stdio"] as const)(
    "a run has skills, files, handlers and a validated result over %s",
    async (bridge) => {
      const seen = await runEverything(target, { bridge });
      for (const { check } of CHECKS) check(seen);
      expect(seen.events).toContainEqual({ type: "bridge-chosen", bridge, failed: [], unreachable: [] });
    },
  );

  test.for(["http", "stdio"] as const)(
    "a conversation continues with other tools, skills and schemas over %s",
    (bridge) => runSession(target, { bridge }),
  );

  test.for(["http", "stdio"] as const)("concurrent runs are isolated over %s", (bridge) =>
    runAtOnce(target, { bridge }),
  );

  test.runIf(TELLS_PROCESSES).for(["http", "stdio"] as const)("runs over %s leave nothing behind", (bridge) =>
    runManyTimes(target, RUNS, SKILL_RUN, { bridge }),
  );

  test("a prompt can be cancelled, and the conversation continues", () => runCancelled(target));
});

describe("with an agent without MCP", () => {
  const target = agentInProcess({ mcp: "none" });
  // Long enough to be sure that it does not list the tools.
  const options = { bridgeTimeout: 300 };

  test("a run shows it where stored skills are, and accepts a written result", () => runWithoutMcp(target, options));

  test("a conversation continues", () => runSessionWithoutMcp(target, options));

  test("concurrent runs are isolated", () => runAtOnceWithoutMcp(target, options));
});

test("the real agents pass all of this too", ({ skip }) => {
  const how = "`npm run agents:install && npm run test:agents`";
  const left = ACP_AGENTS.filter(({ version }) => version === undefined).map(({ name }) => name);
  skip(left.length > 0, `left out: ${left.join(", ")}; for them: ${how}`);
  expect(left).toEqual([]);
});
