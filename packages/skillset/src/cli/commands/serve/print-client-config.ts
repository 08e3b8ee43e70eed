import { basename, relative, resolve, sep } from "node:path";
import type { McpClient } from "../../../agents/agent-definition.ts";
import { isWithin } from "../../../node/files/contained-read.ts";
import { isBelowHome, resolvePath } from "../../../node/load/sources.ts";
import type { OptionValues } from "../../command-line/command.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import type { Io } from "../../terminal/io.ts";
import { writeLine } from "../../terminal/write.ts";
import type { SERVE_OPTIONS } from "./serve.ts";

/** Only the settings go to stdout, so that they can be piped. */
export async function printClientConfig(client: McpClient, { paths, values, port }: Started, io: Io): Promise<number> {
  const place = port === undefined ? started(client, paths, values, io) : addressed(port, values);
  const token = values["oauth-issuer"] === undefined ? TOKEN : undefined;
  const settings =
    place.kind === "command" ? client.started(place.command, place.args) : client.addressed(place.url, token);
  await writeLine(io.stderr, `Add this to ${client.settingsFile}:`);
  await writeLine(io.stdout, typeof settings === "string" ? settings : JSON.stringify(settings, null, 2));
  if (place.kind === "command" && place.command === process.execPath && client.projectFolder !== undefined) {
    const line = "The command is a path on this machine. To share the file, install skillset in the project.";
    await writeLine(io.stderr, line);
  }
  if (port !== undefined && token !== undefined) {
    const line = `Set the environment variable ${TOKEN} to the token for the client, unless the client asks for the token.`;
    await writeLine(io.stderr, line);
  }
  return 0;
}

/** Clients read the token from this variable, which keeps it out of their settings. */
const TOKEN = "SKILLSET_TOKEN";

/** How a client reaches the server: it starts the server, or connects to its address. */
type ServerPlace =
  | { readonly kind: "command"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "http"; readonly url: string };

interface Started {
  readonly paths: readonly string[];
  readonly values: OptionValues<typeof SERVE_OPTIONS>;
  readonly port: number | undefined;
}

/** The command that starts this program, in a form that works on other machines where possible. */
function started(client: McpClient, paths: readonly string[], values: Started["values"], { cwd }: Io): ServerPlace {
  const options = Object.entries(values).flatMap(([name, value]) => {
    if (name === "print-config" || value === false) return [];
    return [value].flat().map((one) => (one === true ? `--${name}` : `--${name}=${one}`));
  });
  const args = ["serve", ...paths.map((path) => shareable(path, client.projectFolder, cwd)), ...options];
  const [command, ...first] = programFor(process.argv[1] ?? "", cwd);
  return { kind: "command", command, args: [...first, ...args] };
}

/** A path relative to the project if the client knows its folder; otherwise absolute, as a client can start anywhere. */
function shareable(path: string, projectFolder: string | undefined, cwd: string): string {
  if (isBelowHome(path)) return path;
  const whole = resolvePath(path, cwd);
  if (projectFolder === undefined || !isWithin(cwd, whole)) return whole;
  return [projectFolder, ...relative(cwd, whole).split(sep)].filter((part) => part !== "").join("/");
}

/** The command that starts the program, by name if it has the same name on other machines. */
export function programFor(program: string, cwd: string): [string, ...string[]] {
  // npx can delete a package that it downloaded for one run.
  if (/[\\/]_npx[\\/]/.test(program)) return ["npx", "-y", "skillset"];
  if (isWithin(resolve(cwd, "node_modules"), program)) return ["npx", "skillset"];
  if (basename(program) === "skillset") return ["skillset"];
  return [process.execPath, program];
}

function addressed(port: number, values: Started["values"]): ServerPlace {
  const { host = "127.0.0.1", "allowed-host": allowed, "oauth-resource": resource } = values;
  if (resource !== undefined) return { kind: "http", url: resource };
  if (port === 0)
    throw new UsageError("'--print-config' needs '--http' with a port, because a free port differs each time.");
  const name = allowed?.[0] ?? host;
  return {
    kind: "http",
    url: `http://${name.includes(":") && !name.startsWith("[") ? `[${name}]` : name}:${port}/mcp`,
  };
}
