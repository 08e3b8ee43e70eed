import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MODEL_SDKS, OTHER_SDKS } from "./sdks.ts";

const page = readFileSync("docs/runtimes.md", "utf8");
const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const { peerDependencies } = json("packages/skillset/package.json");
const { dependencies: agents } = json("test/agents/package.json");

/** The version that is installed here, or beside the agents. */
function testedWith(name: string): string {
  const installed = `node_modules/${name}/package.json`;
  return existsSync(installed) ? json(installed).version : agents[name];
}

test.each([...MODEL_SDKS, ...OTHER_SDKS])("docs/runtimes.md lists the tested versions of $name", (sdk) => {
  const { entry, name, range, oldest } = sdk;
  expect(page).toContain(`| \`${entry}\` | \`${name}\` | \`${range}\` | ${oldest}, ${testedWith(name)} |`);
});

test.each(Object.keys(peerDependencies))("docs/runtimes.md has a row for the optional package %s", (name) => {
  expect(page).toMatch(new RegExp(`^\\| \`skillset/[a-z-]+\` \\| \`${name}\` \\|.* ${testedWith(name)} \\|$`, "m"));
});
