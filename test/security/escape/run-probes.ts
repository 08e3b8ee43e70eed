// Runs the probes: `node run-probes.ts subprocess|bubblewrap|sandbox-runtime|embedded|image=IMAGE|control [NAME…]`. Prints one JSON object per probe.
// A separate program, so that it can run as another user.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSkillset } from "skillset";
import { container, type RunnerName } from "skillset/scripts";
import { fill, type Probe } from "./probe.ts";
import { PROBES } from "./probes.ts";
import { openWorld } from "./world.ts";

const [runner = "control", ...names] = process.argv.slice(2);
const [, image] = /^image=(.+)$/.exec(runner) ?? [];
const chosen = image === undefined ? (runner as RunnerName) : container({ image, engine: "podman", runtime: "runc" });
const probes = PROBES.filter(({ name }) => names.length === 0 || names.includes(name));
// Set by the caller, so that it is also in the file of this process's environment.
const secret = process.env.HOST_SECRET ?? "no secret";
// Scripts that are stopped may leave core files here.
const base = mkdtempSync(join(tmpdir(), "probes-"));
chmodSync(base, 0o755);
const world = await openWorld(join(base, "skills/probe"));
try {
  for (const probe of probes) {
    world.reset();
    const script = writeSkill(probe);
    const stdout = runner === "control" ? await runControl(probe, script) : await runContained(script);
    const isThrough =
      stdout.includes(world.mark) ||
      stdout.includes(secret) ||
      stdout.includes("THROUGH") ||
      probe.isThrough?.(world) === true;
    console.log(JSON.stringify({ name: probe.name, isThrough, stdout: stdout.slice(0, 300) }));
  }
} finally {
  await world.close();
  rmSync(base, { recursive: true, force: true });
}

function writeSkill({ language, script, links = {} }: Probe): string {
  rmSync(world.skill, { recursive: true, force: true });
  mkdirSync(join(world.skill, "scripts"), { recursive: true });
  writeFileSync(join(world.skill, "SKILL.md"), "---\nname: probe\ndescription: Tries to get out.\n---\nTry.\n");
  const path = `scripts/probe.${language === "js" ? "mjs" : language}`;
  writeFileSync(join(world.skill, path), `${fill(script, world)}\n`);
  for (const [name, target] of Object.entries(links)) symlinkSync(fill(target, world), join(world.skill, name));
  for (const one of [world.skill, join(world.skill, "scripts"), dirname(world.skill)]) chmodSync(one, 0o777);
  chmodSync(join(world.skill, "SKILL.md"), 0o666);
  return path;
}

async function runContained(script: string): Promise<string> {
  const skillset = await createSkillset([dirname(world.skill)], {
    onProblem: () => {},
    scripts: { runner: chosen, consent: () => "once", limits: { time: 15_000 } },
  });
  const result = await (await skillset.session()).scripts.run("probe", script);
  if (result.outcome === "refused") return `refused: ${result.reason}`;
  return `${result.stdout}\n${result.outcome}`;
}

/** Runs the script as a careless host would. */
async function runControl({ control, language, links = {} }: Probe, script: string): Promise<string> {
  const output = mkdtempSync(join(base, "output-"));
  const env = { ...process.env, OUTPUT_DIR: output, SKILL_DIR: world.skill };
  const path = join(world.skill, script);
  if (control === "deno without the copy") {
    const deno = findDeno();
    const rights = [`--allow-read=${world.skill},${output}`, "--allow-env", "--no-prompt"];
    return start(deno, ["run", ...rights, path], { ...env, DENO_DIR: output });
  }
  if (control === "naive bubblewrap") {
    const system = ["--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"];
    const lib64 = ["--symlink", "usr/lib64", "/lib64"];
    const mounts = Object.keys(links).flatMap((name) => ["--dir", `/skill/${name}/written`]);
    return start(
      "bwrap",
      ["--unshare-all", ...system, ...lib64, "--bind", world.skill, "/skill", ...mounts, "true"],
      env,
    );
  }
  return start({ sh: "sh", py: "python3", js: process.execPath }[language], [path], env);
}

function findDeno(): string {
  const require = createRequire(createRequire(import.meta.url).resolve("deno/package.json"));
  const libc = process.platform === "linux" ? "-glibc" : "";
  return join(dirname(require.resolve(`@deno/${process.platform}-${process.arch}${libc}/package.json`)), "deno");
}

async function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(program, args, { cwd: world.skill, env, stdio: ["ignore", "pipe", "ignore"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
  await once(child, "close");
  clearTimeout(timer);
  return stdout;
}
