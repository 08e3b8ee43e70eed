import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { createJustBashSandbox } from "@ai-sdk/sandbox-just-bash";
import type { Experimental_SandboxSession } from "ai";
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import type { ScriptEnd, ScriptJob } from "../../../core/script/script.ts";
import { createScriptRunner } from "../create-script-runner.ts";
import { remote } from "./remote.ts";
import type { RemoteCommand, RemoteSession } from "./remote-session.ts";
import { ShellSession } from "./shell-session.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "skillset-remote-"));
  for (const name of ["skill", "output", "machine"]) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const machine = (): string => join(root, "machine");
const open = (session: RemoteSession) => remote(session, { folder: machine() });
const files = (name: string): string[] => readdirSync(join(root, name), { recursive: true }).map(String).sort();

/** Runs a script, the first of the given files. */
function run(
  runner: ReturnType<typeof remote>,
  skill: Readonly<Record<string, string>>,
  job: Partial<ScriptJob> = {},
): Promise<ScriptEnd> {
  for (const [path, text] of Object.entries(skill)) {
    mkdirSync(dirname(join(root, "skill", path)), { recursive: true });
    writeFileSync(join(root, "skill", path), text);
  }
  return runner.run({
    skillFolder: join(root, "skill"),
    outputFolder: join(root, "output"),
    script: Object.keys(skill)[0] as string,
    args: [],
    limits: { time: 20_000, output: 100_000, memory: 2 ** 29, processes: 64, files: 1_000_000 },
    signal: new AbortController().signal,
    onOutput: () => {},
    ...job,
  });
}

test("sessions of the AI SDK can be passed", () => {
  type JustBash = Awaited<ReturnType<ReturnType<typeof createJustBashSandbox>["createSession"]>>;
  expectTypeOf<Experimental_SandboxSession>().toExtend<RemoteSession>();
  expectTypeOf<JustBash>().toExtend<RemoteSession>();
});

test("a minimum refuses another machine, because nothing shows how strong it is", async () => {
  const runner = remote(new ShellSession(), { name: "vm" });
  expect(runner.level).toBe("remote:vm");
  expect(await createScriptRunner(runner, { minimum: "embedded" })).toMatchObject({
    reason: "the runner 'remote:vm' is weaker than the minimum 'embedded'.",
  });
});

test("options and sessions are checked", () => {
  expect(() => remote(new ShellSession(), { folder: "tmp" })).toThrow("absolute");
  expect(() => remote(new ShellSession(), { name: "a b" })).toThrow("'name'");
  expect(() => remote({} as RemoteSession)).toThrow("no method 'run'");
});

describe("on the other machine", () => {
  test("a copy of a skill is sent once, and again after a script changed it or added a file", async () => {
    const session = new ShellSession();
    const runner = open(session);
    const script = 'cat data.txt\n[ -z "$1" ] || { chmod u+w . data.txt; eval "$1"; }\n';
    const skill = { "a.sh": script, "it's data.txt": "x", "data.txt": "Green.\n" };
    const sent = () => session.written.filter((path) => path.endsWith("/data.txt")).length;
    const stdoutOf = async (...args: string[]) => ((await run(runner, skill, { args })) as { stdout: string }).stdout;
    for (const times of [1, 1]) {
      expect(await stdoutOf()).toBe("Green.\n");
      expect(sent()).toBe(times);
    }
    for (const [index, attack] of ["echo Black. >data.txt", "echo no >json.py", "rm data.txt"].entries()) {
      await stdoutOf(attack);
      expect(await stdoutOf()).toBe("Green.\n");
      expect(sent()).toBe(index + 2);
    }
    await runner.close();
  });

  test("nothing is left of a run, and nothing at all after close", async () => {
    const runner = open(new ShellSession());
    await run(runner, { "a.sh": 'mkdir "$TMPDIR/a"; chmod 0 "$TMPDIR/a"; echo x >"$OUTPUT_DIR/x"\n' }, { stdin: "in" });
    const [base = ""] = readdirSync(machine());
    expect(readdirSync(join(machine(), base)).map((name) => name.replace(/-.*/, ""))).toEqual(["skill"]);
    await runner.close();
    expect(readdirSync(machine())).toEqual([]);
  });

  test("variables are on no command line and in no file", async () => {
    const contents: string[] = [];
    class Recorded extends ShellSession {
      override async writeBinaryFile(options: Parameters<ShellSession["writeBinaryFile"]>[0]): Promise<void> {
        contents.push(Buffer.from(options.content).toString());
        await super.writeBinaryFile(options);
      }
    }
    const session = new Recorded();
    const runner = open(session);
    const end = await run(runner, { "a.sh": 'echo "$KEY" | wc -c\n' }, { env: { KEY: "canary-of-a-key" } });
    expect(end).toMatchObject({ outcome: "exited", exitCode: 0, stdout: "16\n" });
    expect([...session.lines, ...contents].filter((text) => text.includes("canary-of-a-key"))).toEqual([]);
    expect(session.lines.some((line) => line.includes("a.sh"))).toBe(true);
    await runner.close();
  });

  test.each([
    ["in the background", "sleep 30 &\n"],
    ["that detached itself", "( setsid sleep 30 >/dev/null 2>&1 </dev/null & )\n"],
    ["that ignores signals", "trap '' TERM HUP INT\n( ( sleep 30; : ) & )\nsleep 30\n"],
  ])("a process %s is dead when the run ends", async (_, script) => {
    const runner = open(new ShellSession());
    await run(runner, { "a.sh": script }, { limits: { ...LIMITS, time: 1_000 } });
    expect(processesWith(machine())).toEqual([]);
    await runner.close();
  });

  const LIMITS = { time: 20_000, output: 100_000, memory: 2 ** 29, processes: 64, files: 1_000_000 };

  test("a process that a script left behind is found by this test", async () => {
    const session = new ShellSession();
    const left = await session.spawn({ command: "sleep 30", env: { TMPDIR: machine() } });
    try {
      expect(processesWith(machine())).not.toEqual([]);
    } finally {
      await left.kill();
    }
  });
});

/** The processes that have a text in their environment. */
function processesWith(text: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "latin1").includes(text);
    } catch {
      return false;
    }
  });
}

describe("files that come back", () => {
  test("are those that the script wrote, changed, renamed and removed", async () => {
    const runner = open(new ShellSession());
    for (const name of ["same", "changed", "removed", "moved", "folder"])
      writeFileSync(join(root, "output", name), name);
    const script =
      'cd "$OUTPUT_DIR"; echo new >changed; rm removed folder; mv moved there; mkdir folder; echo a >folder/a\n';
    await run(runner, { "a.sh": script });
    expect(files("output")).toEqual(["changed", "folder", "folder/a", "same", "there"]);
    expect(readFileSync(join(root, "output/changed"), "utf8")).toBe("new\n");
    await runner.close();
  });

  test("are no links and no special files", async () => {
    writeFileSync(join(root, "secret"), "canary");
    const runner = open(new ShellSession());
    const script = `cd "$OUTPUT_DIR"; ln -s ${root}/secret link; ln -s ${root} folder; mkfifo pipe; echo a >a; mkdir -p b/c; echo c >"b/c/c d"\n`;
    expect(await run(runner, { "a.sh": script })).toMatchObject({ outcome: "exited", exitCode: 0 });
    expect(files("output")).toEqual(["a", "b", "b/c", "b/c/c d"]);
    await runner.close();
  });

  /** A machine that lies about its files. */
  class Lying extends ShellSession {
    readonly asked: string[] = [];
    readonly #list: string;
    readonly #content: () => ReadableStream<Uint8Array>;
    constructor(list: string, content: () => ReadableStream<Uint8Array>) {
      super();
      this.#list = list;
      this.#content = content;
    }
    override async run(options: RemoteCommand) {
      const isList = options.command.includes("wc -c");
      return isList ? { exitCode: 0, stdout: `${this.#list}\nend\n`, stderr: "" } : super.run(options);
    }
    override async readFile({ path }: { path: string }) {
      this.asked.push(path);
      return this.#content();
    }
  }
  const bytes = (text: string) => () => new Blob([text]).stream() as ReadableStream<Uint8Array>;

  test.each([
    "../escaped",
    "../../escaped",
    "a/../../escaped",
    "/escaped",
    "//escaped",
    "a//b",
    "./../escaped",
    "a/./b",
    "..",
    "a\\..\\..\\escaped",
    "a\u0001b",
    "a\u202eb",
    ".ssh/authorized_keys",
    ".git/hooks/pre-commit",
    ".env",
    "a/".repeat(40).concat("deep"),
    "x".repeat(2_000),
  ])("are not written under the name %j", async (name) => {
    const session = new Lying(`4 ./${name}\n4 ./good.txt`, bytes("evil"));
    await run(open(session), { "a.sh": "true\n" });
    expect(files("output")).toEqual(["good.txt"]);
    expect(session.asked).toHaveLength(1);
    expect(readdirSync(root).sort()).toEqual(["machine", "output", "skill"]);
    expect(existsSync(join(dirname(root), "escaped"))).toBe(false);
  });

  test("do not exceed the limit, even if the machine reports a small size and sends bytes without end", async () => {
    const endless = (): ReadableStream<Uint8Array> =>
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
    const end = await run(open(new Lying("1 ./large", endless)), { "a.sh": "true\n" });
    expect(end.outcome).toBe("output-limit");
    expect(files("output")).toEqual([]);
  });

  test("are not fetched if their reported size exceeds the limit", async () => {
    const session = new Lying("999999999999 ./large", bytes("x"));
    expect((await run(open(session), { "a.sh": "true\n" })).outcome).toBe("output-limit");
    expect(session.asked).toEqual([]);
  });

  test("stay if the machine lists more than a session may have", async () => {
    writeFileSync(join(root, "output/old"), "old");
    const session = new Lying(Array.from({ length: 3_000 }, (_, index) => `0 ./f${index}`).join("\n"), bytes(""));
    expect((await run(open(session), { "a.sh": "true\n" })).outcome).toBe("output-limit");
    expect(files("output")).toContain("old");
    expect(files("output").length).toBeLessThanOrEqual(2_001);
  });
});

describe("a session that", () => {
  test("cannot spawn runs scripts, with output at the end", async () => {
    const { run: runLine, readFile, writeBinaryFile } = bind(new ShellSession());
    const runner = open({ run: runLine, readFile, writeBinaryFile });
    const end = await run(runner, { "a.sh": 'echo "$1"; echo err >&2; exit 3\n' }, { args: ["it's"] });
    expect(end).toMatchObject({ outcome: "exited", exitCode: 3, stdout: "it's\n", stderr: "err\n" });
    await runner.close();
  });

  test("fails is reported without its message, which may have keys", async () => {
    const session = bind(new ShellSession());
    const fail = () => Promise.reject(new Error("401 for key sk-canary"));
    for (const method of ["run", "spawn", "writeBinaryFile"] as const) {
      const end = await run(open({ ...session, [method]: fail }), { "a.sh": "true\n" });
      expect(end).toEqual({
        outcome: "refused",
        reason: "The connection to the machine that runs scripts failed. Try again.",
      });
    }
    const why = await open({ ...session, run: fail }).check();
    expect(why).toBe("the session failed: 401 for key sk-canary");
  });

  test("changes what it is sent does not pass the runner's test", async () => {
    const session = bind(new ShellSession());
    const spawn: RemoteSession["spawn"] = (options) =>
      session.spawn({ ...options, command: options.command.replaceAll("  ", " ") });
    expect(await open({ ...session, spawn }).check()).toMatch("did not arrive as they were sent");
  });

  test("does not stop does not hold the caller", async () => {
    const session = bind(new ShellSession());
    const never = new Promise<never>(() => {});
    const spawn = async () => ({
      stdout: new ReadableStream<Uint8Array>(),
      stderr: new ReadableStream<Uint8Array>(),
      wait: () => never,
      kill: () => never,
    });
    const limits = { time: 200, output: 1_000, memory: 2 ** 29, processes: 64, files: 1_000 };
    const end = await run(open({ ...session, spawn }), { "a.sh": "true\n" }, { limits });
    expect(end.outcome).toBe("timed-out");
  }, 20_000);
});

function bind(session: ShellSession) {
  return {
    run: session.run.bind(session),
    spawn: session.spawn.bind(session),
    readFile: session.readFile.bind(session),
    writeBinaryFile: session.writeBinaryFile.bind(session),
  };
}
