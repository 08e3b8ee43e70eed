import { describe, expect, test } from "vitest";
import { readSkillMd } from "./parse.ts";
import { resolvePolicy } from "./policy.ts";
import { readRequirements } from "./requirements.ts";

function read(lines: string) {
  const text = `---\nname: a\ndescription: Does a.\nmetadata:\n${lines.replace(/^/gm, "  ")}\n---\nDo it.\n`;
  const { manifest, problems } = readSkillMd(text, { policy: resolvePolicy({ policy: "lenient" }), folder: "a" });
  return { found: readRequirements(manifest?.metadata ?? {}).map(({ kind, name }) => `${kind}:${name}`), problems };
}

describe("the requirements of a skill", () => {
  test("are text with commas or spaces between names", () => {
    const { found, problems } = read(
      'requires: git, pdftotext jq\nos: linux, Darwin\nnode: ">=22"\npython: ">=3.10,<4"\n' +
        'packages: "numpy npm:@scope/sharp>=0.33"\nenv: GITHUB_TOKEN\nrequires-skills: pdf-forms',
    );
    expect(problems).toEqual([]);
    expect(found).toEqual([
      "command:git",
      "command:pdftotext",
      "command:jq",
      "os:linux or macos",
      "node:>=22",
      "python:>=3.10,<4",
      "package:numpy",
      "package:@scope/sharp",
      "env:GITHUB_TOKEN",
      "skill:pdf-forms",
    ]);
  });

  test("may be lists and numbers, each with a problem", () => {
    const { found, problems } = read("requires: [git, jq]\nenv:\n  - TOKEN\nnode: 22\nos: null");
    expect(found).toEqual(["command:git", "command:jq", "node:22", "env:TOKEN"]);
    expect(problems.map(({ code }) => code)).toEqual(Array(4).fill("metadata-value-not-a-string"));
  });

  test.each(["PATH", "home", "LD_PRELOAD", "NODE_OPTIONS", "PYTHONPATH", "BASH_ENV", "OUTPUT_DIR", "DENO_DIR"])(
    "cannot be the variable %s, which changes how programs start",
    (name) => {
      const { found, problems } = read(`env: TOKEN, ${name}`);
      expect(found).toEqual(["env:TOKEN"]);
      const message = `'env': '${name}' cannot be required, because it changes how programs start.`;
      expect(problems).toMatchObject([{ code: "requirement-invalid", message, severity: "warning" }]);
    },
  );

  test.each([
    ["requires: /usr/bin/git", "'requires': '/usr/bin/git' is not the name of a command."],
    ["requires: ../x", "'requires': '../x' is not the name of a command."],
    ["os: linus", "'os': 'linus' is not a known system."],
    ["python: 3.10 or later", "'python': '3.10 or later' is not a range of versions."],
    ["node: latest", "'node': 'latest' is not a range of versions."],
    ["packages: gem:rails", "'packages': 'gem:rails' is not a package."],
    ["packages: npm:../../etc", "'packages': 'npm:../../etc' is not a package."],
    ["packages: npm:a..b", "'packages': 'npm:a..b' is not a package."],
    ['packages: "numpy>=latest"', "'packages': 'numpy>=latest' is not a package."],
    ["env: A=1", "'env': 'A=1' is not the name of an environment variable."],
    ['requires-skills: "a\\e[31m"', "'requires-skills': 'a\x1b[31m' is not the name of a skill."],
    ["requires: { bins: git }", "'requires' must be the name of a command, as text."],
  ])("that are malformed are a problem with a line, and are not checked: %s", (line, message) => {
    const { found, problems } = read(`author: Ada\n${line}`);
    expect(found).toEqual([]);
    const [problem] = problems.filter(({ code }) => code === "requirement-invalid");
    expect(problem).toMatchObject({ message, severity: "warning", line: 6, fix: expect.stringMatching(/^Write /) });
  });

  test("that are well-formed count beside malformed ones", () => {
    expect(read("requires: git /bin/sh").found).toEqual(["command:git"]);
  });

  test("are at most 32 a field", () => {
    const { found, problems } = read(`env: ${Array.from({ length: 40 }, (_, index) => `V${index}`).join(" ")}`);
    expect(found).toHaveLength(32);
    expect(problems[0]?.message).toBe("'env' has 40 items. Only the first 32 are checked.");
  });
});
