import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A user's project with the packed library and packages from npm. */
export interface SdkProject {
  readonly folder: string;
  /** Returns the installed version of a package. */
  versionOf(name: string): string;
  /** Runs the adapter contract with drivers of `test/conformance/adapters/`. Scripts are left out: no SDK sees them. */
  contract(driver: string, adapters: readonly string[]): Promise<ContractReport>;
  /** Compiles a driver against the installed types, and returns the errors. */
  typeErrors(driver: string): Promise<string>;
  /** Runs a program, and returns what it prints. */
  run(program: string): Promise<string>;
}

export interface ContractReport {
  readonly ran: number;
  readonly failed: readonly string[];
}

const FLAGS = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];

const TSC = realpathSync("node_modules/.bin/tsc");
const TYPE_FLAGS = [
  ...["--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions"],
  ...["--module", "nodenext", "--target", "es2023", "--types", ""],
];

/** Packs the library and the contract into a folder, and returns the paths of the tarballs. */
export async function packLibrary(folder: string): Promise<readonly string[]> {
  const workspaces = ["-w", "packages/skillset", "-w", "packages/testing"];
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder, ...workspaces]);
  const packed = JSON.parse(stdout) as readonly { readonly filename: string }[];
  return packed.map(({ filename }) => join(folder, filename));
}

/** Returns whether npm finds versions of the library's and these packages that fit together, without installing them. */
export async function resolves(
  folder: string,
  tarballs: readonly string[],
  packages: readonly string[],
): Promise<boolean> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const install = run("npm", ["install", "--package-lock-only", ...FLAGS, ...tarballs, ...packages], { cwd: folder });
  return install.then(
    () => true,
    () => false,
  );
}

/** Installs the library and packages such as `ai@7.0.0` with npm, which must not stop because of a peer. */
export async function createProject(
  tarballs: readonly string[],
  packages: readonly string[],
  flags: readonly string[] = [],
): Promise<SdkProject> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillset-sdk-")));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", ...FLAGS, ...flags, ...tarballs, ...packages], { cwd: folder });
  const node = async (program: string): Promise<string> => {
    writeFileSync(join(folder, "program.mjs"), program);
    return (await run(process.execPath, ["program.mjs"], { cwd: folder, timeout: 120_000 })).stdout.trim();
  };
  return {
    folder,
    versionOf: (name) => JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version,
    contract: async (driver, adapters) => {
      copyDrivers(folder);
      return JSON.parse(await node(contractProgram(driver, adapters)));
    },
    typeErrors: async (driver) => {
      copyDrivers(folder);
      const compiling = run(process.execPath, [TSC, ...TYPE_FLAGS, `adapters/${driver}.ts`], { cwd: folder });
      return compiling.then(
        () => "",
        ({ stdout }: { readonly stdout: string }) => stdout,
      );
    },
    run: node,
  };
}

/** Copies the drivers, which import the installed library instead of the sources. */
function copyDrivers(folder: string): void {
  const drivers = join(folder, "adapters");
  cpSync("test/conformance/adapters", drivers, { recursive: true });
  for (const name of ["ai-sdk.ts", "anthropic.ts", "openai.ts", "openai-agents.ts"]) {
    const text = readFileSync(join(drivers, name), "utf8");
    const source = /"(?:\.\.\/)+packages\/skillset\/src\/([a-z-]+)\/index\.ts"/g;
    const contract = /"(?:\.\.\/)+packages\/testing\/src\/index\.ts"/g;
    writeFileSync(join(drivers, name), text.replace(source, '"skillset/$1"').replace(contract, '"@skillset/testing"'));
  }
}

function contractProgram(driver: string, adapters: readonly string[]): string {
  return `
    import { adapterContract } from "@skillset/testing";
    import { ${adapters.join(", ")} } from "./adapters/${driver}.ts";
    const scenarios = adapterContract.filter(({ id }) => !id.startsWith("script"));
    let ran = 0;
    const failed = [];
    for (const adapter of [${adapters.join(", ")}]) {
      for (const { id, needs, run } of scenarios) {
        if (needs && adapter.lacks?.[needs]) continue;
        ran++;
        await run(adapter).catch(({ message }) => failed.push(adapter.name + ", " + id + ": " + message));
      }
    }
    // A client may keep its connections open.
    process.stdout.write(JSON.stringify({ ran, failed }), () => process.exit());
  `;
}
