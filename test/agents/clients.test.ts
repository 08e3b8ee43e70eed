import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type SkillsListener, type SkillsServer, serveHttp } from "skillset/mcp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConnectedClient, Place } from "./clients/connected-client.ts";
import { serveSkills } from "./fixtures/served-skills.ts";
import { inAgents, needsAgents } from "./installed.ts";

type Connect = (place: Place) => Promise<ConnectedClient>;

/** Loaded in the test: the packages of this folder may not be installed. */
const CLIENTS: Readonly<Record<string, () => Promise<Connect>>> = {
  "the MCP Inspector's command line": async () => (await import("./clients/inspector.ts")).connect,
  "the MCP SDK 1": async () => (await import("./clients/sdk-1.ts")).connect,
  "the MCP SDK 2 with a handshake": async () => (await import("./clients/sdk-2.ts")).connectLegacy,
  "the MCP SDK 2 without one": async () => (await import("./clients/sdk-2.ts")).connectAuto,
  "the AI SDK": async () => (await import("./clients/ai-sdk.ts")).connect,
  "the OpenAI Agents SDK": async () => (await import("./clients/openai-agents.ts")).connect,
};

const STDIO: Place = { transport: "stdio", command: process.execPath, args: [inAgents("fixtures/serve-stdio.ts")] };

let server: SkillsServer;
let listener: SkillsListener;

needsAgents();
beforeAll(async () => {
  server = await serveSkills();
  listener = await serveHttp(server);
});
afterAll(async () => {
  await listener.close();
  await server.close();
});

const places: Readonly<Record<Place["transport"], () => Place>> = {
  stdio: () => STDIO,
  http: () => ({ transport: "http", url: listener.url, token: listener.token }),
};

const rows = Object.keys(CLIENTS).flatMap((client) =>
  (["stdio", "http"] as const).map((transport) => ({ client, transport })),
);

test.each(rows)("$client over $transport activates, reads and calls", async ({ client, transport }) => {
  const connect = await CLIENTS[client]?.();
  const connected = await connect?.(places[transport]());
  if (connected === undefined) throw new Error(`There is no client '${client}'.`);
  try {
    expect(await connected.toolNames()).toEqual(["activate_skill", "read_skill_file", "call_skill_tool"]);

    const activated = await connected.call("activate_skill", { name: "tides" });
    expect(activated).toEqual({ isError: false, text: expect.stringContaining("allow an hour on either side") });

    const read = await connected.call("read_skill_file", { skill: "map-legend", path: "symbols/höhen.txt" });
    expect(read).toEqual({ isError: false, text: fixture("map-legend/symbols/höhen.txt") });

    const input = { harbour: "Büsum", day: 3 };
    const called = await connected.call("call_skill_tool", { skill: "tides", tool: "high_water", input });
    expect(called.isError).toBe(false);
    expect(JSON.parse(called.text)).toEqual({ ...input, at: "06:40" });

    const unknown = await connected.call("activate_skill", { name: "tidal" });
    expect(unknown).toEqual({ isError: true, text: expect.stringContaining("Unknown skill 'tidal'") });
  } finally {
    await connected.close();
  }
});

describe("the Inspector reads and hashes every file of every skill, and finds it as listed", () => {
  const bin = fileURLToPath(new URL("../../packages/skillset/bin/skillset.js", import.meta.url));
  const served: Readonly<Record<string, () => Place>> = {
    ...places,
    "the command line": () => ({ ...STDIO, args: [bin, "serve", inAgents("fixtures/skills")] }) as Place,
  };

  test.each(Object.keys(served).flatMap((place) => (["legacy", "modern"] as const).map((era) => ({ place, era }))))(
    "over $place in the $era protocol",
    async ({ place, era }) => {
      const { verifySkills } = await import("./clients/inspector.ts");
      const { exitCode, reports } = await verifySkills(served[place]?.() ?? STDIO, era);
      expect(reports.map(({ name, outcome }) => [name, outcome])).toEqual([
        ["field-guide", "verified"],
        ["knots", "verified"],
        ["map-legend", "verified"],
        ["packing-list", "verified"],
        ...(place === "the command line" ? [] : [["tides", "verified"]]),
      ]);
      expect(reports[0]?.files.map(({ uri }) => uri)).toEqual([
        "skill://field-guide/SKILL.md",
        "skill://field-guide/assets/feather.png",
        "skill://field-guide/references/birds.md",
        "skill://field-guide/references/waders/curlew.md",
        "skill://field-guide/seasons/winter-guide/SKILL.md",
        "skill://field-guide/seasons/winter-guide/arrivals.md",
      ]);
      expect(exitCode).toBe(0);
    },
  );
});

function fixture(path: string): string {
  return readFileSync(inAgents(`fixtures/skills/${path}`), "utf8");
}
