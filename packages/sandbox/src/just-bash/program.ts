// The program of the child process. The package contains it as a text, so it imports nothing but types and Node.
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";
import type * as JustBash from "just-bash";
import type { ShellJob } from "./run-shell.ts";

const [job = "", script = "", ...args] = process.argv.slice(2);
const { module, program, skillFolder, outputFolder, memory, env: common, prelude } = JSON.parse(job) as ShellJob;
// The script's own variables cannot replace those that every script has.
const env: ShellJob["env"] = { ...JSON.parse(process.env.SKILLSET_SCRIPT_ENV ?? "{}"), ...common };
delete process.env.SKILLSET_SCRIPT_ENV;

// A worker that is started with other options would not have the permissions of this process.
const { Worker } = threads;
threads.Worker = new Proxy(Worker, {
  construct: (target, [path, options]) => new target(path, { ...options, execArgv: undefined, env: {} }),
});
Worker.prototype.constructor = threads.Worker;
syncBuiltinESMExports();

const { Bash, InMemoryFs, MountableFs, OverlayFs, ReadWriteFs, defineCommand, parse, stdoutAsBytes } = (await import(
  module
)) as typeof JustBash;

/** What a script writes to these files appears at once, not at its end. */
class StreamFs extends InMemoryFs {
  override async writeFile(...[path, content, options]: Parameters<JustBash.InMemoryFs["writeFile"]>): Promise<void> {
    return this.appendFile(path, content, options);
  }

  override async appendFile(...[path, content, options]: Parameters<JustBash.InMemoryFs["appendFile"]>): Promise<void> {
    const encoding = typeof options === "object" ? options.encoding : options;
    const isBytes = encoding === "binary" || encoding === "latin1";
    const bytes = typeof content === "string" ? Buffer.from(content, isBytes ? "latin1" : "utf8") : content;
    if (path === "/1") process.stdout.write(bytes);
    else if (path === "/2") process.stderr.write(bytes);
    else throw new Error(`EACCES: permission denied, write '${path}'`);
  }
}

// The limits of the process apply, so a long loop is not an error.
const executionLimits = {
  maxCommandCount: Infinity,
  maxLoopIterations: Infinity,
  maxAwkIterations: Infinity,
  maxSedIterations: Infinity,
  maxJqIterations: Infinity,
  maxWorkUnits: Infinity,
  maxPythonTimeoutMs: 2 ** 31 - 1,
  maxSqliteTimeoutMs: 2 ** 31 - 1,
  maxExecutionTimeMs: Infinity,
};
const streams = new StreamFs({ "/1": "", "/2": "" });
// Many scripts begin with these two, which just-bash does not have. Nothing is left to clean up after a script.
const trap = defineCommand("trap", async () => ({ stdout: "", stderr: "", exitCode: 0 }));
const mktemp = defineCommand("mktemp", async (given) => {
  const template = given.find((one) => !one.startsWith("-"))?.replace(/^.*\//, "") ?? "tmp.XXXXXX";
  const path = `/tmp/${template.replace(/X{3,}/, () => crypto.randomUUID().slice(0, 8))}`;
  if (given.some((one) => one === "-d" || one === "--directory")) await fs.mkdir(path);
  else await fs.writeFile(path, "");
  return { stdout: `${path}\n`, stderr: "", exitCode: 0 };
});
// It has the folders and commands that scripts expect, in memory.
const base = new Bash({ python: true, customCommands: [trap, mktemp] }).fs;
await base.rm("/home", { recursive: true, force: true });
const fs = new MountableFs({
  base,
  mounts: [
    {
      mountPoint: "/skill",
      filesystem: new OverlayFs({ root: skillFolder, mountPoint: "/", readOnly: true, maxFileReadSize: memory }),
    },
    { mountPoint: "/output", filesystem: new ReadWriteFs({ root: outputFolder, maxFileReadSize: memory }) },
    { mountPoint: "/dev/fd", filesystem: streams },
  ],
});

const python = new Bash({ fs, env, python: true, executionLimits });
// The output of a shell script may belong to a pipe, and just-bash returns it at the end.
const isStreamed = program === "python3" ? "streamed" : "";
const startPython = async (given: string[], context: JustBash.CommandContext): Promise<JustBash.ExecResult> => {
  const isFile = given[0] !== undefined && !given[0].startsWith("-");
  return python.exec("python3", {
    // As one text: just-bash answers `--help` itself.
    args: isFile ? ["-c", prelude, isStreamed, JSON.stringify(given)] : given,
    stdin: context.stdin as unknown as string,
    stdinKind: "bytes",
    cwd: context.cwd,
    replaceEnv: true,
    env: { ...env, ...context.exportedEnv },
    ...(context.signal && { signal: context.signal }),
  });
};
const bash = new Bash({
  fs,
  // Only variables that are named here are exported.
  env,
  executionLimits,
  customCommands: [trap, mktemp, ...["python3", "python"].map((name) => defineCommand(name, startPython))],
});

// just-bash returns output at the end, but writes to files at once. So each statement of the script itself becomes a group
// with redirections to the streams. Loops and functions are one statement.
let parsed = 0;
const text = await fs.readFile(script);
// In a group, just-bash does not stop at an unset variable; `set -e` still does.
const canStream = !/\bnounset\b|\bset\s+-\w*u/.test(text) || /\berrexit\b|\bset\s+-\w*e/.test(text);
bash.registerTransformPlugin({
  name: "stream",
  transform: ({ ast, metadata }) => {
    parsed++;
    // The first text is the command that starts the script. Those after the second may be part of a pipe.
    if (parsed !== 2) return { ast, metadata };
    const statements = canStream ? ast.statements.map(streamed) : ast.statements;
    return { ast: { ...ast, statements: withArguments(statements) }, metadata };
  },
});

// just-bash answers `--help` itself, for `bash FILE` and for `set` too. Only a function gets it like other arguments.
const isShell = program !== "python3";
const words = args.map((arg) => ` '${arg.replaceAll("'", "'\\''")}'`).join("");

function withArguments(statements: Statement[]): Statement[] {
  if (!args.includes("--help")) return [...parse(`set --${words}`).statements, ...statements];
  const { statements: wrapped } = parse(`__script() { :; }; __script${words}`);
  const definition = wrapped[0]?.pipelines[0]?.commands[0];
  if (definition?.type === "FunctionDef" && definition.body.type === "Group") definition.body.body = statements;
  return wrapped;
}

type Statement = JustBash.StatementNode;

function streamed(statement: Statement): Statement {
  const [group] = parse("{ :; } >>/dev/fd/1 2>>/dev/fd/2").statements;
  const command = group?.pipelines[0]?.commands[0];
  if (group === undefined || command?.type !== "Group" || statement.background) return statement;
  command.body = [statement];
  return group;
}

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const stdin = Buffer.concat(chunks).toString("latin1");
// A worker does not keep this process alive.
const alive = setInterval(() => {}, 2 ** 31 - 1);
try {
  const result = await bash.exec(program, {
    args: isShell ? [script] : [script, ...args],
    stdin,
    stdinKind: "bytes",
    cwd: "/skill",
    replaceEnv: true,
    env,
  });
  process.stdout.write(Buffer.from(stdoutAsBytes(result) as unknown as string, "latin1"));
  process.stderr.write(result.stderr);
  process.exitCode = result.exitCode & 255;
} catch (error) {
  process.stderr.write(`${program}: ${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  clearInterval(alive);
}
