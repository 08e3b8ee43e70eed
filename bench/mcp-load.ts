import type { Client } from "@modelcontextprotocol/client";
import type { SkillFolder } from "./mcp-calls.ts";
import { activate, startServer, type TransportName } from "./mcp-clients.ts";
import type { Memory } from "./mcp-memory.ts";
import { WAYS, type Way } from "./mcp-servers.ts";
import { skillName } from "./mcp-skills.ts";

interface Outcome {
  right: number;
  crossed: number;
  lost: number;
}

const clientCount = 50;
const callsEach = 1_000;
/** Parallel calls of a client: replies may overtake each other. */
const atOnce = 5;
const stages = [0.2, 0.6, 1];

/** Many clients at once: checks that each gets its own answers, and measures the server's memory. */
export async function measureLoad(skills: SkillFolder): Promise<string> {
  const rows: string[] = [];
  for (const transport of ["in memory", "HTTP"] as const) {
    for (const way of ["skillset", "readFile"] as const) rows.push(await load(transport, way, skills));
  }
  const calls = (clientCount * callsEach).toLocaleString("en");
  return [
    `${clientCount} clients (half of them in each protocol) make ${callsEach.toLocaleString("en")} calls of activate_skill each, ${atOnce} at once: ${calls} calls. A reply is right if it contains the skill that its own call activated. Memory is the server's after garbage collection, at 20, 60 and 100 % of the calls; for the in-memory transport it includes the clients.`,
    "",
    "| transport | way | right | crossed | lost | calls/s | heap MB | resident MB |",
    "| --- | --- | ---: | ---: | ---: | ---: | --- | --- |",
    ...rows,
  ].join("\n");
}

async function load(transport: TransportName, way: Way, { folder, count }: SkillFolder): Promise<string> {
  const server = await startServer(transport, way, folder);
  const clients = await Promise.all(
    Array.from({ length: clientCount }, (_, index) => server.client(index % 2 === 0 ? 2025 : 2026)),
  );
  const outcome: Outcome = { right: 0, crossed: 0, lost: 0 };
  const memory: Memory[] = [];
  let milliseconds = 0;
  let done = 0;
  for (const stage of stages) {
    const start = performance.now();
    const calls = Math.round(callsEach * stage) - done;
    await Promise.all(clients.map((client, index) => callMany(client, calls, index + done, count, outcome)));
    done += calls;
    milliseconds += performance.now() - start;
    memory.push(await server.memory());
  }
  await server.close();
  const rate = (clientCount * callsEach * 1_000) / milliseconds;
  const megabytes = (key: keyof Memory): string => memory.map((one) => (one[key] / 1e6).toFixed(0)).join(" / ");
  const cells = [outcome.right, outcome.crossed, outcome.lost, Math.round(rate)].map((value) =>
    value.toLocaleString("en"),
  );
  return `| ${[transport, WAYS[way], ...cells, megabytes("heap"), megabytes("resident")].join(" | ")} |`;
}

async function callMany(client: Client, calls: number, first: number, skills: number, outcome: Outcome): Promise<void> {
  for (let call = 0; call < calls; call += atOnce) {
    const size = Math.min(atOnce, calls - call);
    await Promise.all(
      Array.from({ length: size }, (_, index) => callOnce(client, (first + call + index * 7) % skills, outcome)),
    );
  }
}

async function callOnce(client: Client, skill: number, outcome: Outcome): Promise<void> {
  try {
    if (await activate(client, skillName(skill))) outcome.right++;
    else outcome.crossed++;
  } catch {
    outcome.lost++;
  }
}
