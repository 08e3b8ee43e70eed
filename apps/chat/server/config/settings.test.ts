import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { parseConfig } from "./config.ts";
import { defaultSettings, hasSettings } from "./settings.ts";

test("the default settings have the skills of any folder, and all other values of the settings file", () => {
  const { file, text } = defaultSettings();
  const config = parseConfig(text, file, {}, { root: "/any" });
  expect(config.warnings).toEqual([]);
  expect(config.skills).toMatchObject({ directories: [], parentFolders: true, scripts: "auto" });
  expect(config.projectRoot).toBe("/any");
  expect(config.database.folder).toBe("/any/.skillset/chat");
});

test("the command line replaces the host, and mistakes in the file are still reported", () => {
  const parse = (text: string) => parseConfig(text, "/any/config.toml", {}, { host: "::1" });
  expect(parse("[server]\nhost = 'example.com'").server.host).toBe("::1");
  expect(() => parse("[server]\nhost = 1")).toThrow("/any/config.toml:2: 'server.host'");
});

describe("config.toml in the folder of the start", () => {
  test.each(["server", "limits", "database", "models", "admin", "app.skills"])(
    "has settings if it has [%s]",
    (table) => {
      expect(hasSettings(temporaryFolder({ "config.toml": `[${table}]\n` }))).toBe(true);
    },
  );

  test.each([
    "",
    'baseURL = "https://example.org/"\n[params]\nx = 1\n',
    "[server]\nport = \n",
    `[server]\n# ${"x".repeat(1_000_000)}`,
  ])("has no settings if it is empty, another program's, not TOML or too large (%#)", (text) => {
    expect(hasSettings(temporaryFolder({ "config.toml": text }))).toBe(false);
  });

  test("has no settings if it is missing or not a file", () => {
    expect(hasSettings(temporaryFolder())).toBe(false);
    expect(hasSettings(temporaryFolder({ "config.toml/server": "" }))).toBe(false);
    const withPipe = temporaryFolder();
    if (process.platform !== "win32") execFileSync("mkfifo", [`${withPipe}/config.toml`]);
    expect(hasSettings(withPipe)).toBe(false);
  });
});
