import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeContainerImage, whyNoContainers } from "../container-image.ts";
import { PROBES } from "./escape/probes.ts";
import { report } from "./report.ts";

const program = fileURLToPath(new URL("escape/run-probes.ts", import.meta.url));
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;
const hasSocat = spawnSync("socat", ["-V"]).status === 0;

/** What scripts reach in a sandbox although it works as documented: the list of mounts says what the root is made of. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  "sandbox-runtime": ["sees the host's mounts"],
  container: ["sees the host's mounts"],
};

/**
 * Which part of the probes CI tries where a probe takes most of a second; `npm run figures` tries all. Both users together
 * try more of them.
 */
const PARTS: Readonly<Record<string, number>> = { container: 4, embedded: 3, "sandbox-runtime": 2 };
const isFull = Number(process.env.CASES ?? 0) >= 1_000;

function chosenProbes(runner: string, asNobody: boolean): readonly string[] {
  const part = isFull ? 1 : (PARTS[runner] ?? 1);
  return PROBES.filter((_, index) => index % part === (asNobody ? 1 : 0) % part).map(({ name }) => name);
}

interface Tried {
  readonly name: string;
  readonly isThrough: boolean;
  readonly stdout: string;
}

/** Runs probes in a program, as this or as another user. All, if none is named. */
async function tryAll(runner: string, asNobody: boolean, names: readonly string[] = []): Promise<readonly Tried[]> {
  const home = mkdtempSync(join(tmpdir(), "home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  if (asNobody) chownSync(home, NOBODY, NOBODY);
  // As root, the sandbox runs as another user, who must be able to enter the folder.
  else chmodSync(home, 0o711);
  const user = asNobody ? { uid: NOBODY, gid: NOBODY } : {};
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, HOST_SECRET: "MARK-environment" };
  const child = spawn(process.execPath, [program, runner, ...names], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
    ...user,
  });
  const tried: Tried[] = [];
  for await (const line of createInterface({ input: child.stdout })) tried.push(JSON.parse(line) as Tried);
  if (child.exitCode === null) await once(child, "exit");
  return tried;
}

/** Another user must be able to read this checkout. */
function canOthersRead(): boolean {
  return (
    spawnSync(process.execPath, ["--eval", `fs.readFileSync(${JSON.stringify(program)})`], {
      uid: NOBODY,
      gid: NOBODY,
    }).status === 0
  );
}

const users = [
  { user: isRoot ? "root" : "this user", asNobody: false, skipped: "" },
  {
    user: "another user",
    asNobody: true,
    skipped: !isRoot
      ? "needs root to become another user"
      : canOthersRead()
        ? ""
        : "another user cannot read this checkout: clone it to a folder that everybody can enter",
  },
];

describe.each(users)("as $user", ({ asNobody, skipped, user }) => {
  test("every probe gets through without a sandbox", async (context) => {
    if (skipped !== "") return context.skip(skipped);
    if (!hasBubblewrap) return context.skip("install bubblewrap: apt-get install bubblewrap");
    const tried = await tryAll("control", asNobody);
    const isTop = isRoot && !asNobody;
    const expected = PROBES.filter(({ needsRoot }) => isTop || !needsRoot).map(({ name }) => name);
    const through = tried.filter(({ isThrough }) => isThrough).map(({ name }) => name);
    expect(expected.filter((name) => !through.includes(name))).toEqual([]);
    expect(expected.length).toBeGreaterThanOrEqual(isTop ? 120 : 110);
  });

  const runners = ["bubblewrap", "container", "sandbox-runtime", "embedded"];
  test.for(runners)("no probe gets out of %s", { timeout: 600_000 }, async (runner, context) => {
    if (skipped !== "") return context.skip(skipped);
    if (runner === "sandbox-runtime" && user === "root") return context.skip("it refuses to run as root");
    if (runner === "sandbox-runtime" && !(hasBubblewrap && hasSocat))
      return context.skip("install what it needs: apt-get install bubblewrap socat ripgrep");
    if (runner === "bubblewrap" && !hasBubblewrap) return context.skip("install it: apt-get install bubblewrap");
    if (runner === "container" && (whyNoContainers !== undefined || asNobody))
      return context.skip(whyNoContainers ?? "is tested as root");
    using image = runner === "container" ? makeContainerImage() : undefined;
    const chosen = chosenProbes(runner, asNobody);
    const tried = await tryAll(image === undefined ? runner : `image=${image.name}`, asNobody, chosen);
    expect(tried.map(({ name }) => name)).toEqual(chosen);
    const known = (KNOWN[runner] ?? []).filter((name) => chosen.includes(name));
    const through = tried.filter(({ name, isThrough }) => isThrough && !known.includes(name));
    report("S12", {
      tried: `probes in ${runner}`,
      cases: tried.length - known.length,
      through: through.length,
      control:
        "each gets through as a plain process, in a bubblewrap with a mount below the skill, or in deno without the copy",
      note: `${runner} as ${user}`,
    });
    expect(through).toEqual([]);
  });
});
