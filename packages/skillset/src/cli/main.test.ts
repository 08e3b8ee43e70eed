import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { main } from "./main.ts";
import { runCaptured } from "./run-captured.ts";

const COMMANDS = [
  "list",
  "validate",
  "prompt",
  "show",
  "try",
  "serve",
  "think",
  "install",
  "exec",
  "new",
  "doctor",
  "trust",
  "tour",
];
const run = (...argv: string[]) => runCaptured(argv, { cwd: temporaryFolder() });

describe("help", () => {
  test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("%j lists every command", async (argv) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\w`, "m"));
  });

  test.each(COMMANDS)("of %s shows its usage, its options and examples", async (name) => {
    const { code, stdout } = await run(name, "--help");
    expect(code).toBe(0);
    expect(stdout).toContain(`  skillset ${name}`);
    expect(stdout).toContain("--help");
    expect(stdout.split("Examples")[1]?.match(/^ {2}skillset /gm)?.length).toBeGreaterThanOrEqual(2);
    expect((await run("help", name)).stdout).toBe(stdout);
  });

  test("--version prints the version and nothing else", async () => {
    expect(await run("--version")).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" });
  });
});

describe("wrong usage is one sentence and exit code 2", () => {
  test.each([
    [["lst"], "skillset has no command 'lst'; did you mean 'list'?"],
    [["frobnicate"], "skillset has no command 'frobnicate'; see 'skillset --help'."],
    [["constructor"], "skillset has no command 'constructor'; see 'skillset --help'."],
    [["--vresion"], "skillset has no option '--vresion'; did you mean '--version'?"],
    [["list", "--jsno"], "'skillset list' has no option '--jsno'; did you mean '--json'?"],
    [["list", "--zzz"], "'skillset list' has no option '--zzz'; see 'skillset list --help'."],
    [["list", "-q"], "'skillset list' has no option '-q'; see 'skillset list --help'."],
    [["list", "--json=yes"], "'--json' takes no value."],
    [["list", "--enable"], "'--enable' needs a value (GLOB)."],
    [["list", "--enable", "--json"], "'--enable' needs a value (GLOB)."],
    [["list", "--max-skills", "few"], "'--max-skills' needs a whole number of at least 0, not 'few'."],
    [["validate"], "'skillset validate' needs a path, as in 'skillset validate ./skills'."],
    [
      ["prompt", "--format", "mrkdown"],
      "'--format' takes xml, json, markdown or names, not 'mrkdown'; did you mean 'markdown'?",
    ],
    [["prompt", "--characters"], "'--characters' needs '--budget N'."],
    [["new"], "'skillset new' needs one name, as in 'skillset new release-notes'."],
  ])("%j", async (argv, sentence) => {
    expect(await run(...argv)).toEqual({ code: 2, stdout: "", stderr: `${sentence}\n` });
  });
});

describe("what goes wrong", () => {
  test.each(["list", "validate", "prompt", "doctor"])(
    "a missing path given to %s is one sentence, exit 1",
    async (command) => {
      const cwd = temporaryFolder();
      const result = await runCaptured([command, "./nowhere"], { cwd });
      expect(result).toEqual({ code: 1, stdout: "", stderr: `No skills at '${cwd}/nowhere': it does not exist.\n` });
    },
  );

  test("Ctrl-C gives 130 and says nothing", async () => {
    const cwd = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    expect(await runCaptured(["list", "."], { cwd, signal: AbortSignal.abort() })).toEqual({
      code: 130,
      stdout: "",
      stderr: "",
    });
  });

  test("a reader that went away is no error", async () => {
    const cwd = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    const io = { cwd, home: cwd, env: {}, signal: new AbortController().signal, stdin: process.stdin };
    const closed = {
      write: (_chunk: unknown, done: (error: Error) => void) =>
        done(Object.assign(new Error("EPIPE"), { code: "EPIPE" })),
    };
    expect(await main(["list", "."], { ...io, stdout: closed, stderr: closed })).toBe(0);
  });

  test("a fault of ours shows its stack", async () => {
    const cwd = temporaryFolder();
    const io = { cwd, home: cwd, env: {}, signal: new AbortController().signal, stdin: process.stdin };
    let told = "";
    const stderr = {
      write(chunk: Uint8Array | string, done: () => void) {
        told += Buffer.from(chunk as Uint8Array);
        done();
      },
    };
    const stdout = {
      write: () => {
        throw new TypeError("oops");
      },
    };
    expect(await main(["--version"], { ...io, stdout, stderr })).toBe(1);
    expect(told).toMatch(/TypeError: oops\n\s+at /);
  });
});

describe("colour", () => {
  const coloured = async (env: Record<string, string>, isTTY: boolean) => {
    const cwd = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    return (await runCaptured(["list", "."], { cwd, env, isTTY })).stdout.includes("\u001b[");
  };

  test("is for terminals, unless NO_COLOR or FORCE_COLOR says otherwise", async () => {
    expect(await coloured({}, true)).toBe(true);
    expect(await coloured({}, false)).toBe(false);
    expect(await coloured({ NO_COLOR: "1" }, true)).toBe(false);
    expect(await coloured({ TERM: "dumb" }, true)).toBe(false);
    expect(await coloured({ FORCE_COLOR: "1" }, false)).toBe(true);
    expect(await coloured({ FORCE_COLOR: "0" }, true)).toBe(false);
  });
});
