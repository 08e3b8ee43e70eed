import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../../../core/base/message-of.ts";
import type { PrepareJob, ScriptEnd } from "../../../core/script/script.ts";
import { removeOwnedFolder } from "../../../node/copy/owned-folder.ts";
import { removeTree } from "../../../node/copy/remove-tree.ts";
import { PROXY_SOCKET, RUN_NPM, RUN_PIP } from "../../packages/installer-programs.ts";
import { certificates, originsOf } from "../../packages/registries.ts";
import { openRegistryProxy, UNREACHABLE } from "../../packages/registry-proxy.ts";
import { MOST_ENTRIES } from "../../packages/seal-folder.ts";
import { missingInterpreter, onPath } from "../../process/find-interpreter.ts";
import { INSIDE, PROGRAMS_FOLDER } from "./profile.ts";
import type { Sandbox } from "./sandbox.ts";
import type { SandboxInterpreter } from "./sandbox-interpreter.ts";

/** The interpreters of scripts, which also run pip and npm. */
export interface Interpreters {
  find(language: "python" | "javascript"): Promise<SandboxInterpreter | undefined>;
}

/** What pip or npm needs. */
interface Installer {
  readonly command: readonly string[];
  readonly mounts: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly registry: string;
}

const CERTIFICATES = join(PROGRAMS_FOLDER, "certificates.pem");
const NPM = join(PROGRAMS_FOLDER, "npm");

/**
 * Installs packages in a sandbox that is the same as a script's, except for a socket that leads to the registry. The
 * sandbox does not have the skill. No code of a package runs: pip and npm cannot start other programs.
 */
export async function installPackages(
  sandbox: Sandbox,
  job: PrepareJob,
  interpreters: Interpreters,
): Promise<ScriptEnd> {
  let end: ScriptEnd = { outcome: "exited", exitCode: 0, command: [], stdout: "", stderr: "" };
  try {
    for (const [list, prepare] of [
      [job.python, pip],
      [job.npm, npm],
    ] as const) {
      if (list.length === 0 || end.outcome !== "exited" || end.exitCode !== 0) continue;
      const installer = await prepare(job, interpreters);
      if (typeof installer === "string") return { outcome: "refused", reason: installer };
      end = await install(sandbox, job, installer);
    }
    for (const name of ["tmp", "package.json", "package-lock.json"]) removeTree(join(job.packagesFolder, name));
    return end;
  } catch (error) {
    return { outcome: "refused", reason: `The installation does not start: ${messageOf(error)}` };
  }
}

async function install(
  sandbox: Sandbox,
  job: PrepareJob,
  { command, mounts, env, registry }: Installer,
): Promise<ScriptEnd> {
  const folder = sandbox.makeFolder();
  try {
    const input = join(folder, "input");
    const lists = writeLists(input, job);
    const socket = join(folder, "registry.sock");
    const maxBytes = job.limits.files * 2;
    const proxy = await openRegistryProxy({ socket, origins: originsOf(registry), maxBytes });
    try {
      sandbox.share(socket);
      const [pem, trusted] = [certificates(), join(folder, "certificates.pem")];
      writeFileSync(trusted, pem);
      // The mode at creation depends on the umask, and the sandbox of root runs as another user.
      for (const path of [input, ...lists, trusted]) chmodSync(path, 0o555);
      const end = await sandbox.run({
        skillFolder: input,
        outputFolder: job.packagesFolder,
        command,
        mounts: { ...mounts, [PROXY_SOCKET]: socket, ...(pem && { [CERTIFICATES]: trusted }) },
        env: { ...env, ...(pem && { PIP_CERT: CERTIFICATES, npm_config_cafile: CERTIFICATES }) },
        limits: job.limits,
        signal: job.signal,
        onOutput: job.onOutput,
        // Too much for the memory. No code of a package runs.
        writesToDisk: true,
        mostFiles: MOST_ENTRIES,
        openFiles: 4096,
      });
      const notes = [
        proxy.refused.length > 0 && `Refused, because only the registry can be reached: ${proxy.refused.join(", ")}\n`,
        proxy.unreachable.length > 0 &&
          `${UNREACHABLE}${proxy.unreachable.join(", ")}. Check the network, or set another registry.\n`,
        proxy.isExceeded && `Stopped, because the downloads exceed ${maxBytes / 1e9} GB.\n`,
      ].filter((note) => note !== false);
      if (notes.length === 0 || !("stderr" in end)) return end;
      for (const text of notes) job.onOutput({ stream: "stderr", text });
      return { ...end, stderr: `${end.stderr}${notes.join("")}` };
    } finally {
      await proxy.close();
    }
  } finally {
    removeOwnedFolder(folder);
  }
}

/**
 * Writes the lists for pip and npm. They are never in the folder of the packages: an earlier step could have left a link
 * there, which the host would follow.
 */
function writeLists(folder: string, { python, npm }: PrepareJob): readonly string[] {
  mkdirSync(folder);
  const [requirements, manifest] = [join(folder, "requirements.txt"), join(folder, "package.json")];
  const dependencies = Object.fromEntries(npm.map((spec) => [nameOf(spec), spec.slice(nameOf(spec).length + 1)]));
  writeFileSync(requirements, `${python.join("\n")}\n`);
  writeFileSync(manifest, JSON.stringify({ private: true, dependencies }));
  return [requirements, manifest];
}

/** Settings of the machine do not apply in the sandbox. The index is a variable, because it may contain a password. */
async function pip({ pythonIndex }: PrepareJob, interpreters: Interpreters): Promise<Installer | string> {
  const python = await interpreters.find("python");
  if (python === undefined) return missingInterpreter("python");
  const options = ["--only-binary", ":all:", "--no-cache-dir", "--disable-pip-version-check", "--no-input"];
  const target = ["--target", join(INSIDE.output, "python"), "--no-compile", "--no-warn-script-location"];
  const list = ["--requirement", join(INSIDE.skill, "requirements.txt")];
  const args = ["install", ...options, ...target, "--progress-bar", "off", ...list];
  return {
    command: [python.program, "-I", "-u", "-c", RUN_PIP, ...args],
    mounts: python.mounts,
    env: {
      PIP_CONFIG_FILE: "/dev/null",
      PIP_INDEX_URL: pythonIndex,
      PIP_RETRIES: "2",
      PIP_TIMEOUT: "20",
    },
    registry: pythonIndex,
  };
}

async function npm({ npmRegistry }: PrepareJob, interpreters: Interpreters): Promise<Installer | string> {
  const node = await interpreters.find("javascript");
  if (node === undefined) return missingInterpreter("javascript");
  const program = npmFolder();
  if (program === undefined)
    return "Packages of npm need the program npm, which is not installed. Install it, and try again.";
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel", "warn", "--no-package-lock"];
  const safe = ["--ignore-scripts", "--no-bin-links", "--omit", "dev", "--install-strategy", "hoisted"];
  return {
    command: [node.program, "-e", RUN_NPM, join(NPM, "bin/npm-cli.js"), "install", ...safe, ...quiet],
    mounts: { ...node.mounts, [NPM]: program },
    env: {
      npm_config_registry: npmRegistry,
      npm_config_cache: join(INSIDE.output, "tmp/npm"),
      npm_config_userconfig: "/dev/null",
      npm_config_globalconfig: "/skill/no-such-file",
      npm_config_noproxy: "",
      npm_config_fetch_retries: "1",
      npm_config_fetch_retry_mintimeout: "1000",
      npm_config_fetch_timeout: "30000",
    },
    registry: npmRegistry,
  };
}

function nameOf(spec: string): string {
  return spec.slice(0, spec.lastIndexOf("@"));
}

/** The folder of the package npm, which the program on the `PATH` is a link into. */
function npmFolder(): string | undefined {
  for (const program of onPath("npm")) {
    const folder = dirname(dirname(realpathSync(program)));
    if (existsSync(join(folder, "bin/npm-cli.js"))) return folder;
  }
  return undefined;
}
