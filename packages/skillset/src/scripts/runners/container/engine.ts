import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The first that is installed is used. */
export const ENGINES = ["podman", "docker"] as const;

/** Podman or Docker. */
export interface Engine {
  readonly name: (typeof ENGINES)[number];
  /** An absolute path. */
  readonly program: string;
  /** The name of another OCI runtime than the engine's default. */
  readonly runtime: string | undefined;
}

/** The program and the arguments that every command of the engine starts with. */
export function engineCommand({ name, program, runtime }: Engine): [string, ...string[]] {
  // Docker takes the runtime as an option of `run`.
  return name === "podman" && runtime !== undefined ? [program, "--runtime", runtime] : [program];
}

/** Runs a short command of the engine. Returns its output, and undefined if it fails. */
export async function askEngine(engine: Engine, ...args: string[]): Promise<string | undefined> {
  const [program, ...own] = engineCommand(engine);
  try {
    const { stdout } = await promisify(execFile)(program, [...own, ...args], {
      env: engineEnvironment(),
      timeout: 30_000,
    });
    return stdout.trim();
  } catch {
    return undefined;
  }
}

/** The engine needs these variables of this program. Scripts get none of them. */
export function engineEnvironment(): Record<string, string> {
  const names = [
    "PATH",
    "HOME",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "DOCKER_HOST",
    "CONTAINER_HOST",
  ];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
