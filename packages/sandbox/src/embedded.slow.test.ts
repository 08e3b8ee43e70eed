import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { ScriptJob } from "skillset/scripts";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { embedded } from "./embedded.ts";

const MEGABYTE = 1024 * 1024;
const LIMITS = { time: 30_000, output: 1_000_000, memory: 512 * MEGABYTE, processes: 64, files: 100_000_000 };
const HOSTILE = [
  "",
  "a b",
  "'",
  '"',
  "$(id)",
  "`id`",
  "$HOME",
  "a\nb",
  "-x",
  "--",
  "--version",
  "--help",
  "-h",
  "ü😀",
  "*",
  "\\",
  "!",
];

function folders(files: Readonly<Record<string, string>>) {
  const base = temporaryFolder(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`skill/${path}`, text])),
  );
  const outputFolder = join(base, "output");
  mkdirSync(outputFolder);
  return { base, skillFolder: join(base, "skill"), outputFolder };
}

async function run(
  script: string,
  text: string,
  options: Partial<ScriptJob> & { files?: Record<string, string> } = {},
) {
  const { files = {}, limits = LIMITS, ...job } = options;
  const made = folders({ [script]: text, ...files });
  const live: string[] = [];
  const end = await embedded().run({
    ...made,
    script,
    args: [],
    signal: new AbortController().signal,
    onOutput: ({ text: one }) => void live.push(one),
    limits,
    ...job,
  });
  return { ...made, end, live };
}

test("the check passes, and proves that a file outside cannot be read", async () => {
  expect(await embedded().check()).toBeUndefined();
});

const ECHO = {
  "scripts/echo.sh": 'for one in "$@"; do printf "%s" "<$one>"; done; echo; cat; exit 3\n',
  "scripts/echo.py":
    'import sys\nprint("".join(f"<{one}>" for one in sys.argv[1:]))\nprint(sys.stdin.read(), end="")\nsys.exit(3)\n',
  "scripts/echo.js":
    'process.stdout.write(process.argv.slice(2).map((one) => "<" + one + ">").join("") + "\\n");process.stdin.on("data", (one) => process.stdout.write(one)).on("end", () => process.exit(3));',
  "scripts/echo.ts":
    'const args: string[] = Deno.args; console.log(args.map((one) => "<" + one + ">").join(""));\nDeno.stdout.writeSync(new TextEncoder().encode(await new Response(Deno.stdin.readable).text())); Deno.exit(3);',
};

test.each(Object.entries(ECHO))(
  "%s gets arguments and stdin unchanged, and its exit code is reported",
  async (script, text) => {
    const { end } = await run(script, text, { args: HOSTILE, stdin: '{"tea":"grün"}\n' });
    expect(end).toMatchObject({ outcome: "exited", exitCode: 3, stderr: "" });
    expect(end).toMatchObject({ stdout: `${HOSTILE.map((one) => `<${one}>`).join("")}\n{"tea":"grün"}\n` });
  },
);

test.each([
  ["scripts/a.sh", 'pwd; ls; cat data.txt; echo out > "$OUTPUT_DIR/x.txt"; echo "$1 $SKILL_DIR $TMPDIR $HOME"\n'],
  [
    "scripts/a.py",
    'import os, sys\nprint(os.getcwd(), *sorted(os.listdir(".")), sep="\\n")\nprint(open("data.txt").read(), end="")\nopen(os.environ["OUTPUT_DIR"] + "/x.txt", "w").write("out\\n")\nprint(sys.argv[1], os.environ["SKILL_DIR"], os.environ["TMPDIR"], os.environ["HOME"])\n',
  ],
])("%s reads the skill at /skill and writes to /output", async (script, text) => {
  const { end, outputFolder } = await run(script, text, { args: ["$OUTPUT_DIR/y"], files: { "data.txt": "tea\n" } });
  expect(end).toMatchObject({ stderr: "", stdout: "/skill\ndata.txt\nscripts\ntea\n/output/y /skill /tmp /tmp\n" });
  expect(end).toMatchObject({ exitCode: 0, command: [expect.any(String), `/skill/${script}`, "/output/y"] });
  expect(readFileSync(join(outputFolder, "x.txt"), "utf8")).toBe("out\n");
});

test.each([
  [
    "a.js",
    'const fs = require("node:fs"); fs.writeFileSync(process.env.OUTPUT_DIR + "/x.txt", fs.readFileSync("data.txt")); console.log(require("./lib.cjs").X, process.cwd(), __filename)',
  ],
  [
    "a.cjs",
    'const fs = require("node:fs"); fs.writeFileSync(process.env.OUTPUT_DIR + "/x.txt", fs.readFileSync("data.txt")); console.log(require("./lib.cjs").X, process.cwd(), __filename)',
  ],
  [
    "a.mjs",
    'import fs from "node:fs"; import lib from "./lib.cjs"; fs.writeFileSync(process.env.OUTPUT_DIR + "/x.txt", fs.readFileSync("data.txt")); console.log(lib.X, process.cwd(), import.meta.filename)',
  ],
  [
    "a.ts",
    'import fs from "node:fs"; import lib from "./lib.cjs"; const x: string = "/x.txt"; fs.writeFileSync(process.env.OUTPUT_DIR + x, fs.readFileSync("data.txt")); console.log(lib.X, process.cwd(), import.meta.filename)',
  ],
])("%s reads the skill, writes to the output folder, and shows no path of the machine", async (script, text) => {
  const files = { "data.txt": "tea\n", "lib.cjs": "exports.X = 5;" };
  const { end, outputFolder } = await run(script, text, { files });
  expect(end).toMatchObject({ stderr: "", stdout: `5 /skill /skill/${script}\n`, exitCode: 0 });
  expect(readFileSync(join(outputFolder, "x.txt"), "utf8")).toBe("tea\n");
});

test("Python imports files beside the script, knows the standard library, and names files in tracebacks", async () => {
  const text =
    "import json, csv, re, math, datetime, hashlib, zlib, argparse\nimport helper\nprint(__name__, __file__)\nhelper.fail()\n";
  const files = { "scripts/helper.py": "def fail():\n    raise ValueError('tea')\n" };
  const { end } = await run("scripts/a.py", text, { files });
  expect(end).toMatchObject({ exitCode: 1, stdout: "__main__ /skill/scripts/a.py\n" });
  expect(end).toMatchObject({ stderr: expect.stringContaining('File "/skill/scripts/a.py", line 4, in <module>') });
  expect(end).toMatchObject({ stderr: expect.stringContaining("ValueError: tea") });
});

test("a shell script can call Python and other scripts, and use pipes", async () => {
  const text = 'set -eu\necho b a | tr " " "\\n" | sort | bash scripts/number.sh\npython3 scripts/a.py "$(echo x y)"\n';
  const files = {
    "scripts/number.sh": "nl -ba -w1 -s:\n",
    "scripts/a.py": "import sys, os\nprint(sys.argv[1:], os.environ['OUTPUT_DIR'])\n",
  };
  const { end } = await run("scripts/a.sh", text, { files });
  expect(end).toMatchObject({ stderr: "", stdout: "1:a\n2:b\n['x y'] /output\n" });
});

test.each([
  ["set -u", 1],
  ["set -eu", 1],
  ["set -euo pipefail", 1],
  ["set -o nounset", 1],
])("%s stops a shell script at an unset variable", async (options, exitCode) => {
  const { end } = await run("a.sh", `${options}\necho before\necho "$UNSET"\necho after\n`);
  expect(end).toMatchObject({
    exitCode,
    stdout: "before\n",
    stderr: expect.stringContaining("UNSET: unbound variable"),
  });
});

test("a shell script keeps its state from one statement to the next", async () => {
  const text =
    'f() { read x; echo "got $x"; return 3; }\nf; echo $?\ncd /output; x=1\n(x=2; exit 4); echo $? $x; pwd\nseq 3 | while read n; do echo $((n * n)); done\nv=$(f); echo "$v"\ntmp=$(mktemp -d) && trap "rm -rf $tmp" EXIT\necho x > "$tmp/x" && exit 7\n';
  const { end } = await run("a.sh", text, { stdin: "one\ntwo\n" });
  expect(end).toMatchObject({ exitCode: 7, stderr: "", stdout: "got one\n3\n4 1\n/output\n1\n4\n9\ngot two\n" });
});

test("the first line decides about a script without an extension", async () => {
  const { end } = await run("hello", "#!/usr/bin/env python3\nprint('hello')\n");
  expect(end).toMatchObject({ outcome: "exited", stdout: "hello\n" });
  const javascript = await run("hello", "#!/usr/bin/env node\nconsole.log('hello')\n");
  expect(javascript.end).toMatchObject({ outcome: "exited", stdout: "hello\n" });
});

test.each([
  ["a.rb", "Ruby"],
  ["a.pl", "Perl"],
])("%s is refused with a message that names another runner", async (script, name) => {
  const { end } = await run(script, "");
  expect(end).toMatchObject({ outcome: "refused", reason: expect.stringMatching(`${name}.*bubblewrap`) });
});

test("scripts have the promised variables and no others", async () => {
  process.env.SECRET_CANARY = "canary";
  const shell = await run("a.sh", "env; echo $SECRET_CANARY; cat /proc/self/environ; cat /proc/1/environ\n");
  const python = await run("a.py", "import os\nprint(*sorted(os.environ), sep='\\n')\nprint(*os.environ.values())\n");
  const deno = await run(
    "a.js",
    "console.log(process.env.SECRET_CANARY, process.env.DENO_DIR); try { console.log(JSON.stringify(Deno.env.toObject())) } catch (e) { console.log(e.name) }",
  );
  for (const { end, base } of [shell, python, deno]) {
    expect(JSON.stringify(end)).not.toContain("canary");
    expect(JSON.stringify(end)).not.toContain("node_modules");
    expect(JSON.stringify(end)).not.toContain(base);
  }
  const names = ["HOME", "LANG", "OUTPUT_DIR", "PATH", "PWD", "SKILL_DIR", "TMPDIR"];
  expect("stdout" in python.end && python.end.stdout.split("\n").slice(0, 7)).toEqual(names);
  const exported = "stdout" in shell.end ? [...shell.end.stdout.matchAll(/^(\w+)=/gm)].map(([, name]) => name) : [];
  // A shell has these itself.
  const shellNames = [
    "0",
    "BASHOPTS",
    "HOSTNAME",
    "HOSTTYPE",
    "IFS",
    "MACHTYPE",
    "OLDPWD",
    "OPTIND",
    "OSTYPE",
    "SHELLOPTS",
  ];
  expect([...names, ...shellNames]).toEqual(expect.arrayContaining(exported));
});

test("deno writes nothing outside the output folder, and shows no path of the machine", async () => {
  const text = `
const attempts = {
  cache: async () => (await caches.open("x")).put("http://x/", new Response("x".repeat(1000))),
  storage: async () => localStorage.setItem("a", "b"),
};
for (const [name, attempt] of Object.entries(attempts)) {
  try { await attempt(); console.log(name, "works"); } catch { console.log(name, "fails"); }
}
console.log(JSON.stringify(process.env.PATH));
`;
  vi.stubEnv("TMPDIR", temporaryFolder());
  const { end, outputFolder } = await run("a.mjs", text);
  const left = readdirSync(process.env.TMPDIR ?? "");
  vi.unstubAllEnvs();
  expect(end).toMatchObject({ outcome: "exited", stdout: 'cache fails\nstorage fails\n""\n' });
  expect(readdirSync(outputFolder)).toEqual([]);
  expect(left.filter((name) => name.startsWith("skillset-deno"))).toEqual([]);
});

test.each([
  ["a.mjs", 'import { z } from "zod";', `Import "zod" not a dependency`],
  ["a.cjs", 'require("zod")', "/node_modules"],
  ["b.mjs", 'await import("npm:zod")', "npm specifiers were requested"],
  ["c.mjs", 'Deno.readFileSync("/etc/passwd")', "Requires read access"],
])("%s with %s gets an error without advice for deno and without paths", async (script, text, sentence) => {
  const { end, base } = await run(script, text);
  expect(end).toMatchObject({ outcome: "exited", exitCode: 1, stderr: expect.stringContaining(sentence) });
  expect(JSON.stringify(end)).not.toContain(base);
  expect(JSON.stringify(end)).not.toMatch(/deno add|--allow|--no-npm/);
});

const READS: Readonly<Record<string, string>> = {
  "a.sh":
    'cat /etc/passwd ../canary ../../canary "$1" /skill/../../canary /proc/self/maps /output/../canary; ls -la "$(dirname "$1")"; cd /output/..; cat canary; ln -s "$1" /output/link; cat /output/link; cat link/canary\n',
  "a.py":
    'import sys, os\nfor path in ["/etc/passwd", "../canary", sys.argv[1], "/skill/../../canary", "/host/../canary", "/proc/self/maps", "/output/link", "/skill/link"]:\n    try:\n        print(open(path).read())\n    except OSError as error:\n        print(type(error).__name__)\ntry:\n    os.symlink(sys.argv[1], "/output/link")\n    print(open("/output/link").read())\nexcept OSError as error:\n    print(type(error).__name__)\n',
  "a.js":
    'import fs from "node:fs"; for (const path of ["/etc/passwd", "../canary", process.argv[2], "/proc/self/environ", "/proc/self/maps", "/dev/mem"]) try { console.log(fs.readFileSync(path, "utf8")); } catch (e) { console.log(e.name); }\ntry { fs.symlinkSync(process.argv[2], process.env.OUTPUT_DIR + "/link"); console.log(fs.readFileSync(process.env.OUTPUT_DIR + "/link", "utf8")); } catch (e) { console.log(e.name); }',
};

test.each(Object.entries(READS))(
  "%s cannot read outside, not even through a link that it creates",
  async (script, text) => {
    const made = folders({ [script]: text, "../canary": "the-canary" });
    const canary = join(made.base, "canary");
    expect(readFileSync(canary, "utf8")).toBe("the-canary");
    for (const _ of [1, 2]) {
      const job = { ...made, script, args: [canary], limits: LIMITS, signal: new AbortController().signal };
      const end = await embedded().run({ ...job, onOutput: () => {} });
      expect(end.outcome).toBe("exited");
      expect(JSON.stringify(end)).not.toMatch(/the-canary|root:x/);
    }
  },
);

test.each(["a.sh", "a.py"])("%s does not follow a link that is in the output folder", async (script) => {
  const text = script === "a.sh" ? "cat /output/link\n" : "print(open('/output/link').read())\n";
  const made = folders({ [script]: text, "../canary": "the-canary" });
  symlinkSync(join(made.base, "canary"), join(made.outputFolder, "link"));
  const job = { ...made, script, args: [], limits: LIMITS, signal: new AbortController().signal };
  expect(JSON.stringify(await embedded().run({ ...job, onOutput: () => {} }))).not.toContain("the-canary");
});

test.each([
  [
    "a.sh",
    'echo before; echo x > /skill/new; echo x >> "$0"; rm -rf /skill/*; mkdir /skill/d; touch /skill/t; mv "$0" /skill/z; cp "$0" /skill/y',
  ],
  [
    "a.py",
    "import os, shutil\nfor act in [lambda: open('/skill/new', 'w').write('x'), lambda: open('/skill/a.py', 'a').write('x'), lambda: os.remove('/skill/a.py'), lambda: os.rename('/skill/a.py', '/skill/z')]:\n    try:\n        act()\n    except OSError: pass\n",
  ],
  [
    "a.js",
    'import fs from "node:fs"; for (const act of [() => fs.writeFileSync("new", "x"), () => fs.appendFileSync("a.js", "x"), () => fs.rmSync("a.js"), () => fs.chmodSync("a.js", 0o777), () => fs.writeFileSync("/tmp/skillset-escape", "x")]) try { act(); } catch {}',
  ],
])("%s cannot change the skill", async (script, text) => {
  const { skillFolder } = await run(script, text);
  expect(readdirSync(skillFolder)).toEqual([script]);
  expect(readFileSync(join(skillFolder, script), "utf8")).toBe(text);
  expect(existsSync("/tmp/skillset-escape")).toBe(false);
});

test.each([
  ["an import statement", 'import "/etc/hostname.mjs";'],
  ["a fixed import()", 'await import("/etc/hostname.mjs");'],
  ["an import in an address", `await import('data:text/javascript,import "file:///etc/hostname.mjs"');`],
  ["a relative path", 'import "../../../../../../etc/hostname.mjs";'],
])("deno does not start a script that reads outside with %s", async (_, text) => {
  const { end } = await run("a.mjs", text);
  expect(end).toEqual({ outcome: "refused", reason: "'a.mjs' imports a file that does not belong to the skill." });
});

test("deno has no processes, network, workers with more rights, native code or system information", async () => {
  const text = `
import { execSync, spawnSync } from "node:child_process";
import { Worker } from "node:worker_threads";
import os from "node:os";
const attempts = {
  exec: () => execSync("touch \\"$OUTPUT_DIR/ran\\""),
  spawn: () => { const { error, status } = spawnSync("id"); if (error || status !== 0) throw error ?? new Error("status"); },
  command: () => new Deno.Command("id").outputSync(),
  dlopen: () => Deno.dlopen("/lib/x86_64-linux-gnu/libc.so.6", {}),
  hostname: () => os.hostname(),
  env: () => { if (Deno.env.get("DENO_DIR") === undefined) throw new Error("none"); },
  fetch: () => fetch("http://127.0.0.1:9/"),
  listen: () => Deno.listen({ port: 0 }),
  importRemote: () => import("https://example.com/x.js"),
  importNpm: () => import("npm:left-pad"),
  importOutside: () => import(["", "etc", "passwd"].join("/")),
  binding: () => process.binding("spawn_sync").spawn({ file: "/usr/bin/id", args: ["id"] }),
  worker: () => new Promise((resolve, reject) => {
    const one = new Worker("require('node:fs').readFileSync('/etc/passwd')", { eval: true });
    one.on("error", reject).on("exit", (code) => code === 0 ? resolve() : reject(new Error(String(code))));
  }),
};
for (const [name, attempt] of Object.entries(attempts)) {
  try { await attempt(); console.log(name, "works"); } catch { console.log(name, "fails"); }
}
process.exit();`;
  const { end, outputFolder } = await run("a.mjs", text);
  expect(end).toMatchObject({ outcome: "exited", stdout: expect.stringMatching(/^(?:\w+ fails\n){13}$/) });
  expect(readdirSync(outputFolder)).toEqual([]);
});

test.each([
  ["a.sh", "echo start; while true; do :; done\n"],
  ["a.py", "print('start')\nwhile True: pass\n"],
  ["a.js", "console.log('start'); while (true);"],
])("%s is stopped at the time limit and at an abort", async (script, text) => {
  const { end, live } = await run(script, text, { limits: { ...LIMITS, time: 5_000 } });
  expect(end.outcome).toBe("timed-out");
  expect([end, live]).toMatchObject([{ stdout: "start\n" }, ["start\n"]]);
  const aborted = await run(script, text, { signal: AbortSignal.timeout(500) });
  expect(aborted.end.outcome).toBe("aborted");
});

test.each([
  ["a.py", "while True: print('x' * 1000)\n"],
  ["a.js", "while (true) console.log('x'.repeat(1000));"],
])("%s is stopped at the output limit", async (script, text) => {
  const { end } = await run(script, text, { limits: { ...LIMITS, output: 50_000 } });
  expect(end.outcome).toBe("output-limit");
});

test("a shell script with too much output is stopped too", async () => {
  const { end } = await run("a.sh", "seq 1 100000\n", { limits: { ...LIMITS, output: 50_000 } });
  expect(end.outcome).toBe("output-limit");
});

test.each([
  ["a.sh", 'x=aaaaaaaaaaaaaaaa; while true; do x="$x$x"; done\n'],
  ["a.py", "x = []\nwhile True: x.append(bytearray(10_000_000))\n"],
  ["heap.js", "const x = []; while (true) x.push({ a: [x.length] });"],
  ["buffers.js", "const x = []; while (true) x.push(new Uint8Array(10_000_000).fill(1));"],
  [
    "wasm.js",
    "const memory = new WebAssembly.Memory({ initial: 1 }); while (true) { try { memory.grow(160); } catch { for (;;); } new Uint8Array(memory.buffer).fill(1); }",
  ],
])("%s cannot use more memory than its limit", async (script, text) => {
  const { end } = await run(script, text, { limits: { ...LIMITS, memory: 300 * MEGABYTE } });
  const isContained = end.outcome === "memory-limit" || (end.outcome === "exited" && end.exitCode !== 0);
  expect([end.outcome, isContained]).toEqual([end.outcome, true]);
  if ("stderr" in end) expect(end.stderr).not.toMatch(/node_modules|<--- /);
});

test("nothing is left in the output folder but plain files", async () => {
  const { outputFolder } = await run("a.sh", "cd /output; mkdir d; echo a > d/a; ln -s d/a l; ln d/a h; ls\n");
  expect(lstatSync(join(outputFolder, "d/a")).isFile()).toBe(true);
  expect(existsSync(join(outputFolder, "l"))).toBe(false);
});
