import type { Client } from "@modelcontextprotocol/client";
import { activate, ERAS, type Era, startServer, TRANSPORTS, type TransportName } from "./mcp-clients.ts";
import { WAYS, type Way } from "./mcp-servers.ts";
import { skillName } from "./mcp-skills.ts";

export interface SkillFolder {
  readonly folder: string;
  readonly count: number;
}

/** Which skills the calls activate. */
interface Asking extends SkillFolder {
  readonly label: string;
  /** Number of different skills, in turn. */
  readonly asked: number;
}

interface Contender {
  readonly way: Way;
  readonly asking: Asking;
  readonly client: Client;
  readonly times: number[];
}

const warmUp = 300;

/** Measures `activate_skill`, ours and a bare tool, on every transport and in both protocol versions. */
export async function measureCalls(few: SkillFolder, many: SkillFolder, calls: number): Promise<string> {
  const askings: Asking[] = [
    { ...few, label: count(few.count), asked: few.count },
    { ...many, label: count(many.count), asked: few.count },
    { ...many, label: `${count(many.count)}, each once`, asked: many.count },
  ];
  const rows: string[] = [];
  for (const transport of TRANSPORTS) {
    for (const era of Object.keys(ERAS).map(Number) as Era[]) {
      const contenders = await measure(transport, era, askings, calls);
      rows.push(...contenders.map((one) => writeRow(transport, era, one, contenders)));
    }
  }
  return [
    `A skill of 6 KB with three references, warm page cache, ${count(calls)} calls each, interleaved one by one, after ${warmUp} to warm up. The calls activate ${few.count} skills in turn, or each skill of the set once.`,
    "",
    "| transport | protocol | skills | way | p50 µs | p95 µs | p50 to readFile | p50 to readFileSync |",
    "| --- | --- | ---: | --- | ---: | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
}

async function measure(
  transport: TransportName,
  era: Era,
  askings: readonly Asking[],
  calls: number,
): Promise<Contender[]> {
  const pairs = askings.flatMap((asking) => (Object.keys(WAYS) as Way[]).map((way) => ({ way, asking })));
  const servers = await Promise.all(pairs.map(({ way, asking }) => startServer(transport, way, asking.folder)));
  const contenders = await Promise.all(
    pairs.map(async ({ way, asking }, index): Promise<Contender> => {
      const client = await servers[index]?.client(era);
      if (client === undefined) throw new Error("A contender has no server.");
      return { way, asking, client, times: [] };
    }),
  );
  for (let round = -warmUp; round < calls; round++) {
    for (let step = 0; step < contenders.length; step++) {
      // Each round starts with the next contender, so that a slow moment of the machine affects all equally.
      const contender = contenders[(round + warmUp + step) % contenders.length] as Contender;
      const name = skillName((round + warmUp) % contender.asking.asked);
      const start = performance.now();
      const isRight = await activate(contender.client, name);
      const time = performance.now() - start;
      if (!isRight) throw new Error(`${contender.way} did not return ${name}`);
      if (round >= 0) contender.times.push(time * 1_000);
    }
  }
  await Promise.all(servers.map((server) => server.close()));
  return contenders;
}

function writeRow(transport: TransportName, era: Era, one: Contender, all: readonly Contender[]): string {
  const p50 = quantile(one.times, 0.5);
  const ratios = (["readFile", "readFileSync"] as const).map((way) => {
    const other = all.find((candidate) => candidate.way === way && candidate.asking === one.asking);
    return (p50 / quantile(other?.times ?? [], 0.5)).toFixed(2);
  });
  const cells = [transport, era, one.asking.label, WAYS[one.way]];
  return `| ${[...cells, p50.toFixed(0), quantile(one.times, 0.95).toFixed(0), ...ratios].join(" | ")} |`;
}

function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}

function count(value: number): string {
  return value.toLocaleString("en");
}
