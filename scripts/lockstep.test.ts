import { expect, test } from "vitest";
import { checkLockstep } from "./lockstep.ts";
import type { Manifest, Package } from "./packages.ts";

const WORKSPACE: Package = { folder: ".", manifest: { name: "workspace", version: "1.2.3" } };
const ours = (name: string, rest: Partial<Manifest> = {}): Package => ({
  folder: `packages/${name}`,
  manifest: { name, version: "1.2.3", ...rest },
});

test("packages of one version that depend on exactly that version of each other pass", () => {
  const sandbox = ours("sandbox", { dependencies: { skillset: "1.2.3", yaml: "^2.0.0" } });
  expect(checkLockstep([WORKSPACE, ours("skillset"), sandbox])).toEqual([]);
});

test("a package with another version is reported", () => {
  expect(checkLockstep([WORKSPACE, ours("skillset", { version: "1.2.4" })])).toEqual([
    "packages/skillset/package.json has version 1.2.4, the workspace has 1.2.3.",
  ]);
});

test.each(["dependencies", "peerDependencies", "optionalDependencies"] as const)(
  "a range in the %s on one of our packages is reported",
  (kind) => {
    const sandbox = ours("sandbox", { [kind]: { skillset: "^1.2.3" } });
    expect(checkLockstep([WORKSPACE, ours("skillset"), sandbox])).toEqual([
      'packages/sandbox/package.json needs skillset ^1.2.3; write exactly "1.2.3".',
    ]);
  },
);
