import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inAgents } from "../installed.ts";
import { type ConnectedClient, type Place, toAnswer } from "./connected-client.ts";

/** The Inspector's command line, which reconnects for each request. */
export async function connect(place: Place): Promise<ConnectedClient> {
  return {
    toolNames: async () => {
      const [{ result }] = (await inspect(place, ["--method", "tools/list"])).lines as [ToolList];
      return result.tools.map(({ name }) => name);
    },
    call: async (name, input) => {
      const call = ["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(input)];
      const [{ result }] = (await inspect(place, call)).lines as [{ result: unknown }];
      return toAnswer(result);
    },
    close: async () => {},
  };
}

interface ToolList {
  readonly result: { readonly tools: readonly { readonly name: string }[] };
}

/** Returns what the Inspector reports when it reads and hashes every file of every skill. */
export async function verifySkills(place: Place, era: "legacy" | "modern") {
  const given = ["--method", "skills/list", "--verify", "--require-digests", "--protocol-era", era];
  const { exitCode, lines } = await inspect(place, given);
  return { exitCode, reports: lines as SkillReport[] };
}

interface SkillReport {
  readonly name: string;
  readonly outcome: string;
  readonly files: readonly { readonly uri: string; readonly status: string }[];
}

/** Its files, such as the list of known servers, go to a separate home. */
async function inspect(place: Place, given: readonly string[]): Promise<{ exitCode: number; lines: unknown[] }> {
  const home = mkdtempSync(join(tmpdir(), "skillset-inspector-"));
  const target =
    place.transport === "stdio"
      ? [place.command, ...place.args]
      : [place.url, "--transport", "http", "--header", `Authorization: Bearer ${place.token}`];
  const program = inAgents("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  const args = [program, "--cli", ...target, ...given, "--format", "json", "--quiet"];
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home };
  try {
    return await new Promise((resolve, reject) =>
      execFile(process.execPath, args, { env, timeout: 60_000 }, (error, stdout, stderr) => {
        if (stdout === "") return reject(new Error(`The Inspector printed nothing but: ${stderr}`, { cause: error }));
        const lines = stdout.trim().split("\n");
        resolve({ exitCode: Number(error?.code ?? 0), lines: lines.map((line) => JSON.parse(line)) });
      }),
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
