import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { skillMd, temporaryFolder } from "../../../../test/temporary-folder.ts";
import { GLOBAL_OPTIONS, type OptionSpecs } from "./command-line/command.ts";
import { EXIT_CODES, exitCodesOf } from "./command-line/exit-codes.ts";
import { TOPICS } from "./command-line/topics.ts";
import { COMMANDS } from "./commands/all.ts";
import { main } from "./main.ts";
import { runCaptured } from "./run-captured.ts";

const NAMES = Object.keys(COMMANDS);
const run = (...argv: string[]) => runCaptured(argv, { cwd: temporaryFolder() });
/** Help text without its line breaks. */
const flat = (text: string) => text.replace(/\s+/g, " ");

describe("help", () => {
  test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("%j lists every command in its group", async (argv) => {
    const { code, stdout, stderr } = await run(...argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const [name, { group, aliases = [] }] of Object.entries(COMMANDS)) {
      const section = stdout.split(`\n${group}\n`)[1]?.split("\n\n")[0] ?? "";
      expect(section).toMatch(new RegExp(`^ {2}${name} +\\w`, "m"));
      for (const alias of aliases) expect(section).toContain(`(alias: ${alias})`);
    }
    for (const part of ["--no-color", "-v, --version", "Examples", "skillset help exit-codes", "docs/cli.md"])
      expect(stdout).toContain(part);
  });

  test.each(NAMES)("of %s shows usage, arguments, options, exit codes and examples", async (name) => {
    const { code, stdout } = await run(name, "--help");
    const command = await COMMANDS[name]?.load();
    expect(code).toBe(0);
    expect(stdout).toContain(`\nUsage\n  skillset ${name}`);
    for (const argument of command?.arguments ?? [])
      expect(stdout.split("\nArguments\n")[1]).toMatch(new RegExp(`^ {2}${argument.name} `, "m"));
    const options: OptionSpecs = { ...command?.options, ...GLOBAL_OPTIONS };
    for (const [option, spec] of Object.entries(options)) {
      expect(stdout).toMatch(new RegExp(`^ {2}(?:-\\w, )?--${option}\\b`, "m"));
      for (const choice of spec.choices ?? []) expect(stdout).toContain(choice);
      if (spec.default !== undefined) expect(flat(stdout)).toContain(`default: ${spec.default}`);
    }
    for (const text of Object.values(exitCodesOf(command?.exitCodes))) expect(flat(stdout)).toContain(text);
    expect(stdout.split("Examples")[1]?.match(/^ {2}(?:.*[ (])?skillset /gm)?.length).toBeGreaterThanOrEqual(2);
    expect((await run("help", name)).stdout).toBe(stdout);
  });

  test.each(Object.entries(COMMANDS).flatMap(([name, { aliases = [] }]) => aliases.map((alias) => [alias, name])))(
    "%s is an alias of %s",
    async (alias, name) => {
      const { stdout } = await run(alias, "--help");
      expect(stdout).toBe((await run(name, "--help")).stdout);
      expect(stdout).toContain(`\nAliases\n  ${alias}\n`);
    },
  );

  test.each(Object.keys(TOPICS))("has the topic %s", async (topic) => {
    const { code, stdout } = await run("help", topic);
    expect(code).toBe(0);
    for (const [term] of TOPICS[topic]?.rows ?? []) expect(stdout).toMatch(new RegExp(`^ {2}${term} `, "m"));
  });

  test.each([40, 80])("fits a terminal of %d columns, except for the commands to copy", async (columns) => {
    for (const argv of [[], ...NAMES.map((name) => [name, "--help"])]) {
      const { stdout } = await runCaptured(argv, { cwd: "/", columns });
      const prose = stdout.split("\nExamples\n")[0]?.replace(/\nUsage\n.*\n/, "") ?? "";
      const isCopied = (line: string) => /^ {2,}\S.*(?:skillset completion|"validate":)/.test(line);
      expect(prose.split("\n").filter((line) => line.length > columns && !isCopied(line))).toEqual([]);
    }
  });

  test.each(["--version", "-v"])("%s prints the version and nothing else", async (option) => {
    expect(await run(option)).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" });
  });
});

describe("exit codes", () => {
  test.each(NAMES)("%s exits with 2 for an unknown option", async (name) => {
    const { code, stdout, stderr } = await run(name, "--no-such-option");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^[^\n]+\n$/);
  });

  const commands = Promise.all(Object.entries(COMMANDS).map(async ([name, { load }]) => ({ name, ...(await load()) })));

  test("every command exits with 2 without its required arguments", async () => {
    const needy = (await commands).filter(({ arguments: args }) => args.some(({ required }) => required));
    expect(needy.map(({ name }) => name)).toContain("search");
    for (const { name } of needy) expect((await run(name)).code, name).toBe(2);
  });

  test("every option with fixed choices exits with 2 for any other value, and lists the choices", async () => {
    for (const { name, options, arguments: args } of await commands) {
      const given = args.filter(({ required }) => required).map(({ choices }) => choices?.[0] ?? "x");
      for (const [option, { choices }] of Object.entries(options)) {
        if (choices === undefined) continue;
        const { code, stderr } = await run(name, `--${option}=zzz`, ...given);
        expect(code, `${name} --${option}`).toBe(2);
        for (const choice of choices) expect(stderr).toContain(choice);
      }
    }
  });

  test("every command that loads paths exits with 1 for one that does not exist, and with 130 after Ctrl-C", async () => {
    const loading = (await commands).filter(({ arguments: args }) => args.some(({ name }) => name === "PATH"));
    expect(loading.length).toBeGreaterThan(5);
    for (const { name, arguments: args, options } of loading) {
      const cwd = temporaryFolder({ "s/a/SKILL.md": skillMd("a") });
      const agent = "agent" in options ? ["--agent", "claude"] : [];
      const argv = (path: string) => [
        name,
        ...agent,
        ...args.map((argument) => (argument.name === "PATH" ? path : "a")),
      ];
      expect((await runCaptured(argv("nowhere"), { cwd })).code, name).toBe(1);
      const signal = AbortSignal.abort();
      expect((await runCaptured(argv("s"), { cwd, signal })).code, name).toBe(130);
    }
  });

  test("docs/cli.md has the same table as the help", () => {
    const page = readFileSync(new URL("../../../../docs/cli.md", import.meta.url), "utf8");
    for (const [code, meaning] of Object.entries(EXIT_CODES)) expect(page).toContain(`| ${code} | ${meaning} |`);
  });
});

describe("a usage error is one sentence with exit code 2", () => {
  test.each([
    [["lst"], "skillset has no command 'lst'; did you mean 'list'?"],
    [["chek"], "skillset has no command 'chek'; did you mean 'check'?"],
    [["help", "exit-code"], "skillset has no command 'exit-code'; did you mean 'exit-codes'?"],
    [["list", "--no-colour"], "'skillset list' has no option '--no-colour'; did you mean '--no-color'?"],
    [["completion", "tcsh"], "'skillset completion' supports bash, zsh or fish, not 'tcsh'."],
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

describe("errors", () => {
  test.each(["list", "validate", "prompt", "doctor"])(
    "a missing path given to %s is an error of one sentence, with exit code 1",
    async (command) => {
      const cwd = temporaryFolder();
      const result = await runCaptured([command, "./nowhere"], { cwd });
      expect(result).toEqual({
        code: 1,
        stdout: "",
        stderr: `No skills at '${cwd}/nowhere': it does not exist. Create it, or pass another path.\n`,
      });
    },
  );

  test("Ctrl-C exits with 130 and prints nothing", async () => {
    const cwd = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    expect(await runCaptured(["list", "."], { cwd, signal: AbortSignal.abort() })).toEqual({
      code: 130,
      stdout: "",
      stderr: "",
    });
  });

  test("a closed pipe is not an error", async () => {
    const cwd = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    const io = { cwd, home: cwd, env: {}, signal: new AbortController().signal, stdin: process.stdin };
    const closed = {
      write: (_chunk: unknown, done: (error: Error) => void) =>
        done(Object.assign(new Error("EPIPE"), { code: "EPIPE" })),
    };
    expect(await main(["list", "."], { ...io, stdout: closed, stderr: closed })).toBe(0);
  });

  test("a bug in skillset shows its stack", async () => {
    const cwd = temporaryFolder();
    const io = { cwd, home: cwd, env: {}, signal: new AbortController().signal, stdin: process.stdin };
    let printed = "";
    const stderr = {
      write(chunk: Uint8Array | string, done: () => void) {
        printed += Buffer.from(chunk as Uint8Array);
        done();
      },
    };
    const stdout = {
      write: () => {
        throw new TypeError("oops");
      },
    };
    expect(await main(["--version"], { ...io, stdout, stderr })).toBe(1);
    expect(printed).toMatch(/TypeError: oops\n\s+at /);
  });
});

describe("colour", () => {
  const coloured = async (env: Record<string, string>, isTTY: boolean) => {
    const cwd = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    return (await runCaptured(["list", "."], { cwd, env, isTTY })).stdout.includes("\u001b[");
  };

  test("is for terminals, unless NO_COLOR or FORCE_COLOR is set", async () => {
    expect(await coloured({}, true)).toBe(true);
    expect(await coloured({}, false)).toBe(false);
    expect(await coloured({ NO_COLOR: "1" }, true)).toBe(false);
    expect(await coloured({ TERM: "dumb" }, true)).toBe(false);
    expect(await coloured({ FORCE_COLOR: "1" }, false)).toBe(true);
    expect(await coloured({ FORCE_COLOR: "0" }, true)).toBe(false);
    expect(await coloured({ NO_COLOR: "" }, true)).toBe(true);
  });

  test.each(Object.keys(COMMANDS))("is disabled by --no-color in %s, whatever the environment says", async (name) => {
    const env = { FORCE_COLOR: "1" };
    const cwd = temporaryFolder({ "a/SKILL.md": skillMd("a") });
    const help = (...argv: string[]) => runCaptured([...argv, name, "--help"], { cwd, env, isTTY: true });
    expect((await help()).stdout).toContain("\u001b[1m");
    expect((await help("--no-color")).stdout).not.toContain("\u001b[");
    const { stderr } = await runCaptured([name, "--no-such-option", "--no-color"], { cwd, env, isTTY: true });
    expect(stderr).toMatch(/^'skillset/);
  });
});
