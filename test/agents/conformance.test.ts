import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type SkillsServer, serveHttp } from "skillset/mcp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addToken } from "./add-token.ts";
import { EXPECTED_FAILURES } from "./expected-failures.ts";
import { serveSkills } from "./fixtures/served-skills.ts";
import { inAgents, needsAgents } from "./installed.ts";
import { type Check, listScenarios, runScenario } from "./run-suite.ts";

/** The scenarios that apply to a skills server, and how many checks pass in each version of the protocol. */
const SERVER_SCENARIOS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "server-initialize": { "2025-06-18": 2, "2025-11-25": 2 },
  // The server has no sessions, so there is no lifecycle to check.
  "server-session-lifecycle": { "2025-03-26": 0, "2025-06-18": 0, "2025-11-25": 0 },
  "server-stateless": { "2026-07-28": 26 },
  ping: { "2025-06-18": 2, "2025-11-25": 2 },
  "tools-list": { "2025-06-18": 2, "2025-11-25": 3, "2026-07-28": 4 },
  "resources-list": { "2025-06-18": 2, "2025-11-25": 2, "2026-07-28": 2 },
  "prompts-list": { "2025-06-18": 2, "2025-11-25": 2, "2026-07-28": 2 },
  "sep-2164-resource-not-found": { "2026-07-28": 4 },
  "dns-rebinding-protection": { "2025-11-25": 2, "2026-07-28": 2 },
  caching: { "2026-07-28": 8 },
  "http-header-validation": { "2026-07-28": 14 },
  // From 2026-07-28 on, the server states how long a listing may be cached.
  "sep-2640-skills-enumeration": { "2025-11-25": 30, "2026-07-28": 32 },
  "sep-2640-skills-manifest": { "2025-11-25": 6, "2026-07-28": 6 },
  "sep-2640-skills-directory": { "2025-11-25": 7, "2026-07-28": 7 },
};

/**
 * The other scenarios use tools, prompts and resources with the suite's own names, or features that skills do not use.
 */
const FOR_OTHER_SERVERS =
  /^(?:tools-call-|resources-(?:read|templates|subscribe|unsubscribe)|prompts-get-|tasks-|input-required-|elicitation-|server-sse-|logging-set-level|completion-complete|json-schema-2020-12$|http-custom-header-server-)/;

const CLIENT_SCENARIOS = [
  "sep-2640-client-no-prefetch",
  "sep-2640-client-verify-digest",
  "sep-2640-client-verify-size",
  "sep-2640-client-verify-frontmatter",
];

const ERAS = ["2025-11-25", "2026-07-28"];

needsAgents();

describe("the official suite with a skills server", () => {
  let server: SkillsServer;
  let url = "";
  let close: () => Promise<void>;

  beforeAll(async () => {
    server = await serveSkills();
    const listener = await serveHttp(server);
    const door = await addToken(listener.url, listener.token);
    url = door.url;
    close = async () => {
      await door.close();
      await listener.close();
      await server.close();
    };
  });
  afterAll(() => close());

  const runs = Object.entries(SERVER_SCENARIOS).flatMap(([name, versions]) =>
    Object.entries(versions).map(([specVersion, passed]) => ({ name, specVersion, passed })),
  );

  test.each(runs)("$name in $specVersion: $passed checks pass", async ({ name, specVersion, passed }) => {
    const changing = name === "server-stateless" ? keepChanging(server) : undefined;
    try {
      const { checks } = await runScenario({ name, specVersion }, { url });
      const failed = wrong(checks);
      expect(
        failed.map(({ id }) => id),
        reasons(failed),
      ).toEqual(expectedFailures(name, specVersion));
      // Checks that the suite could run are never excused.
      expect(failed.filter(({ errorMessage }) => !errorMessage?.startsWith("Not testable"))).toEqual([]);
      expect(checks.filter(({ status }) => status === "SUCCESS").length).toBe(passed);
    } finally {
      await changing?.stop();
    }
  });

  test("every version that the suite has a scenario for is run", async () => {
    const listed = await listScenarios("server");
    for (const [name, versions] of Object.entries(SERVER_SCENARIOS)) {
      const known = listed.get(name);
      expect(Object.keys(versions), name).toEqual(known?.includes("extension") ? ERAS : known);
    }
  });

  test("no server scenario is skipped without a reason", async () => {
    const names = [...(await listScenarios("server")).keys()];
    expect(names.filter((name) => !(name in SERVER_SCENARIOS) && !FOR_OTHER_SERVERS.test(name))).toEqual([]);
  });

  test("every expected failure belongs to a scenario that is run", () => {
    for (const { scenario, specVersion } of EXPECTED_FAILURES) {
      expect(SERVER_SCENARIOS[scenario]?.[specVersion], `${scenario} in ${specVersion}`).toBeDefined();
    }
  });

  test("the client that is tested with hostile servers loads an honest server's skill", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [inAgents("fixtures/import-client.ts"), url]);
    expect(JSON.parse(stdout)).toEqual({
      activated: expect.stringContaining("Ask for size, beak and place"),
      read: expect.stringContaining("oystercatcher"),
    });
  });
});

describe("the official suite with a client that imports skills", () => {
  const runs = CLIENT_SCENARIOS.flatMap((name) => ERAS.map((specVersion) => ({ name, specVersion })));
  const command = [process.execPath, inAgents("fixtures/import-client.ts")];

  test("every scenario of the suite for skill hosts is run", async () => {
    const names = [...(await listScenarios("client")).keys()];
    expect(names.filter((name) => name.startsWith("sep-2640-"))).toEqual(CLIENT_SCENARIOS);
  });

  test.each(runs)("$name in $specVersion: every check passes", async ({ name, specVersion }) => {
    const { checks, clientOutput } = await runScenario({ name, specVersion }, { command });
    expect(wrong(checks), reasons(wrong(checks))).toEqual([]);
    expect(checks.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThan(0);
    expect(JSON.parse(clientOutput)).toEqual(
      name === "sep-2640-client-no-prefetch"
        ? { listed: expect.stringContaining("pdf-processing") }
        : { refused: "verification-failed" },
    );
  });
});

function wrong(checks: readonly Check[]): Check[] {
  return checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
}

function reasons(checks: readonly Check[]): string {
  return checks.map(({ id, errorMessage = "" }) => `${id}: ${errorMessage}`).join("\n");
}

function expectedFailures(name: string, version: string): string[] {
  return EXPECTED_FAILURES.filter(({ scenario, specVersion }) => scenario === name && specVersion === version).map(
    ({ check }) => check,
  );
}

/** Changes the served skills continuously: the suite expects notifications, and has no other way to cause them. */
function keepChanging(server: SkillsServer) {
  const all = server.skillset;
  const fewer = all.filter({ disabled: ["knots"] });
  const done = new AbortController();
  const changing = (async () => {
    while (!done.signal.aborted) {
      await server.update(server.skillset === all ? fewer : all);
      await sleep(200, undefined, { signal: done.signal }).catch(() => {});
    }
    await server.update(all);
  })();
  return {
    stop: async (): Promise<void> => {
      done.abort();
      await changing;
    },
  };
}
