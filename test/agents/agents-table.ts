import { CHECKS } from "../acp/scenario.ts";
import type { AcpAgent } from "./fixtures/acp/all.ts";

/** The rows of the table of `connectAgent` in the docs, in order. */
export const FEATURES: readonly string[] = [
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

/** The observed features of agents, and whether they are complete. */
export class SeenAgents {
  readonly #outcomes = new Map<string, string>();
  readonly #features: readonly string[];

  constructor(features: readonly string[]) {
    this.#features = features;
  }

  /** Runs a check of a feature and records the outcome; a returned string replaces `yes`. */
  async note({ name }: AcpAgent, feature: string, run: () => unknown): Promise<void> {
    if (!this.#features.includes(feature)) throw new Error(`The table has no row '${feature}'.`);
    this.#outcomes.set(`${name} ${feature}`, "**failed**");
    const outcome = await run();
    this.#outcomes.set(`${name} ${feature}`, typeof outcome === "string" ? outcome : "yes");
  }

  /** The table; undefined until everything was run. */
  tableOf(agents: readonly AcpAgent[]): string | undefined {
    const rows = this.#features.map((feature) => [
      feature,
      ...agents.map(({ name }) => this.#outcomes.get(`${name} ${feature}`)),
    ]);
    if (rows.flat().includes(undefined)) return undefined;
    const head = ["", ...agents.map(({ name, version }) => `${name} ${version}`)];
    return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  }
}

/** The page with the table inserted. */
export function withTable(
  page: string,
  table: string,
  [name, writer]: readonly [name: string, writer: string],
): string {
  const [start, end] = [`<!-- ${name}: written by ${writer} -->\n`, `\n<!-- /${name} -->`];
  const [before, after] = [page.indexOf(start), page.indexOf(end)];
  if (before === -1 || after === -1) throw new Error("The page has no place for the table.");
  return page.slice(0, before + start.length) + table + page.slice(after);
}
