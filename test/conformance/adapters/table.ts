import type { ContractAdapter, ContractScenario } from "../../../packages/skillset/src/testing/index.ts";

/** Scenarios and adapters as a table. A cell contains yes, the reason for no, or a failure. */
export function contractTable(
  scenarios: readonly ContractScenario[],
  adapters: readonly ContractAdapter[],
  hasFailed: (scenario: ContractScenario, adapter: ContractAdapter) => boolean,
): string {
  const cell = (scenario: ContractScenario, adapter: ContractAdapter): string =>
    reasonAgainst(scenario, adapter) ?? (hasFailed(scenario, adapter) ? "**failed**" : "yes");
  const lines = [
    ["", ...adapters.map(({ name }) => name)],
    ["---", ...adapters.map(() => "---")],
    ...scenarios.map((scenario) => [scenario.title, ...adapters.map((adapter) => cell(scenario, adapter))]),
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Returns why an adapter does not run a scenario; undefined if it does. */
export function reasonAgainst({ needs }: ContractScenario, { lacks }: ContractAdapter): string | undefined {
  return needs && lacks?.[needs];
}
