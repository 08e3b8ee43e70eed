import axe from "axe-core";
import type { Page } from "playwright-core";

/** The serious and critical violations that axe finds. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  // Evaluated, because the content security policy would block a script element.
  await page.evaluate(axe.source);
  const found = (await page.evaluate("axe.run()")) as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}
