import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { ALLOWED_TOOLS_POLICIES } from "../../core/allowed-tools/decide-call.ts";
import { RUNNERS_BY_STRENGTH, SANDBOXES } from "../../core/script/runner-names.ts";
import { readConfig } from "./config-file.ts";
import { findConfig } from "./find-config.ts";
import { RULE_HELP } from "./rule-help.ts";
import { levelsOf, RULES } from "./validate-config.ts";

function read(text: string) {
  return readConfig(join(temporaryFolder({ "skillset.json": text }), "skillset.json"));
}

describe("the skillset.json that is used", () => {
  test("is the nearest one, from the working directory up to the root of the repository", () => {
    const root = temporaryFolder({
      "skillset.json": "",
      "project/.git/HEAD": "",
      "project/skillset.json": "",
      "project/a/skillset.json": "",
      "project/a/b/README.md": "",
      "project/c/README.md": "",
      "other/.git/HEAD": "",
    });
    expect(findConfig(join(root, "project/a/b"))).toBe(join(root, "project/a/skillset.json"));
    expect(findConfig(join(root, "project/c"))).toBe(join(root, "project/skillset.json"));
    expect(findConfig(join(root, "other"))).toBeUndefined();
  });

  test("is only the working directory's outside a repository", () => {
    const root = temporaryFolder({ "skillset.json": "", "a/README.md": "" });
    expect(findConfig(root)).toBe(join(root, "skillset.json"));
    expect(findConfig(join(root, "a"))).toBeUndefined();
  });
});

describe("a skillset.json", () => {
  test("sets the level of rules and the number of warnings", () => {
    const { validate } = read(
      '{ "$schema": "x", "validate": { "rules": { "body-too-long": "off", "hidden-text": "error" }, "maxWarnings": 3 } }',
    );
    expect([...validate.rules]).toEqual([
      ["body-too-long", "off"],
      ["hidden-text", "error"],
    ]);
    expect(validate.maxWarnings).toBe(3);
  });

  test("may be empty", () => {
    expect([...read("{}").validate.rules]).toEqual([]);
  });

  test.each([
    ["{\n  validate: {}\n}", "2:3: Invalid JSON: a key in double quotes is missing: 'v' is here."],
    ["[]", "1:1: skillset.json must be an object."],
    ['{\n  "validat": {}\n}', "2:3: skillset.json has no key 'validat'; did you mean 'validate'?"],
    ['{ "validate": [] }', "1:15: 'validate' must be an object."],
    ['{ "validate": { "rule": {} } }', "1:17: 'validate' has no key 'rule'; did you mean 'rules'?"],
    [
      '{\n  "validate": {\n    "rules": {\n      "name-upercase": "off"\n    }\n  }\n}',
      "4:7: 'rules' has no rule 'name-upercase'; did you mean 'name-uppercase'?",
    ],
    ['{ "validate": { "rules": { "zzz": "off" } } }', "1:28: 'rules' has no rule 'zzz'."],
    [
      '{ "validate": { "rules": { "body-empty": "warn" } } }',
      "1:42: 'body-empty' must be one of 'off', 'info', 'warning', 'error'; did you mean 'warning'?",
    ],
    [
      '{ "validate": { "rules": { "body-empty": 0 } } }',
      "1:42: 'body-empty' must be one of 'off', 'info', 'warning', 'error'.",
    ],
    [
      '{ "validate": { "rules": { "description-missing": "off" } } }',
      "1:51: 'description-missing' cannot be 'off', because no agent can load such a skill. Use 'warning' or 'info'.",
    ],
    ['{ "validate": { "maxWarnings": -1 } }', "1:32: 'maxWarnings' must be a non-negative integer."],
    ['{ "validate": { "maxWarnings": "0" } }', "1:32: 'maxWarnings' must be a non-negative integer."],
    ['{ "profiles": [] }', "1:15: 'profiles' must be an object."],
    [
      '{ "profiles": { "a b": {} } }',
      "1:17: 'a b' is not a valid name of a profile. Use letters, digits, '.', '_' and '-'.",
    ],
    ['{ "profiles": { "a": { "enable": [] } } }', "1:24: The profile 'a' has no key 'enable'; did you mean 'enabled'?"],
    ['{ "profiles": { "a": { "enabled": "x" } } }', "1:35: 'enabled' must be an array of names."],
    ['{ "profiles": { "a": { "disabled": [1] } } }', "1:37: A name in 'disabled' must be a string."],
    ['{ "profiles": { "a": { "scripts": "on" } } }', "1:35: 'scripts' must be one of 'off'."],
    [
      '{ "profiles": { "a": { "scripts": { "minimum": "subprocess" } } } }',
      "1:48: 'minimum' must be one of 'embedded', 'sandbox-runtime', 'bubblewrap'.",
    ],
    [
      '{ "profiles": { "a": { "allowedTools": "enforced" } } }',
      "1:40: 'allowedTools' must be one of 'off', 'log', 'enforce'; did you mean 'enforce'?",
    ],
    ['{ "profiles": { "a": { "maxSkills": 1.5 } } }', "1:37: 'maxSkills' must be a non-negative integer."],
    ['{ "profiles": { "a": { "catalog": {} } } }', "1:35: 'catalog' must have either 'tokens' or 'characters'."],
    [
      '{ "profiles": { "a": { "pins": { "b": "newest" } } } }',
      '1:39: The pin of \'b\' must be a version range such as "^1.2", or a digest such as "sha256:…".',
    ],
    [
      '{ "profiles": { "review": {} }, "defaultProfile": "revew" }',
      "1:51: This file has no profile 'revew'; did you mean 'review'?",
    ],
  ])("with a mistake names its place: %j", (text, message) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({
        code: "config-invalid",
        message: expect.stringMatching(/skillset\.json:\d/),
      }),
    );
    expect(() => read(text)).toThrow(`skillset.json:${message}`);
  });

  test("that does not exist is an error with its path", () => {
    expect(() => readConfig("/nowhere/skillset.json")).toThrow("'/nowhere/skillset.json' cannot be read (ENOENT).");
  });
});

describe("skillset.schema.json", () => {
  const schema = JSON.parse(readFileSync(new URL("../../../skillset.schema.json", import.meta.url), "utf8"));

  test("has every problem code, with its help and its levels, and every policy and runner", () => {
    const rules = Object.fromEntries(
      RULES.map((rule) => [
        rule,
        { $ref: levelsOf(rule).includes("off") ? "#/$defs/level" : "#/$defs/severity", description: RULE_HELP[rule] },
      ]),
    );
    expect(schema.properties.validate.properties.rules.properties).toEqual(rules);
    expect(schema.$defs.level.enum).toEqual(levelsOf("body-empty"));
    expect(schema.$defs.severity.enum).toEqual(levelsOf("description-missing"));
    expect(schema.$defs.profile.properties.allowedTools.enum).toEqual(ALLOWED_TOOLS_POLICIES);
    const { runner, minimum } = schema.$defs.profile.properties.scripts.oneOf[1].properties;
    expect(runner.enum).toEqual(RUNNERS_BY_STRENGTH);
    expect(minimum.enum).toEqual(SANDBOXES);
    const codes = readFileSync(new URL("../../core/base/problem.ts", import.meta.url), "utf8");
    expect(RULES.toSorted()).toEqual([...codes.matchAll(/^ {2}\| "([a-z0-9-]+)"/gm)].map(([, code]) => code).sort());
  });

  test.each([
    [{}, true],
    [{ $schema: "x", validate: { rules: { "body-empty": "off", "nul-byte": "info" }, maxWarnings: 0 } }, true],
    [{ validat: {} }, false],
    [{ validate: { rules: { "no-such-rule": "off" } } }, false],
    [{ validate: { rules: { "nul-byte": "off" } } }, false],
    [{ validate: { maxWarnings: 0.5 } }, false],
    [{ validate: { ignore: ["test/fixtures"] } }, true],
    [{ validate: { ignore: "test/fixtures" } }, false],
    [{ profiles: { a: {} }, defaultProfile: "a" }, true],
    [
      {
        profiles: {
          a: {
            enabled: ["x-*"],
            disabled: [],
            pins: { x: "^1" },
            scripts: { runner: "auto", minimum: "bubblewrap" },
            allowedTools: "enforce",
            maxSkills: 3,
            catalog: { tokens: 100 },
          },
          b: { scripts: "off", catalog: { characters: 1 } },
          c: { catalog: { pins: ["x"] } },
          d: { catalog: { tokens: 1, pins: ["x"] } },
        },
      },
      true,
    ],
    [{ profiles: [] }, false],
    [{ profiles: { "a/b": {} } }, false],
    [{ profiles: { a: { enable: [] } } }, false],
    [{ profiles: { a: { enabled: "x" } } }, false],
    [{ profiles: { a: { enabled: [""] } } }, false],
    [{ profiles: { a: { pins: { x: 1 } } } }, false],
    [{ profiles: { a: { scripts: "on" } } }, false],
    [{ profiles: { a: { scripts: { runner: "docker" } } } }, false],
    [{ profiles: { a: { scripts: { minimum: "subprocess" } } } }, false],
    [{ profiles: { a: { allowedTools: "on" } } }, false],
    [{ profiles: { a: { maxSkills: -1 } } }, false],
    [{ profiles: { a: { catalog: { tokens: 1, characters: 1 } } } }, false],
    [{ profiles: { a: { catalog: {} } } }, false],
    [{ profiles: { a: { catalog: { pins: "x" } } } }, false],
    [{ defaultProfile: 1 }, false],
  ])("and the reader agree on %j", (config, isValid) => {
    expect(new Validator(schema, "2020-12").validate(config).valid).toBe(isValid);
    const reading = expect(() => read(JSON.stringify(config)));
    if (isValid) reading.not.toThrow();
    else reading.toThrow();
  });
});
