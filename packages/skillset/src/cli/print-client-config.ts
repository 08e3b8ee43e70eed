import { resolve } from "node:path";
import { type ClientName, clientConfig, type ServerPlace } from "./client-config.ts";
import type { OptionValues } from "./command.ts";
import type { Io } from "./io.ts";
import type { SERVE_OPTIONS } from "./serve.ts";
import { UsageError } from "./usage-error.ts";
import { writeLine } from "./write.ts";

/** The snippet alone goes to stdout, so that it can be piped. */
export async function printClientConfig(client: ClientName, { paths, values, port }: Started, io: Io): Promise<number> {
  const { file, text } = clientConfig(
    client,
    port === undefined ? started(paths, values, io) : addressed(port, values),
  );
  await writeLine(io.stderr, `Add this to ${file}:`);
  await writeLine(io.stdout, text);
  if (port !== undefined) {
    const line = "Give the client the token in the environment variable SKILLSET_TOKEN, unless it asks for it.";
    await writeLine(io.stderr, line);
  }
  return 0;
}

interface Started {
  readonly paths: readonly string[];
  readonly values: OptionValues<typeof SERVE_OPTIONS>;
  readonly port: number | undefined;
}

/** This very program, with whole paths: a client starts it from who knows where. */
function started(paths: readonly string[], values: Started["values"], { cwd }: Io): ServerPlace {
  const options = Object.entries(values).flatMap(([name, value]) => {
    if (name === "print-config" || value === false) return [];
    return [value].flat().map((one) => (one === true ? `--${name}` : `--${name}=${one}`));
  });
  const program = process.argv[1] ?? "";
  const args = ["serve", ...paths.map((path) => (path.startsWith("~") ? path : resolve(cwd, path))), ...options];
  // What npx fetched for one run may be gone at the next.
  if (/[\\/]_npx[\\/]/.test(program)) return { kind: "command", command: "npx", args: ["-y", "skillset", ...args] };
  return { kind: "command", command: process.execPath, args: [program, ...args] };
}

function addressed(port: number, { host = "127.0.0.1", "allowed-host": allowed }: Started["values"]): ServerPlace {
  if (port === 0) throw new UsageError("'--print-config' needs '--http' with a port: a free one is another each time.");
  const name = allowed?.[0] ?? host;
  return {
    kind: "http",
    url: `http://${name.includes(":") && !name.startsWith("[") ? `[${name}]` : name}:${port}/mcp`,
  };
}
