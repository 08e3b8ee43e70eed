import { beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { onPath } from "../process/find-interpreter.ts";
import { findRegistries } from "./registries.ts";

const NEEDED = { python: [], npm: ["left-pad@^1.0.0"] };
const hasNpm = onPath("npm").length > 0;

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (/^npm_/i.test(name)) vi.stubEnv(name, undefined);
  vi.stubEnv("HOME", temporaryFolder({ ".npmrc": "registry=https://user.example/\n" }));
});

test.skipIf(!hasNpm)("npm's registry is the one that the user set", async () => {
  expect(await findRegistries({}, NEEDED)).toMatchObject({ npmRegistry: "https://user.example/" });
  vi.stubEnv("npm_config_registry", "https://shell.example/");
  expect(await findRegistries({}, NEEDED)).toMatchObject({ npmRegistry: "https://shell.example/" });
});

test.skipIf(!hasNpm).each(["npm_execpath", "npm_lifecycle_event"])(
  "with %s, the registry of the project's .npmrc, which npm exports, is not used",
  async (name) => {
    vi.stubEnv(name, "x");
    vi.stubEnv("npm_config_registry", "https://project.example/");
    vi.stubEnv("npm_config_userconfig", "/nowhere/.npmrc");
    expect(await findRegistries({}, NEEDED)).toMatchObject({ npmRegistry: "https://user.example/" });
  },
);
