import axe from "axe-core";
import type { Page } from "playwright-core";

/** The violations that axe finds, of any level. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  // Evaluated, because the content security policy would block a script element.
  await page.evaluate(axe.source);
  const found = (await page.evaluate("axe.run()")) as {
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return found.violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${html}\n${failureSummary}`),
  );
}
