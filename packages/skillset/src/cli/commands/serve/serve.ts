import { agentNamesWith } from "../../../agents/find-agent.ts";
import type { Problem } from "../../../core/base/problem.ts";
import { scriptHostsOf } from "../../../core/host/skill-host.ts";
import { RUNNER_NAMES } from "../../../core/script/runner-names.ts";
import type { Skillset } from "../../../core/skillset.ts";
import type { OAuthListener } from "../../../mcp/index.ts";
import { agentOption } from "../../command-line/agent-option.ts";
import { defineCommand } from "../../command-line/command.ts";
import { FILTER_OPTIONS, LOAD_OPTIONS, loadSkills, PATHS, toFilter } from "../../command-line/load.ts";
import { oneOf, wholeNumber } from "../../command-line/parse-command-line.ts";
import { checkEnv, ENV_OPTION, reportScripts, toSecrets } from "../../command-line/script-options.ts";
import { whyNone } from "../../command-line/skills-elsewhere.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import type { Io } from "../../terminal/io.ts";
import { counted, printable } from "../../terminal/printable.ts";
import { write, writeLine } from "../../terminal/write.ts";
import { checkOAuthOptions, OAUTH_OPTIONS, toOAuth } from "./oauth-options.ts";
import { printClientConfig } from "./print-client-config.ts";
import { readToken } from "./token-file.ts";

export const SERVE_OPTIONS = {
  http: { type: "string", value: "[PORT]", whenBare: "0", about: "listen for HTTP on this port, or on a free one" },
  host: { type: "string", value: "HOST", default: "127.0.0.1", about: "the address to listen on" },
  "allowed-host": {
    type: "string",
    multiple: true,
    value: "NAME",
    about: "a host name that clients can use for the server; required with --host",
  },
  "token-file": {
    type: "string",
    value: "FILE",
    completes: "files",
    about: "the file with the token that clients must send; created if it does not exist",
  },
  ...OAUTH_OPTIONS,
  watch: { type: "boolean", about: "reload skills that change, and notify the clients" },
  scripts: {
    type: "string",
    value: "RUNNER",
    choices: RUNNER_NAMES,
    about: "run the skills' scripts, after the client's user consents; without it, scripts are never run",
  },
  "allow-scripts": {
    type: "string",
    multiple: true,
    value: "NAME",
    completes: "skills",
    about: "run the scripts of this skill without asking, at any version; implies --scripts auto",
  },
  ...ENV_OPTION,
  "print-config": {
    type: "string",
    value: "NAME",
    choices: agentNamesWith("mcp"),
    about: "print the settings that add this server to a client, and exit",
  },
  ...LOAD_OPTIONS,
  ...FILTER_OPTIONS,
} as const;

export const serve = defineCommand({
  about:
    "Serves skills to any MCP client as tools, as prompts, and through the Skills extension.\n" +
    "Serves the program that started it over stdin and stdout or, with --http, clients that have the token.\n" +
    "With --oauth-issuer, clients get their tokens from that authorization server instead.",
  arguments: [PATHS],
  options: SERVE_OPTIONS,
  examples: [
    ["skillset serve ./skills", "over stdin and stdout, for a client that starts it"],
    ["skillset serve ./skills --print-config claude", "the settings with which Claude starts it"],
    ["skillset serve ./skills --http 8808 --watch", "over HTTP, with reload on changes"],
    ["skillset serve ./skills --allow-scripts pdf", "in addition, run the scripts of the skill pdf in a sandbox"],
    ["skillset serve --http 8808 --host 0.0.0.0 --allowed-host skills.example.com --token-file token", "for a team"],
    ["skillset serve --http 8808 --oauth-issuer https://login.example.com", "for clients that log in"],
  ],
  exitCodes: {
    0: "the client disconnected, or Ctrl-C",
    1: "a path does not exist, or the port is in use",
    130: "interrupted by Ctrl-C while it loads the skills",
  },
  async run({ values, positionals }, io) {
    const port = wholeNumber("http", values.http);
    const client = agentOption("print-config", values["print-config"], "mcp")?.mcp;
    if (port === undefined) refuseHttpOptions(values);
    checkOAuthOptions(values);
    if (values.host !== undefined && !LOCAL.has(values.host) && values["allowed-host"] === undefined)
      throw new UsageError(`'--host ${values.host}' needs '--allowed-host NAME', the host name that clients use.`);
    if (port !== undefined && port > 65_535) throw new UsageError(`'--http' needs a port up to 65535, not '${port}'.`);
    const allowScripts = values["allow-scripts"] ?? [];
    const runner = oneOf("scripts", values.scripts, RUNNER_NAMES) ?? (allowScripts.length > 0 ? "auto" : undefined);
    checkEnv(values.env, runner);
    if (client !== undefined) return printClientConfig(client, { paths: positionals, values, port }, io);
    const { recursive = false, bundled, profile } = values;
    const scripts = runner && { runner, ...toSecrets(values.env, io) };
    const onProblem = ({ message }: Problem | Error): void => void writeLine(io.stderr, printable(message));
    const skillset = await loadSkills(positionals, { recursive, bundled, profile, scripts, ...toFilter(values) }, io);
    if (skillset.size === 0) await write(io.stderr, [NO_SKILL, whyNone(skillset, positionals, io)]);
    if (scripts !== undefined) await reportScripts(skillset, io);
    for (const name of allowScripts.filter((one) => !skillset.has(one)))
      await writeLine(io.stderr, printable(`'--allow-scripts ${name}': there is no skill '${name}'.`));
    // Loaded here: the protocol's SDK is the heaviest part of the command line.
    const { createSkillsServer, serveHttp, serveStdio } = await import("../../../mcp/index.ts");
    // Over HTTP no known client is notified of new skills, and some refuse a name that is not in the enum they got.
    const isOpen = values.watch && port !== undefined;
    const server = createSkillsServer(skillset, {
      ...(isOpen && { operations: { maxEnumNames: 0 } }),
      allowScripts,
      onProblem,
      onError: onProblem,
    });
    const watcher = values.watch ? follow(skillset, server, io) : undefined;
    try {
      if (port === undefined) {
        if (io.stdin.isTTY) await writeLine(io.stderr, ...forPeople(skillset));
        const connection = await serveStdio(server);
        await Promise.race([connection.closed, aborted(io.signal)]);
      } else {
        const file = values["token-file"];
        const stored = file === undefined ? undefined : readToken(file, io.cwd);
        if (stored?.warning !== undefined) await writeLine(io.stderr, printable(stored.warning));
        const oauth = toOAuth(values, onProblem);
        const listener = await serveHttp(server, {
          port,
          host: values.host,
          allowedHosts: values["allowed-host"],
          ...(oauth && { oauth }),
          ...(stored && { token: stored.token }),
        });
        const issuers = oauth?.issuers ?? [];
        await writeLine(io.stderr, ...describe(listener, skillset, { tokenFile: file, issuers, allowScripts }));
        await aborted(io.signal);
        await listener.close();
      }
    } finally {
      await watcher?.close();
      await server.close();
    }
    return 0;
  },
});

const NO_SKILL = "No skill is available to serve. 'skillset list' shows what was found, and where.\n";
const LOCAL: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "::1"]);

function refuseHttpOptions(values: Readonly<Record<string, unknown>>): void {
  const options = ["host", "allowed-host", "token-file", ...Object.keys(OAUTH_OPTIONS)];
  const given = options.find((option) => values[option] !== undefined);
  if (given !== undefined) throw new UsageError(`'--${given}' needs '--http'.`);
}

function follow(skillset: Skillset, server: { update(next: Skillset): Promise<void> }, { stderr, signal }: Io) {
  const onError = (error: unknown): void =>
    void writeLine(stderr, printable(`The skills could not be reloaded: ${(error as Error).message}`));
  return skillset.watch(
    ({ skillset: next, changes: { added, removed, changed } }) => {
      void server.update(next).catch(onError);
      const counts = `${added.length} added, ${changed.length} changed, ${removed.length} removed`;
      void writeLine(stderr, `Serving ${counted(next.size, "skill")} now: ${counts}.`);
    },
    { signal, onError },
  );
}

/** For people who typed the command and see no output. */
function forPeople({ size }: Skillset): string[] {
  return [
    `Serving ${counted(size, "skill")} over stdin and stdout, for an MCP client that starts this command.`,
    "'--print-config NAME' prints the settings for a client, '--http' listens for any client. Ctrl-C ends it.",
  ];
}

interface Described {
  readonly tokenFile: string | undefined;
  readonly issuers: readonly string[];
  readonly allowScripts: readonly string[];
}

function describe(
  { url, token = "" }: OAuthListener,
  skillset: Skillset,
  { tokenFile, issuers, allowScripts }: Described,
) {
  const levels = scriptHostsOf(skillset).map(({ level }) => level);
  const secret = tokenFile === undefined ? token : `(the token in ${printable(tokenFile)})`;
  return [
    `Serving ${counted(skillset.size, "skill")} at ${url}`,
    issuers.length === 0
      ? `Clients send: Authorization: Bearer ${secret}`
      : `Clients log in at ${printable(issuers.join(", "))}`,
    ...(levels.length === 0
      ? []
      : [`Every client may run scripts here (${levels.join(", ")}): ${whose(allowScripts)}.`]),
    "Ctrl-C ends it.",
  ];
}

function whose(allowScripts: readonly string[]): string {
  const consented = "those that its user consents to";
  return allowScripts.length === 0 ? consented : `those of ${printable(allowScripts.join(", "))}, and ${consented}`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
