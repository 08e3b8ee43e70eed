import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { SkillError } from "../../core/base/errors.ts";
import type { DeclaredPackages, PackageOptions, PackageRegistries } from "../../core/script/packages.ts";
import { onPath } from "../process/find-interpreter.ts";

/** The defaults of pip and npm. */
const PYTHON_INDEX = "https://pypi.org/simple";
const NPM_REGISTRY = "https://registry.npmjs.org/";

/** Returns the registries: those of the options, or else those that pip and npm use on this machine, if needed. */
export async function findRegistries(
  { pythonIndex, npmRegistry }: PackageOptions,
  needed: Pick<DeclaredPackages, "python" | "npm">,
): Promise<PackageRegistries> {
  const [python, npm] = await Promise.all([
    pythonIndex ?? (needed.python.length > 0 ? askPip() : PYTHON_INDEX),
    npmRegistry ?? (needed.npm.length > 0 ? askNpm() : NPM_REGISTRY),
  ]);
  return {
    pythonIndex: checkRegistry("pythonIndex", python),
    npmRegistry: checkRegistry("npmRegistry", npm),
  };
}

async function askPip(): Promise<string> {
  const { PIP_INDEX_URL } = process.env;
  if (PIP_INDEX_URL) return PIP_INDEX_URL;
  return (await ask("python3", ["-m", "pip", "config", "get", "global.index-url"])) ?? PYTHON_INDEX;
}

async function askNpm(): Promise<string> {
  return (await ask("npm", ["config", "get", "registry"])) ?? NPM_REGISTRY;
}

/** Asks in the root folder and without npm's variables: the settings of a project must not choose the registry. */
async function ask(name: string, args: readonly string[]): Promise<string | undefined> {
  const [program] = onPath(name);
  if (program === undefined) return undefined;
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd: "/", env: ownEnvironment(), timeout: 20_000 });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** `npx` and `npm run` export the `.npmrc` of the project as variables such as `npm_config_registry`. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { npm_execpath, npm_lifecycle_event } = process.env;
  if (npm_execpath === undefined && npm_lifecycle_event === undefined) return process.env;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_config_")));
}

/** Checks the address of a registry: what is installed from it must arrive unchanged. */
export function checkRegistry(name: keyof PackageRegistries, given: string): string {
  const invalid = (why: string): SkillError =>
    new SkillError(
      "option-invalid",
      `The registry '${name}' ${why}. Set 'scripts.packages.${name}' to an https address.`,
    );
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined) throw invalid("is not an address");
  const isLoopback = url.protocol === "http:" && /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/.test(url.hostname);
  if (url.protocol !== "https:" && !isLoopback) throw invalid("does not use https");
  return url.href;
}

/** The origins that an installation from a registry needs. The index of PyPI leads to files on another host. */
export function originsOf(registry: string): readonly string[] {
  const { origin, hostname } = new URL(registry);
  return hostname === "pypi.org" ? [origin, "https://files.pythonhosted.org"] : [origin];
}

/** The certificates that this machine trusts, as PEM, for pip and npm in the sandbox. Empty if there are none. */
export function certificates(): string {
  const { PIP_CERT, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE } = process.env;
  const system = SYSTEM_CERTIFICATES.find((path) => existsSync(path));
  const files = new Set([PIP_CERT, SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, system]);
  return [...files].flatMap((path) => (path ? (readText(path) ?? []) : [])).join("\n");
}

const SYSTEM_CERTIFICATES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/cert.pem",
];

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
