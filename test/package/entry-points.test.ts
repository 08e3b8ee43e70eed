import { globSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { listPackages } from "../../scripts/packages.ts";
import { entryPointsOf, MODEL_ADAPTERS, missingParts, OUR_ENTRY_POINTS } from "./entry-points.ts";

test.each(OUR_ENTRY_POINTS)("$specifier has all parts of an entry point", (entry) => {
  expect(missingParts(entry)).toEqual([]);
});

test("every folder with an index.ts is an entry point", () => {
  const modules = globSync("packages/*/src/{,*/}index.ts").sort();
  expect(OUR_ENTRY_POINTS.map(({ module }) => module).sort()).toEqual(modules);
});

test("the adapters for models are found", () => {
  expect(MODEL_ADAPTERS.toSorted()).toEqual(["ai-sdk", "anthropic", "openai", "openai-agents"]);
});

test("an entry point without a folder is reported", () => {
  const [entry] = entryPointsOf(withExport("./other", "./dist/other/index.js"));
  expect(entry && missingParts(entry)).toEqual(["write packages/skillset/src/other/index.ts"]);
});

test("the missing parts of an adapter are reported", () => {
  // An existing folder under an unknown name, without the peer that it imports.
  const [entry] = entryPointsOf(withExport("./vercel", "./dist/ai-sdk/index.js", "ai"));
  expect(entry?.module && dirname(entry.module)).toBe("packages/skillset/src/ai-sdk");
  expect(entry && missingParts(entry)).toEqual([
    "add 'ai' to the peerDependencies of packages/skillset/package.json",
    "add `skillset/vercel` to the table in README.md",
    "describe skillset/vercel in a page of docs/",
  ]);
});

test("an adapter without a contract test is reported", () => {
  const [entry] = entryPointsOf(withExport("./tracing", "./dist/opentelemetry/index.js"));
  expect(entry && missingParts(entry)).toContain(
    "run the contract: write test/conformance/adapters/opentelemetry.ts and add it to all.ts",
  );
});

test("the tables of tests that lack an adapter are reported", () => {
  const target = { node: "./dist/ai-sdk/index.js", default: "./dist/web/ai-sdk/index.js" };
  const [entry] = entryPointsOf(withExport("./vercel", target));
  expect(entry && missingParts(entry).slice(-3)).toEqual([
    "add the versions of 'ai' for skillset/vercel to test/package/sdks.ts",
    "add skillset/vercel, which works without Node, to test/package/web.test.ts",
    "add skillset/vercel, which works without Node, to test/runtimes/adapters.ts",
  ]);
});

/** Returns our package with only this entry point, and without that peer. */
function withExport(subpath: string, target: string | Readonly<Record<string, string>>, withoutPeer = "") {
  const [skillset] = listPackages();
  if (skillset === undefined) throw new Error("There is no package.");
  const { [withoutPeer]: _peer, ...peerDependencies } = skillset.manifest.peerDependencies ?? {};
  return {
    ...skillset,
    manifest: { ...skillset.manifest, exports: { [subpath]: target }, peerDependencies },
  };
}
