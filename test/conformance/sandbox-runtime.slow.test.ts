import { spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { scriptRunnerContract } from "../../packages/testing/src/index.ts";

const CONTRACT = new URL("sandbox-runtime/run-contract.ts", import.meta.url);
const SHARED_FOLDER = new URL("sandbox-runtime/run-shared-folder.ts", import.meta.url);
const ALLOWLIST = new URL("sandbox-runtime/run-allowlist.ts", import.meta.url);

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Runs a program of this test. The runner refuses to run as root, so root runs it as another user. */
async function start(program: URL, name = "home-"): Promise<readonly string[]> {
  const home = mkdtempSync(join(tmpdir(), name));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  if (isRoot) chownSync(home, NOBODY, NOBODY);
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home };
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
    ...user,
  });
  return (await text(child.stdout)).trim().split("\n");
}

function whySkipped(): string | undefined {
  if (process.platform !== "linux" && process.platform !== "darwin") return "needs Linux or macOS";
  const programs = process.platform === "linux" ? ["bwrap", "socat", "rg"] : [];
  if (programs.some((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0))
    return "install what it needs: apt-get install bubblewrap socat ripgrep";
  const read = ["--eval", `fs.readFileSync(${JSON.stringify(fileURLToPath(CONTRACT))})`];
  return spawnSync(process.execPath, read, user).status === 0
    ? undefined
    : "another user cannot read this checkout: clone it to a folder that everybody can enter";
}

const skipped = whySkipped();
if (skipped !== undefined) test.skip(skipped, () => {});

describe.skipIf(skipped !== undefined)("sandbox-runtime", () => {
  test("passes every scenario of the contract of runners", { timeout: 400_000 }, async () => {
    const results = (await start(CONTRACT)).map((line) => JSON.parse(line) as { id: string; failure?: string });
    expect(results.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(results.map(({ id }) => id)).toEqual(scriptRunnerContract.map(({ id }) => id));
  });

  test("does not let scripts use the folder that all sandboxes share", { timeout: 60_000 }, async () => {
    const [line = ""] = await start(SHARED_FOLDER);
    expect(JSON.parse(line)).toMatchObject({ end: { outcome: "exited", stdout: "done\n" }, content: "shared" });
  });

  test("works in a temporary folder with spaces, but not with a network", { timeout: 60_000 }, async () => {
    const [line = ""] = await start(ALLOWLIST, "my home ");
    const [listed, none] = JSON.parse(line);
    expect(listed.check).toContain("with a network, TMPDIR must be a path of letters");
    expect(none).toMatchObject({ end: { outcome: "exited", exitCode: 0 } });
  });

  test("reaches a host that is allowed, no other, and no name of this machine but localhost", {
    timeout: 60_000,
  }, async () => {
    const [line = ""] = await start(ALLOWLIST);
    const [listed, none, local, named] = JSON.parse(line);
    for (const { check } of [listed, none, local, named]) expect(check).toBeUndefined();
    const seen = JSON.parse(listed.end.stdout);
    expect(seen.answers).toEqual([
      { fetched: 200, direct: "failed" },
      { fetched: "failed", direct: "failed" },
    ]);
    expect(listed.requests).toEqual([1, 0]);
    expect(JSON.parse(none.end.stdout).answers.flatMap(Object.values)).toEqual(Array(4).fill("failed"));
    expect(none.requests).toEqual([0, 0]);
    // Both names are allowed and resolve to this machine.
    expect(local.requests).toEqual([1, 0]);
    expect(JSON.parse(named.end.stdout).answers[0]).toEqual({ fetched: "failed", direct: "failed" });
    expect(named.requests).toEqual([0, 0]);
    // Scripts have their own variables and, with a network, those of the proxy.
    const own = ["API_KEY", "HOME", "LANG", "OUTPUT_DIR", "PATH", "SKILL_DIR", "TMPDIR"];
    expect(JSON.parse(none.end.stdout)).toMatchObject({ variables: own, key: "canary" });
    const others = seen.variables.filter((name: string) => !own.includes(name));
    expect(others.filter((name: string) => !/proxy$/i.test(name))).toEqual([]);
    expect(others).toContain("HTTP_PROXY");
  });
});
