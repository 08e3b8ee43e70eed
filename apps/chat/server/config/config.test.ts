import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { parseConfig, readConfig } from "./config.ts";
import { ConfigTable } from "./config-table.ts";
import { StartError } from "./start-error.ts";

const SETTINGS_FILE = fileURLToPath(new URL("../../config.toml", import.meta.url));
const parse = (text: string, environment = {}) => parseConfig(text, "/project/config.toml", environment);

test("without the section, or with enabled = false, skills are disabled", () => {
  expect(parse("").skills).toBeNull();
  expect(parse("[app]").skills).toBeNull();
  expect(parse("[app.skills]").skills).toBeNull();
  expect(parse("[app.skills]\nenabled = false\ndirectories = ['x']").skills).toBeNull();
});

test("an empty section uses the defaults", () => {
  expect(parse("[app.skills]\nenabled = true").skills).toMatchObject({
    directories: [],
    parentFolders: false,
    policy: "standard",
    scanDepth: 1,
    maxSkills: 200,
    maxCatalogTokens: 8_000,
    catalogPins: [],
    maxSkillMdBytes: 200_000,
    maxResourceBytes: 2_000_000,
    allowedTools: "enforce",
    triggers: "off",
    suggest: false,
    profile: undefined,
    scripts: "off",
    scriptSeconds: 60,
    scriptMemoryMb: 512,
    consentSeconds: 300,
    scriptFilesDays: 30,
  });
});

describe("an invalid setting is refused with its line and the allowed values", () => {
  test.each([
    [
      "[app.skills]\n\nmax_skills = 0",
      "/project/config.toml:3: 'app.skills.max_skills' must be an integer from 1 to 10000, not 0.",
    ],
    [
      "[app.skills]\nmax_skill_md_bytes = 99999999",
      "/project/config.toml:2: 'app.skills.max_skill_md_bytes' must be an integer from 1000 to 1048576, not 99999999.",
    ],
    [
      "[app]\nskills.max_resource_bytes = 1.5",
      "/project/config.toml:2: 'app.skills.max_resource_bytes' must be an integer from 1000 to 16777216, not 1.5.",
    ],
    [
      "[app.skills]\nenabled = 'yes'",
      "/project/config.toml:2: 'app.skills.enabled' must be true or false, not \"yes\".",
    ],
    [
      "[app.skills]\ndirectories = [\n  './x',\n  7,\n]",
      "/project/config.toml:2: 'app.skills.directories' must be a list of non-empty strings, not [\"./x\",7].",
    ],
    [
      "[app.skills]\npolicy = 'strict'",
      '/project/config.toml:2: \'app.skills.policy\' must be "standard" or "lenient", not "strict".',
    ],
    [
      "[app.skills]\nscan_depth = 7",
      "/project/config.toml:2: 'app.skills.scan_depth' must be an integer from 1 to 6, not 7.",
    ],
    [
      "[app.skills]\nscripts = true",
      '/project/config.toml:2: \'app.skills.scripts\' must be "off" or "auto" or "bubblewrap" or "sandbox-runtime" or "embedded" or "subprocess", not true.',
    ],
    [
      "[app.skills]\nallowed_tools = 'deny'",
      '/project/config.toml:2: \'app.skills.allowed_tools\' must be "enforce" or "log" or "off", not "deny".',
    ],
    [
      "[app.skills]\ntriggers = 'on'",
      '/project/config.toml:2: \'app.skills.triggers\' must be "off" or "suggest" or "activate", not "on".',
    ],
    [
      "[app.skills]\nprofile = ''",
      "/project/config.toml:2: 'app.skills.profile' must be a non-empty string, not \"\".",
    ],
    ["[models]\nmax_steps = 0", "/project/config.toml:2: 'models.max_steps' must be an integer from 1 to 1000, not 0."],
    ["[server]\nport = 70000", "/project/config.toml:2: 'server.port' must be an integer from 0 to 65535, not 70000."],
    [
      "[server]\ntrusted_proxies = ['10.0.0.0/8', 'proxy']",
      "/project/config.toml:2: 'server.trusted_proxies' must be a list of IP addresses or networks, such as '10.0.0.0/8', not [\"10.0.0.0/8\",\"proxy\"].",
    ],
    [
      "[limits]\n\nrequests_per_minute = 0",
      "/project/config.toml:3: 'limits.requests_per_minute' must be an integer from 1 to 10000000, not 0.",
    ],
    [
      "[limits]\nanswers_at_once = 'many'",
      "/project/config.toml:2: 'limits.answers_at_once' must be an integer from 1 to 100000, not \"many\".",
    ],
    ["server = 3", "/project/config.toml:1: 'server' must be a table, not 3."],
    [
      "[[models.openai_compatible]]\nname = 'a'\nbase_url = 'http://x'\n[[models.openai_compatible]]\nname = 'b'\nbase_url = 'x'",
      "/project/config.toml:6: 'models.openai_compatible.base_url' must be a URL that starts with http:// or https://, not \"x\".",
    ],
    [
      "[[models.openai_compatible]]\nbase_url = 'http://x'",
      "/project/config.toml:1: 'models.openai_compatible.name' is missing.",
    ],
    [
      "[database]\nbin_days = -1",
      "/project/config.toml:2: 'database.bin_days' must be an integer from 0 to 3650, not -1.",
    ],
    ["[server]\nport = ", "/project/config.toml:2:8: invalid TOML"],
  ])("%j", (text, sentence) => {
    expect(() => parse(text)).toThrow(sentence);
  });

  test("all mistakes are reported at once, with suggestions for misspelled keys", () => {
    const text =
      "[server]\nport = 'x'\nhots = 'a'\n\n[app.skills]\nenabled = 1\nmax_skills = 0\n[[models.openai_compatible]]\nbase_url = 'x'";
    const mistakes = [
      "2: 'server.port' must be an integer from 0 to 65535, not \"x\".",
      "8: 'models.openai_compatible.name' is missing.",
      "9: 'models.openai_compatible.base_url' must be a URL that starts with http:// or https://, not \"x\".",
      "6: 'app.skills.enabled' must be true or false, not 1.",
      "7: 'app.skills.max_skills' must be an integer from 1 to 10000, not 0.",
      "3: 'server.hots' is not a known setting. Did you mean 'host'?",
    ];
    expect(() => parse(text)).toThrow(
      new StartError(mistakes.map((line) => `/project/config.toml:${line}`).join("\n")),
    );
  });

  test("a missing file and an invalid PORT in the environment are refused", () => {
    expect(() => readConfig("/nowhere/config.toml")).toThrow("/nowhere/config.toml cannot be read (ENOENT).");
    expect(() => parse("", { PORT: "http" })).toThrow("PORT in the environment must be an integer");
  });
});

test("unknown keys cause warnings with their lines, and nothing else", () => {
  const { warnings } = parse(
    "[server]\nport = 1\nprot = 2\n\n[app.skills]\nenabled = true\nmax_skils = 3\n[apps]\nx = 1",
  );
  expect(warnings).toEqual([
    "/project/config.toml:8: 'apps' is not a known setting. Did you mean 'app'?",
    "/project/config.toml:3: 'server.prot' is not a known setting. Did you mean 'port'?",
    "/project/config.toml:7: 'app.skills.max_skils' is not a known setting. Did you mean 'max_skills'?",
  ]);
});

test("attachments are enabled by default, with limits that can be changed", () => {
  const MB = 1024 * 1024;
  expect(parse("").attachments).toEqual({ maxFiles: 10, maxBytes: 20 * MB, totalBytes: 2_000 * MB });
  const changed = parse("[app.attachments]\nmax_files = 1\nmax_mb = 2\ntotal_mb = 3").attachments;
  expect(changed).toEqual({ maxFiles: 1, maxBytes: 2 * MB, totalBytes: 3 * MB });
  expect(parse("[app.attachments]\nenabled = false").attachments).toBeNull();
});

test("the bin keeps things for 30 days by default, and can be disabled", () => {
  expect(parse("").database.binDays).toBe(30);
  expect(parse("[database]\nbin_days = 0").database.binDays).toBe(0);
});

test("the environment overrides the file", () => {
  const text = "[server]\nport = 1\n[database]\nurl = 'postgres://a/b'\nfolder = 'data'";
  expect(parse(text).database).toMatchObject({ url: "postgres://a/b", folder: "/project/data" });
  const { server, database } = parse(text, { PORT: "0", DATABASE_URL: "postgres://c/d", DATA_DIR: "/elsewhere" });
  expect(server.port).toBe(0);
  expect(database).toMatchObject({ url: "postgres://c/d", folder: "/elsewhere" });
});

test("relative paths are resolved from the root of the repository or workspace", () => {
  const folder = temporaryFolder({
    "package.json": '{"workspaces":["apps/*"]}',
    "apps/chat/package.json": "{}",
    "apps/chat/config.toml": "",
  });
  expect(readConfig(`${folder}/apps/chat/config.toml`).projectRoot).toBe(folder);
});

test("the default settings file describes every setting", () => {
  const readers = Object.getOwnPropertyNames(ConfigTable.prototype).filter((name) => name !== "constructor");
  const spies = readers.map((reader) => vi.spyOn(ConfigTable.prototype, reader as "text"));
  onTestFinished(() => void vi.restoreAllMocks());
  const model = `{ id = "m", price = { input = 1, output = 1 } }`;
  parse(`app.skills = {}\nmodels.openai_compatible = [{ name = "a", base_url = "http://b", models = [${model}] }]`);
  const declared = new Set(spies.flatMap(({ mock }) => mock.calls.flatMap(([key]) => key ?? [])));
  const found = readFileSync(SETTINGS_FILE, "utf8").matchAll(/(\w+)(?= = |\]+$)/gm);
  const described = new Set(Array.from(found, ([key]) => key));
  expect(declared.size).toBeGreaterThan(50);
  expect([...declared].filter((key) => !described.has(key))).toEqual(["app"]);
});

test("the default settings file is valid and enables skills and scripts", () => {
  const config = readConfig(SETTINGS_FILE);
  expect(config.warnings).toEqual([]);
  expect(config.server).toEqual(parse("").server);
  expect(config.limits).toEqual(parse("").limits);
  expect(config.skills).toMatchObject({ scripts: "auto", allowedTools: "enforce", triggers: "off" });
  expect(config.skills?.directories).toEqual([
    "./.skills",
    "./packages/skillset/skills",
    "~/.agents/skills",
    "~/.skillset/skills",
  ]);
  expect(config.projectRoot).toBe(fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, ""));
  expect(config.projectRoot).not.toBe(homedir());
});

test("a model can have a price per million tokens, and mistakes in it are named", () => {
  const text = (price: string) => `[models]\nanthropic = [{ id = "m", price = ${price} }]`;
  expect(
    parseConfig(text("{ input = 3, output = 15.5, cached = 0.3 }"), "c.toml").models.anthropic?.[0]?.price,
  ).toEqual({
    input: 3,
    output: 15.5,
    cached: 0.3,
  });
  expect(() => parseConfig(text('{ input = -1, cached = "free" }'), "c.toml")).toThrow(
    /'models\.anthropic\.price\.input' must be a number from 0 to 100000, not -1\.[\s\S]*'models\.anthropic\.price\.output' is missing\.[\s\S]*'models\.anthropic\.price\.cached' must be a number/,
  );
});
