import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSkillset } from "../../packages/skillset/src/node/load/create-skillset.ts";
import { createScriptRunner } from "../../packages/skillset/src/scripts/runners/create-script-runner.ts";
import { processesWith } from "../processes.ts";
import { skillMd, temporaryFolder } from "../temporary-folder.ts";
import { report } from "./report.ts";

/** Scripts that leave processes behind, or hold on to what they got. `$1` is a number that is in each one's arguments. */
const SCRIPTS = {
  "fork-bomb.sh": "bomb() { sleep $1 & bomb $1 | bomb $1 & }\nbomb $1\nsleep $1\n",
  "double-fork.sh": '( ( setsid sh -c "sleep $1" & ) & )\n( setsid sleep $1 > /dev/null 2>&1 & )\nsleep $1\n',
  "pipe-holder.sh": "( trap '' HUP TERM INT; sleep $1 & sleep $1 ) &\nexit 0\n",
  "deaf.sh": "trap '' HUP TERM INT QUIT\nwhile :; do sleep $1; done\n",
  "double-fork.py": [
    "import os, signal, sys, time",
    "for s in (1, 2, 3, 15): signal.signal(s, signal.SIG_IGN)",
    "for _ in range(5):",
    "    if os.fork() == 0:",
    "        os.setsid()",
    "        if os.fork() == 0:",
    "            os.environ.clear()",
    "            os.execvp('sleep', ['sleep', sys.argv[1]])",
    "        os._exit(0)",
    "time.sleep(float(sys.argv[1]))",
  ].join("\n"),
  "fork-bomb.py":
    "import os, sys, time\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        time.sleep(0.01)\n",
  "spinning.mjs": "for (;;);\n",
  "workers.mjs":
    'import { Worker } from "node:worker_threads";\nfor (let i = 0; i < 8; i++) new Worker("for (;;);", { eval: true });\nfor (;;);\n',
} as const;

/** How a run ends: at its limit, by its caller, or when its caller stops at once. */
const ENDS = ["limit", "abort", "at once"] as const;
const KILLS = Math.min(500, 25 * Number(process.env.KILLS ?? 2));

test.for(["bubblewrap", "embedded"] as const)(
  "no process of a script is alive after it was stopped in %s",
  { timeout: 1_200_000 },
  async (runner, context) => {
    const found = await createScriptRunner(runner);
    if (found.runner === undefined) return context.skip(`${found.reason} ${found.fix ?? ""}`);
    const files = Object.fromEntries(Object.entries(SCRIPTS).map(([name, text]) => [`kill/scripts/${name}`, text]));
    const skillset = await createSkillset([temporaryFolder({ "kill/SKILL.md": skillMd("kill"), ...files })], {
      scripts: { runner: found.runner, consent: () => "always", limits: { time: 400 } },
    });
    let next = 0;
    const survivors: string[] = [];
    const names = Object.keys(SCRIPTS);
    const work = async (): Promise<void> => {
      for (let index = next++; index < KILLS; index = next++) {
        const name = names[index % names.length] ?? "";
        const number = `9${String(Date.now()).slice(-6)}${index}`;
        const end = ENDS[index % ENDS.length];
        const stop = new AbortController();
        const session = await skillset.session();
        const running = session.scripts.run("kill", `scripts/${name}`, { args: [number], signal: stop.signal });
        if (end === "at once") stop.abort();
        else if (end === "abort") void sleep(20 + (index % 200)).then(() => stop.abort());
        await running.catch(() => {});
        survivors.push(...processesWith(number).map((line) => `${name} (${end}): ${line}`));
      }
    };
    await Promise.all([work(), work()]);
    report("S12", {
      tried: `scripts stopped in ${runner}`,
      cases: KILLS,
      through: survivors.length,
      control: "a killed process group leaves survivors",
    });
    expect(survivors).toEqual([]);
  },
);

test.skipIf(process.platform !== "linux")(
  "a plain process that is killed with its group leaves others behind",
  async () => {
    const folder = temporaryFolder({ "double-fork.sh": SCRIPTS["double-fork.sh"] });
    const number = `8${String(Date.now()).slice(-8)}`;
    const child = spawn("sh", [`${folder}/double-fork.sh`, number], { detached: true, stdio: "ignore" });
    await sleep(500);
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await sleep(200);
    const left = processesWith(number);
    for (const line of left) process.kill(Number.parseInt(line, 10), "SIGKILL");
    expect(left.length).toBeGreaterThan(0);
  },
);
