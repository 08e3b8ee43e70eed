import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { runCaptured } from "./run-captured.ts";
import { printableJson } from "./terminal/printable.ts";

const HOSTILE = "\u009B31m\u202Egnp\u2066\u200B\u{E0041}\u2028";
/** Characters that could control or deceive a terminal. */
const UNSAFE = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u;

const commands = [
  "list s",
  "validate s",
  "validate s --strict",
  "doctor s",
  "doctor s --fix --yes",
  "show a s",
  "show a s --file FILE",
  "install s --agent claude",
  "trust",
  "trust --dry-run",
];

test.each(commands)("'skillset %s --json' prints no character that controls a terminal", async (command) => {
  const spell = (one: string) => `\\U${one.codePointAt(0)?.toString(16).padStart(8, "0")}`;
  const spelt = `"${Array.from(HOSTILE, spell).join("")}"`;
  const text = `---\nname: a\ndescription: A.\ncompatibility: ${spelt}\nmetadata:\n  x: ${spelt}\n---\n\n${HOSTILE}\n`;
  const skill = { "SKILL.md": text, [`x${HOSTILE}.md`]: HOSTILE };
  const places = ["s/a", ".agents/skills/a", `.agents/skills/b${HOSTILE}`];
  const cwd = temporaryFolder(
    Object.fromEntries(
      places.flatMap((place) => Object.entries(skill).map(([path, content]) => [`${place}/${path}`, content])),
    ),
  );
  vi.stubEnv("SKILLSET_CONFIG_HOME", join(cwd, "config"));
  const { stdout } = await runCaptured([...command.replace("FILE", `x${HOSTILE}.md`).split(" "), "--json"], {
    cwd,
    isTTY: true,
  });
  expect(UNSAFE.exec(stdout)).toBeNull();
  // It is still JSON, and its values contain the characters.
  expect(JSON.stringify(JSON.parse(stdout))).toMatch(/^\{/);
  if (/^(?:list|show|trust)/.test(command)) expect(JSON.stringify(JSON.parse(stdout))).toContain("\u202E");
});

test.each([undefined, 2])("a parsed value is unchanged (indent %s)", (indent) => {
  const all = Array.from({ length: 0x10ffff / 7 }, (_, index) => String.fromCodePoint(index * 7)).join("");
  const value = { [all]: [all, "plain", 1, null, "👩\u200D👧 é"] };
  const json = printableJson(value, indent);
  expect(JSON.parse(json)).toEqual(value);
  expect(UNSAFE.test(json)).toBe(false);
});
