import { expect, test } from "vitest";
import { readPart } from "../../scripts/replace-part.ts";
import { adapters } from "./adapters/all.ts";
import { evaluators } from "./evaluators/all.ts";
import { ACP } from "./operations/acp.ts";
import { ADAPTERS } from "./operations/adapters.ts";
import { checkSurfaces } from "./operations/check-surfaces.ts";
import { MCP } from "./operations/mcp.ts";
import { OFFERS, offersTable, type SurfaceName } from "./operations/offers.ts";
import { PROMPTS } from "./operations/prompts.ts";
import type { Surface } from "./operations/surface.ts";

/** The chat has this test in `apps/chat/server/turns/every-operation.test.ts`. */
const SURFACES: Readonly<Record<Exclude<SurfaceName, "chat">, Surface>> = { ...ADAPTERS, ...MCP, ...ACP, ...PROMPTS };

checkSurfaces(SURFACES);

test("every adapter and evaluator has its rows in test/conformance/operations/offers.ts", () => {
  const wanted = [...adapters.map(({ name }) => name), ...evaluators.map(({ name }) => `prompt, ${name}`)];
  const rows = Object.keys(OFFERS);
  expect(wanted.filter((name) => !rows.some((row) => row === name || row.startsWith(`${name}, `)))).toEqual([]);
});

test("the table of the operations in docs/adapters.md is up to date; if not, run `npx node scripts/adapters-table.ts`", () => {
  expect(readPart("docs/adapters.md", "operations")).toBe(offersTable());
});
