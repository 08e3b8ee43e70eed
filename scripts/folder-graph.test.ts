import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../test/temporary-folder.ts";

const SCRIPT = fileURLToPath(new URL("./folder-graph.ts", import.meta.url));

const TREE = {
  "docs/architecture.md": "![Folders](folder-graph.svg)",
  "packages/shop/package.json": JSON.stringify({ name: "shop", exports: { ".": { default: "./dist/index.js" } } }),
  "packages/shop/src/index.ts": `export { sell } from "./sales/sell.ts";`,
  "packages/shop/src/sales/sell.ts": `import { price } from "../prices/price.ts";\nexport const sell = () => price;`,
  "packages/shop/src/prices/price.ts": "export const price = 1;",
  "apps/chat/server/main.ts": `import { sell } from "shop";\nimport { log } from "./log/log.ts";\nlog(sell());`,
  "apps/chat/server/log/log.ts": "export const log = console.log;",
};

const graph = (cwd: string, ...parameters: string[]) => {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...parameters], { cwd, encoding: "utf8" });
  return { status, stderr };
};

test("draws every folder, and the check passes until a folder is added or removed", () => {
  const folder = temporaryFolder(TREE);
  expect(graph(folder, "--check")).toMatchObject({ status: 1, stderr: expect.stringContaining("npm run graph") });
  expect(graph(folder)).toEqual({ status: 0, stderr: "" });
  const picture = readFileSync(join(folder, "docs/folder-graph.svg"), "utf8");
  for (const name of ["shop", "sales", "prices", "apps/chat/server", "log", "imports shop"])
    expect(picture).toContain(`>${name}<`);
  expect(graph(folder, "--check")).toEqual({ status: 0, stderr: "" });
  writeFiles(folder, { "packages/shop/src/prices/tax.ts": `export type { Rate } from "../taxes/rate.ts";` });
  expect(graph(folder, "--check").status).toBe(1);
});

test.each([
  ["a value", `import { sell } from "../sales/sell.ts";`],
  ["a type", `import type { Sale } from "../sales/sell.ts";`],
  ["a dynamic import", `export const sell = () => import("../sales/sell.ts");`],
])("fails on folders that import %s from each other, and names the files", (_what, line) => {
  const folder = temporaryFolder({ ...TREE, "packages/shop/src/prices/discount.ts": line });
  expect(graph(folder)).toEqual({
    status: 1,
    stderr: [
      "These folders import from each other: packages/shop/src/prices, packages/shop/src/sales",
      "  packages/shop/src/prices/discount.ts imports packages/shop/src/sales/sell.ts",
      "  packages/shop/src/sales/sell.ts imports packages/shop/src/prices/price.ts",
      "",
    ].join("\n"),
  });
});

test("fails on packages that import from each other", () => {
  const folder = temporaryFolder({
    ...TREE,
    "packages/cart/package.json": JSON.stringify({ name: "cart", exports: { ".": { default: "./dist/index.js" } } }),
    "packages/cart/src/index.ts": `export { sell } from "shop";`,
    "packages/shop/src/cart.ts": `export type { Cart } from "cart";`,
  });
  expect(graph(folder)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("packages/cart/src, packages/shop/src"),
  });
});

test("does not count the imports of tests", () => {
  const folder = temporaryFolder({ ...TREE, "packages/shop/src/prices/price.test.ts": `import "../sales/sell.ts";` });
  expect(graph(folder)).toEqual({ status: 0, stderr: "" });
});

test("does not count the imports of examples in doc comments", () => {
  const example = `/**\n * @example\n * import { sell } from "../sales/sell.ts";\n */\nexport const tax = 1;`;
  const folder = temporaryFolder({ ...TREE, "packages/shop/src/prices/tax.ts": example });
  expect(graph(folder)).toEqual({ status: 0, stderr: "" });
});
