import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProject, packLibrary, resolves, type SdkProject } from "./sdk-project.ts";

/** An SDK, its supported versions as in docs/runtimes.md, and how the contract runs on it. */
interface Sdk {
  readonly entry: string;
  readonly name: string;
  readonly range: string;
  readonly oldest: readonly string[];
  readonly newest: readonly string[];
  readonly driver: string;
  readonly adapters: readonly string[];
  /** A version that is refused, and the first call with it. */
  readonly wrong: { readonly version: string; readonly call: string };
}

const SDKS: readonly Sdk[] = [
  {
    entry: "skillset/ai-sdk",
    name: "ai",
    range: "^7.0.0",
    oldest: ["ai@7.0.0", "@ai-sdk/openai-compatible@3.0.0"],
    newest: ["ai@7", "@ai-sdk/openai-compatible@3"],
    driver: "ai-sdk",
    adapters: ["aiSdkStream", "aiSdkAgent"],
    wrong: {
      version: "6",
      call: `(await import("skillset/ai-sdk")).withSkills({ session, request: { messages: [] } })`,
    },
  },
  {
    entry: "skillset/openai",
    name: "openai",
    range: ">=5.0.0 <8",
    oldest: ["openai@5.0.0"],
    newest: ["openai@>=5.0.0 <8"],
    driver: "openai",
    adapters: ["openaiChat", "openaiResponses"],
    wrong: {
      version: "4",
      call: `(await import("skillset/openai")).runChat({
        client: new (await import("openai")).OpenAI({ apiKey: "any" }),
        session,
        request: { model: "any", messages: [] },
      })`,
    },
  },
  {
    entry: "skillset/openai-agents",
    name: "@openai/agents",
    range: ">=0.14.0 <1",
    oldest: ["@openai/agents@0.14.0"],
    newest: ["@openai/agents@>=0.14.0 <1"],
    driver: "openai-agents",
    adapters: ["openaiAgents"],
    wrong: {
      version: "0.13",
      call: `(await import("skillset/openai-agents")).withSkills({ session, request: { input: "" } })`,
    },
  },
  {
    entry: "skillset/anthropic",
    name: "@anthropic-ai/sdk",
    range: ">=0.60.0 <2",
    oldest: ["@anthropic-ai/sdk@0.60.0"],
    newest: ["@anthropic-ai/sdk@>=0.60.0 <2"],
    driver: "anthropic",
    adapters: ["anthropic"],
    wrong: {
      version: "0.5",
      call: `(await import("skillset/anthropic")).runMessages({
        client: new (await import("@anthropic-ai/sdk")).Anthropic({ apiKey: "any" }),
        session,
        request: { model: "any", max_tokens: 1, messages: [] },
      })`,
    },
  },
];

const page = readFileSync("docs/runtimes.md", "utf8");
const packed = mkdtempSync(join(tmpdir(), "skillset-packed-"));
const folders = [packed];
let tarball = "";

beforeAll(async () => {
  tarball = await packLibrary(packed);
}, 120_000);

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}, 180_000);

/** Few projects, because installing takes longer than the tests. The Agents SDK needs another zod than old SDKs. */
async function install(packagesOf: (sdk: Sdk) => readonly string[]): Promise<ReadonlyMap<string, SdkProject>> {
  const isAgents = ({ name }: Sdk): boolean => name === "@openai/agents";
  const groups = [SDKS.filter((sdk) => !isAgents(sdk)), SDKS.filter(isAgents)];
  const installed = groups.map(async (sdks) => {
    const project = await createProject(tarball, sdks.flatMap(packagesOf));
    folders.push(project.folder);
    return sdks.map(({ name }): [string, SdkProject] => [name, project]);
  });
  return new Map((await Promise.all(installed)).flat());
}

test.each(SDKS)("$name has the supported versions that docs/runtimes.md lists", ({ entry, name, range, oldest }) => {
  const first = oldest[0]?.split("@").at(-1);
  expect(page).toContain(`| \`${entry}\` | \`${name}\` | \`${range}\` | ${first}, `);
});

describe.each(["oldest", "newest"] as const)("with the %s supported versions", (which) => {
  let installed: ReadonlyMap<string, SdkProject>;

  beforeAll(async () => {
    installed = await install((sdk) => sdk[which]);
  }, 180_000);

  test.each(SDKS)("the adapter contract passes on $name", async ({ name, driver, adapters }) => {
    const { ran, failed } = (await installed.get(name)?.contract(driver, adapters)) ?? { ran: 0, failed: [] };
    expect(failed).toEqual([]);
    expect(ran).toBeGreaterThan(70 * adapters.length);
  });

  test.each(SDKS)("a program compiles with the types of $name", async ({ name, driver }) => {
    expect(await installed.get(name)?.typeErrors(driver)).toBe("");
  });
});

describe("unsupported versions of all SDKs", () => {
  let installed: ReadonlyMap<string, SdkProject>;

  // Fails if a peer stops the installation.
  beforeAll(async () => {
    installed = await install(({ name, wrong }) => [`${name}@${wrong.version}`]);
  }, 180_000);

  test.each(SDKS)("are installed, and $name $wrong.version is refused at the first call", async (sdk) => {
    const { name, range, wrong } = sdk;
    const project = installed.get(name);
    expect(project?.versionOf(name)).toMatch(new RegExp(`^${wrong.version.replace(".", "\\.")}\\.`));
    const printed = await project?.run(`
      import { createSkillset } from "skillset";
      const session = await (await createSkillset([])).session();
      await ${wrong.call}.catch(({ code, message }) => console.log(code + " " + message));
    `);
    expect(printed).toMatch(/^peer-unsupported /);
    expect(printed).toContain(`'${name}' is not supported: skillset needs ${range}. Run "npm install ${name}@`);
  });
});

test("a project with a prerelease of an SDK is installed without an error", async () => {
  expect(await resolves(packed, tarball, ["ai@7.0.0-canary.176"])).toBe(true);
});
