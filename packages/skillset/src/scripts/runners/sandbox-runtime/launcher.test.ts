import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { launcherText } from "./launcher.ts";

const base = { PATH: "/usr/bin:/bin", TMPDIR: "/tmp/own" };

/** Starts a launcher with the variables of a script and others. */
function launch(args: readonly string[], { hasNetwork = false, added = {} } = {}) {
  const command = ["/bin/sh", "-c", 'for arg in "$@"; do printf "<%s>\\n" "$arg"; done; env', "sh", ...args];
  const { stdout, output } = spawnSync("/bin/sh", ["-c", launcherText({ command, env: base, hasNetwork })], {
    env: { ...base, ...added },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
  const names = stdout.split("\n").flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
  return { stdout, started: output[3], names: names.filter((name) => !/^(?:PWD|OLDPWD|SHLVL|_)$/.test(name)).sort() };
}

describe("the launcher", () => {
  test("passes arguments unchanged, and reports that it runs", () => {
    const { stdout, started } = launch(["it's", "$(echo no)", "`a`", 'a "b" \\', "", "*"]);
    expect(stdout).toMatch(/^<it's>\n<\$\(echo no\)>\n<`a`>\n<a "b" \\>\n<>\n<\*>\n/);
    expect(started).toBe("started\n");
  });

  test("is not written for an argument with a NUL character", () => {
    expect(() => launcherText({ command: ["/bin/echo", "a\0b"], env: {} })).toThrow("NUL");
  });

  test("can set the variables itself, whatever their values are", () => {
    const env = { ...base, KEY: "two\nlines 'quoted' $(no)", "no-name": "x" };
    const text = launcherText({ command: ["/bin/sh", "-c", 'printf %s "$KEY"'], env, setsVariables: true });
    const { stdout, stderr } = spawnSync("/bin/sh", ["-c", text], { env: { PATH: base.PATH }, encoding: "utf8" });
    expect([stdout, stderr]).toEqual([env.KEY, ""]);
  });

  test("removes variables that are not the script's", () => {
    const added = { SANDBOX_RUNTIME: "1", TMPDIR: "/tmp/claude", HTTP_PROXY: "http://a:b@localhost:3128", X: "a\nY=b" };
    const { names, stdout } = launch([], { added });
    expect(names).toEqual(["PATH", "TMPDIR"]);
    expect(stdout).toContain("TMPDIR=/tmp/own\n");
  });

  test("keeps the proxy of a script with a network, by its address", () => {
    const added = { SANDBOX_RUNTIME: "1", HTTP_PROXY: "http://a:b@localhost:3128", no_proxy: "localhost,10.0.0.0/8" };
    const { stdout, names } = launch([], { added, hasNetwork: true });
    expect(stdout).toContain("\nhttps_proxy=http://a:b@127.0.0.1:3128\n");
    expect(stdout).toContain("\nno_proxy=\n");
    expect(names).not.toContain("SANDBOX_RUNTIME");
  });
});
