import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProject, packLibrary, resolves, type SdkProject } from "./sdk-project.ts";
import { MODEL_SDKS, OTHER_SDKS, type Sdk } from "./sdks.ts";

const packed = mkdtempSync(join(tmpdir(), "skillset-packed-"));
const folders = [packed];
let tarballs: readonly string[] = [];

beforeAll(async () => {
  tarballs = await packLibrary(packed);
}, 120_000);

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}, 180_000);

/** Few projects, because installing takes longer than the tests. The Agents SDK needs another zod than old SDKs. */
async function install(packagesOf: (sdk: Sdk) => readonly string[]): Promise<ReadonlyMap<string, SdkProject>> {
  const isAgents = ({ name }: Sdk): boolean => name === "@openai/agents";
  const groups = [MODEL_SDKS.filter((sdk) => !isAgents(sdk)), MODEL_SDKS.filter(isAgents), OTHER_SDKS];
  const installed = groups.map(async (sdks: readonly Sdk[]) => {
    // The program of Claude Code is an optional package of 380 MB.
    const flags = sdks === OTHER_SDKS ? ["--omit=optional"] : [];
    const project = await createProject(tarballs, sdks.flatMap(packagesOf), flags);
    folders.push(project.folder);
    return sdks.map(({ name }): [string, SdkProject] => [name, project]);
  });
  return new Map((await Promise.all(installed)).flat());
}

describe.each(["oldest", "newest"] as const)("with the %s supported versions", (which) => {
  let installed: ReadonlyMap<string, SdkProject>;

  beforeAll(async () => {
    installed = await install(({ name, oldest, range, beside }) => [
      `${name}@${which === "oldest" ? oldest : range}`,
      ...(beside ? [beside[which]] : []),
    ]);
  }, 180_000);

  test.each(MODEL_SDKS)("the adapter contract passes on $name", async ({ name, driver, adapters }) => {
    const { ran, failed } = (await installed.get(name)?.contract(driver, adapters)) ?? { ran: 0, failed: [] };
    expect(failed).toEqual([]);
    expect(ran).toBeGreaterThan(70 * adapters.length);
  });

  test.each(MODEL_SDKS)("a program compiles with the types of $name", async ({ name, driver }) => {
    expect(await installed.get(name)?.typeErrors(driver)).toBe("");
  });

  test.each(OTHER_SDKS)("a program with $name prints '$prints'", async ({ name, program, prints }) => {
    expect(await installed.get(name)?.run(program)).toBe(prints);
  });
});

describe("unsupported versions of all SDKs", () => {
  let installed: ReadonlyMap<string, SdkProject>;

  // Fails if a peer stops the installation.
  beforeAll(async () => {
    installed = await install(({ name, wrong }) => [`${name}@${wrong.version}`]);
  }, 180_000);

  test.each([...MODEL_SDKS, ...OTHER_SDKS])(
    "are installed, and $name $wrong.version is refused at the first call",
    async (sdk) => {
      const { name, range, wrong } = sdk;
      const project = installed.get(name);
      expect(`${project?.versionOf(name)}.`).toContain(`${wrong.version}.`);
      for (const call of wrong.calls) {
        const printed = await project?.run(`
        import { createSkillset } from "skillset";
        const session = await (await createSkillset([])).session();
        await ${call}.catch(({ code, message }) => console.log(code + " " + message));
      `);
        expect(printed).toMatch(/^peer-unsupported /);
        expect(printed).toContain(`'${name}' is not supported: skillset needs ${range}. Run "npm install ${name}@`);
      }
    },
  );
});

test("a project with a prerelease of an SDK is installed without an error", async () => {
  expect(await resolves(packed, tarballs, ["ai@7.0.0-canary.176"])).toBe(true);
});
