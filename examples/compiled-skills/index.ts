import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
// #region program
import { skillset } from "@skillset/unplugin";
import { rolldown } from "rolldown";

const folder = import.meta.dirname;
const bundle = await rolldown({
  cwd: folder,
  input: "app.ts",
  external: "skillset",
  plugins: [skillset.rolldown({ policy: "strict" })],
});
// #endregion
const dist = mkdtempSync(join(folder, "dist-"));
try {
  const { output } = await bundle.write({ dir: dist, format: "esm" });
  assert.ok(!readFileSync(join(dist, "app.js"), "utf8").includes("boil the water"), "instructions are loaded lazily");
  assert.equal(output.length, 4);
  const app = (await import(pathToFileURL(join(dist, "app.js")).href)) as typeof import("./app.ts");
  assert.deepEqual(app.skillset.names, ["brew-tea", "water-plants"]);
  const session = await app.skillset.session();
  assert.match((await session.activate(app.favorite)).text, /boil the water/);
  assert.match((await session.files("brew-tea").read("references/times.md")).content, /Green: 2 minutes/);
  assert.match(readFileSync(join(folder, "skillset-env.d.ts"), "utf8"), /readonly \["brew-tea", "water-plants"\]/);
  console.log(app.skillset.catalog().text);
} finally {
  rmSync(dist, { recursive: true });
  await bundle.close();
}
