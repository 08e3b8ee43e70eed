import { standardFolders } from "skillset";
import { describe, expect, test } from "vitest";
import { HELP, parseCommandLine } from "./command-line.ts";

describe("the command line", () => {
  test("without options starts with the settings and the environment as they are", () => {
    expect(parseCommandLine([])).toEqual({ kind: "start", environment: {} });
  });

  test("options replace the environment and the settings", () => {
    const given = ["--port", "0", "--host=::1", "--config", "my.toml", "--data", "/data"];
    expect(parseCommandLine(given)).toEqual({
      kind: "start",
      config: "my.toml",
      host: "::1",
      environment: { PORT: "0", DATA_DIR: "/data" },
    });
  });

  test.each([
    [["--help"], "help"],
    [["-h", "--port", "many"], "help"],
    [["--version"], "version"],
    [["--print-config"], "settings"],
  ] as const)("%j prints and does not start", (given, what) => {
    expect(parseCommandLine(given)).toEqual({ kind: "print", what });
  });

  test.each([
    [["--prot", "1"], "Unknown option '--prot'."],
    [["./skills"], "Unexpected argument './skills'."],
    [["--port", "70000"], "--port must be an integer from 0 to 65535, not '70000'."],
    [["--port="], "--port must be an integer from 0 to 65535, not ''."],
    [["--data="], "--data needs a value."],
    [["--config"], "Option '--config <value>' argument missing."],
  ])("%j is refused in one line that names the help", (given, sentence) => {
    const help = "Run 'npx @skillset/chat --help' for the options.";
    expect(() => parseCommandLine(given)).toThrow(expect.objectContaining({ message: `${sentence} ${help}` }));
  });

  test("the help names every folder that is scanned by default", () => {
    const folders = standardFolders({ cwd: "/project", home: "/home" });
    const names = folders.map(({ path }) => path.replace("/home/", "~/").replace("/project/", ""));
    expect(HELP.split(/[\s,]+/)).toEqual(expect.arrayContaining(names));
  });

  test("the help fits a terminal of 120 columns", () => {
    expect(HELP.split("\n").filter((line) => line.length > 120)).toEqual([]);
  });
});
