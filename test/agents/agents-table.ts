import { CHECKS } from "../acp/scenario.ts";
import type { AcpAgent } from "./fixtures/acp/all.ts";

/** What the table in the docs says of every agent, in this order. */
const FEATURES: readonly string[] = [
  "bridge",
  ...CHECKS.map(({ feature }) => feature),
  "all of this over http",
  "all of this over stdio",
  "conversation of two prompts",
  "three runs at once in one folder",
  "cancelling",
  "refusing a command",
  "20 runs leave nothing behind",
];

/** What was seen of agents, and whether that is everything. */
export class SeenAgents {
  readonly #outcomes = new Map<string, string>();

  /** Runs something that shows a feature, and notes the outcome; what a run gives stands for `yes`. */
  async note({ name }: AcpAgent, feature: string, run: () => unknown): Promise<void> {
    if (!FEATURES.includes(feature)) throw new Error(`The table has no row '${feature}'.`);
    this.#outcomes.set(`${name} ${feature}`, "**failed**");
    const outcome = await run();
    this.#outcomes.set(`${name} ${feature}`, typeof outcome === "string" ? outcome : "yes");
  }

  /** The table; undefined while something was not run. */
  tableOf(agents: readonly AcpAgent[]): string | undefined {
    const rows = FEATURES.map((feature) => [
      feature,
      ...agents.map(({ name }) => this.#outcomes.get(`${name} ${feature}`)),
    ]);
    if (rows.flat().includes(undefined)) return undefined;
    const head = ["", ...agents.map(({ name, version }) => `${name} ${version}`)];
    return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  }
}

/** The page with a table in its place. */
export function withTable(page: string, table: string): string {
  const [start, end] = ["<!-- agents: written by test/agents/think.test.ts -->\n", "\n<!-- /agents -->"];
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before === -1 || after === -1) throw new Error("The page has no place for the table.");
  return page.slice(0, before + start.length) + table + page.slice(after);
}
