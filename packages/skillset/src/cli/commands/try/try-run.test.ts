import { PassThrough } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { skillMd, temporaryFolder } from "../../../../../../test/temporary-folder.ts";
import { createSkillset } from "../../../node/load/create-skillset.ts";
import { main } from "../../main.ts";
import { runCaptured } from "../../run-captured.ts";
import { completeLine } from "./try-complete.ts";

const FILES = {
  "s/tea/SKILL.md": skillMd("tea", "Makes tea."),
  "s/tea/scripts/brew.sh": 'echo "$# <$2>"; cat; echo hot > "$OUTPUT_DIR/cup.txt"\n',
  "s/tea/scripts/fail.sh": "echo empty >&2; exit 3\n",
  "s/tea/scripts/wait.sh": 'echo "pid $$"; sleep 60\n',
};
const SUBPROCESS = ["--scripts", "subprocess"];

async function replay(argv: readonly string[], ...lines: readonly string[]) {
  return runCaptured(["try", "s", ...argv], { cwd: temporaryFolder(FILES), answer: lines.join("\n"), isTTY: false });
}

describe("a replay", () => {
  test("runs scripts with --yes, and reads what they wrote", async () => {
    const { code, stdout, stderr } = await replay(
      [...SUBPROCESS, "--yes"],
      "prompt",
      "run tea scripts/brew.sh green 'a b'",
      'run tea scripts/brew.sh {"args": ["x"], "input": {"cups": 2}}',
      "read tea $OUTPUT_DIR/cup.txt",
      "run tea scripts/fail.sh",
      "ledger",
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Run a skill's scripts with `run_skill_script`");
    expect(stdout).toContain("<stdout>\n2 <a b>\n</stdout>");
    expect(stdout).toContain('<stdout>\n1 <>\n{"cups":2}\n</stdout>');
    expect(stdout).toMatch(/> read tea \$OUTPUT_DIR\/cup\.txt\nhot\n/);
    expect(stdout).toMatch(
      /scripts\/fail\.sh failed with exit code 3 after \d+ ms \(no sandbox\)\.\n\n<stderr>\nempty/,
    );
    expect(stdout.match(/^script-consent /gm)).toHaveLength(1);
    expect(stdout.match(/^script-run /gm)).toHaveLength(3);
  });

  test("without --yes names the flag, and does not take the next line as the answer", async () => {
    const { code, stdout } = await replay(SUBPROCESS, "! run tea scripts/brew.sh", "active");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /> ! run .*\nThe scripts of skill 'tea' need consent, .* Add --yes to allow them\.\n> active\n/,
    );
  });

  test("has no scripts by default", async () => {
    const { code, stdout } = await replay([], "prompt", "! run tea scripts/brew.sh");
    expect(code).toBe(0);
    expect(stdout).not.toContain("run_skill_script");
    expect(stdout).toContain("Scripts are disabled. Add --scripts auto to run them.");
  });

  test.each([
    ["run tea", "Usage: run NAME SCRIPT"],
    ["run tea scripts/none.sh", "Skill 'tea' has no script 'scripts/none.sh'."],
    ["run tea scripts/brew.sh 'a", "The arguments have an unclosed quote."],
    ["run tea scripts/brew.sh {", /^The arguments are not JSON: /m],
    ["run te scripts/brew.sh", "Unknown skill 'te'. Available: tea."],
  ])("%s fails with a readable message", async (line, sentence) => {
    const { code, stdout } = await replay([...SUBPROCESS, "--yes"], `! ${line}`);
    expect(code).toBe(0);
    expect(stdout).toEqual(
      typeof sentence === "string" ? `> ! ${line}\n${sentence}\n` : expect.stringMatching(sentence),
    );
  });
});

test("completion of run lists the skill's scripts", async () => {
  const session = await (await createSkillset("s", { cwd: temporaryFolder(FILES) })).session();
  expect(await completeLine("run tea scripts/b", session)).toEqual([["scripts/brew.sh "], "scripts/b"]);
});

/** A terminal to type at. */
function openTerminal(...argv: string[]) {
  const cwd = temporaryFolder(FILES);
  let text = "";
  const write = (chunk: Uint8Array | string, done: () => void): void => {
    text += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    done();
  };
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const output = { write, isTTY: true };
  const signal = new AbortController().signal;
  const io = { cwd, home: cwd, env: { NO_COLOR: "1" }, signal, stdin, stdout: output, stderr: output };
  const ended = main(["try", "s", ...argv], io);
  return { stdin, ended, shows: (part: string) => vi.waitFor(() => expect(text).toContain(part), { timeout: 10_000 }) };
}

describe("at a terminal", () => {
  test("the user is asked before each run, and sees the output", async () => {
    const { stdin, ended, shows } = openTerminal(...SUBPROCESS);
    await shows("Tab completes");
    stdin.write("run tea scripts/brew.sh green\r");
    await shows("Run it? [y/N]");
    await shows("no sandbox. The script can do everything that you can do.");
    stdin.write("n\r");
    await shows("You did not allow the scripts of skill 'tea'.");
    stdin.write('run tea scripts/brew.sh {"args": ["black"], "files": {"list.txt": "hot"}}\r');
    await shows('Script   scripts/brew.sh "black"');
    await shows('File     list.txt "hot"');
    stdin.write("y\r");
    await shows("scripts/brew.sh succeeded");
    stdin.write("exit\r");
    expect(await ended).toBe(0);
  });

  test("Ctrl-C ends the script and the session", async () => {
    const { stdin, ended, shows } = openTerminal(...SUBPROCESS, "--yes");
    await shows("Tab completes");
    stdin.write("run tea scripts/wait.sh\r");
    await shows("pid ");
    stdin.write("\u0003");
    expect(await ended).toBe(130);
  });
});
