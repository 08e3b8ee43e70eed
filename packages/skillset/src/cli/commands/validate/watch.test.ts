import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { skillMd, temporaryFolder, writeFiles } from "../../../../../../test/temporary-folder.ts";
import { main } from "../../main.ts";
import { runCaptured } from "../../run-captured.ts";
import type { Io, Output } from "../../terminal/io.ts";

/** Starts `skillset validate --watch`, with a function that waits for its output. */
function start(cwd: string, ...argv: string[]) {
  let [stdout, stderr] = ["", ""];
  const output = (take: (text: string) => void): Output => ({
    write(chunk, done) {
      take(typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk));
      done();
    },
  });
  const controller = new AbortController();
  const io = { cwd, home: cwd, env: {}, signal: controller.signal };
  const ended = main(["validate", ...argv, "--watch"], {
    ...io,
    stdout: output((text) => {
      stdout += text;
    }),
    stderr: output((text) => {
      stderr += text;
    }),
  } as Io);
  onTestFinished(() => controller.abort());
  return {
    /** Waits for a text, and discards the output up to now. */
    async sees(text: string) {
      await vi.waitFor(() => expect(stdout + stderr).toContain(text), { timeout: 20_000 });
      const seen = stdout;
      [stdout, stderr] = ["", ""];
      return seen;
    },
    end() {
      controller.abort();
      return ended;
    },
  };
}

test("skills are checked again when one of their files changes, and each result has a time", async () => {
  const cwd = temporaryFolder({ "s/a/SKILL.md": skillMd("a", undefined, "[x](references/x.md)") });
  const watch = start(cwd, "s");
  const first = await watch.sees("Waiting for changes. Ctrl-C ends it.");
  expect(first).toMatch(/^\d\d:\d\d:\d\d\n/);
  expect(first).toContain("1 valid skill; 1 warning.");
  writeFiles(cwd, { "s/a/references/x.md": "x" });
  expect(await watch.sees("1 valid skill.\n")).toMatch(/^\d\d:\d\d:\d\d\n/);
  writeFiles(cwd, { "s/b/SKILL.md": "---\nname: b\n---\n" });
  await watch.sees("1 of 2 skills is invalid (b)");
  rmSync(join(cwd, "s/b"), { recursive: true });
  await watch.sees("1 valid skill.\n");
  expect(await watch.end()).toBe(0);
});

test("nothing on the terminal is cleared", async () => {
  const cwd = temporaryFolder({ "s/a/SKILL.md": skillMd("a") });
  const watch = start(cwd, "s");
  expect(await watch.sees("Waiting")).not.toContain("\u001b");
  await watch.end();
});

test("a changed skillset.json is used, and a broken one is reported until it is repaired", async () => {
  const rules = (level: string) => JSON.stringify({ validate: { rules: { "reference-missing": level } } });
  const cwd = temporaryFolder({
    "s/a/SKILL.md": skillMd("a", undefined, "[x](x.md)"),
    "skillset.json": rules("off"),
  });
  const watch = start(cwd, "s");
  await watch.sees("Waiting");
  writeFiles(cwd, { "skillset.json": rules("erro") });
  await watch.sees("skillset.json:1:43: 'reference-missing' must be one of");
  writeFiles(cwd, { "skillset.json": rules("error") });
  await watch.sees("1 of 1 skill is invalid (a)");
  await watch.end();
});

test("a skillset.json that is added is used", async () => {
  const cwd = temporaryFolder({ "s/a/SKILL.md": skillMd("a", undefined, "[x](x.md)") });
  const watch = start(cwd, "s");
  await watch.sees("Waiting");
  writeFiles(cwd, { "skillset.json": '{ "validate": { "rules": { "reference-missing": "error" } } }' });
  await watch.sees("1 of 1 skill is invalid (a)");
  await watch.end();
});

test("the target of a linked skill is watched", async () => {
  const cwd = temporaryFolder({ "s/README.md": "", "elsewhere/a/SKILL.md": skillMd("a") });
  symlinkSync("../elsewhere/a", join(cwd, "s/a"));
  const watch = start(cwd, "s");
  await watch.sees("Waiting");
  writeFiles(cwd, { "elsewhere/a/SKILL.md": "---\nname: a\n---\n" });
  await watch.sees("1 of 1 skill is invalid (a)");
  await watch.end();
});

test("a path that does not exist yet is reported, and checked when it exists", async () => {
  const cwd = temporaryFolder();
  const watch = start(cwd, "later");
  await watch.sees("Waiting");
  writeFiles(cwd, { "later/a/SKILL.md": skillMd("a") });
  await watch.sees("1 valid skill.\n");
  await watch.end();
});

test("--watch refuses formats other than text", async () => {
  const cwd = temporaryFolder({ "s/a/SKILL.md": skillMd("a") });
  const { code, stderr } = await runCaptured(["validate", "s", "--watch", "--json"], { cwd });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "'--watch' prints text only; remove '--format' or '--json'.\n",
  });
});
