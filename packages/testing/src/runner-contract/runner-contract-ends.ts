import assert from "node:assert/strict";
import { join } from "node:path";
import { assertQuiet, BEAT, type RunnerScenario, withScript } from "./runner-contract-place.ts";

const LOOP = "echo started; while :; do :; done\n";

/** How a script ends, and what is left. */
export const endScenarios: readonly RunnerScenario[] = [
  {
    id: "exit-code",
    title: "The exit code of the script is reported",
    run: (runner) =>
      withScript(runner, { "exit.sh": 'echo "$1"; exit "$1"\n' }, async ({ run }) => {
        for (const exitCode of [0, 1, 42, 127, 255]) {
          const end = await run({ args: [String(exitCode)] });
          assert.ok(end.outcome === "exited", JSON.stringify(end));
          assert.deepEqual([end.exitCode, end.stdout], [exitCode, `${exitCode}\n`]);
        }
      }),
  },
  {
    id: "signal",
    title: "A script that a signal ends has the exit code 128 and its number",
    needs: ["processes"],
    run: (runner) =>
      withScript(runner, { "signal.sh": 'kill -"$1" $$\n' }, async ({ run }) => {
        for (const [name, exitCode] of [
          ["TERM", 143],
          ["KILL", 137],
        ] as const) {
          const end = await run({ args: [name] });
          assert.ok(end.outcome === "exited", JSON.stringify(end));
          assert.equal(end.exitCode, exitCode);
        }
      }),
  },
  {
    id: "command",
    title: "The result has the command as a list, with the script's arguments",
    run: (runner) =>
      withScript(runner, { "scripts/a.sh": "exit 1\n" }, async ({ run }) => {
        const end = await run({ args: ["two words", "$(no)"] });
        assert.ok(end.outcome === "exited", JSON.stringify(end));
        assert.deepEqual(end.command.slice(-2), ["two words", "$(no)"]);
        assert.match(end.command.at(-3) ?? "", /scripts\/a\.sh$/);
      }),
  },
  {
    id: "time-limit",
    title: "A script that runs too long is stopped, and its output is kept",
    run: (runner) =>
      withScript(runner, { "loop.sh": LOOP, "sleep.sh": "" }, async ({ run }) => {
        const end = await run({ limits: { time: 2_000 } });
        assert.ok(end.outcome === "timed-out", JSON.stringify(end));
        assert.equal(end.stdout, "started\n");
      }),
  },
  {
    id: "time-limit-asleep",
    title: "A script that waits too long is stopped",
    run: (runner) =>
      withScript(runner, { "sleep.sh": "sleep 25\n" }, async ({ run }) => {
        assert.equal((await run({ limits: { time: 500 } })).outcome, "timed-out");
      }),
  },
  {
    id: "memory-limit",
    title: "A script that uses too much memory is stopped",
    needs: ["memory"],
    run: (runner) =>
      withScript(runner, { "grow.sh": "x=0123456789; while :; do x=$x$x; done\n" }, async ({ run }) => {
        assert.equal((await run({ limits: { memory: 200_000_000 } })).outcome, "memory-limit");
      }),
  },
  {
    id: "process-limit",
    title: "A script cannot have more processes than the limit",
    needs: ["processes"],
    run: (runner) => {
      const script = 'i=0; while [ "$i" -lt 60 ]; do sleep 20 & i=$((i + 1)); done; wait\n';
      return withScript(runner, { "fork.sh": script }, async ({ run }) => {
        const end = await run({ limits: { processes: 20 } });
        // Where the system refuses a process, the script may end before it is stopped.
        const isRefused = end.outcome === "exited" && end.exitCode !== 0;
        assert.ok(isRefused || end.outcome === "process-limit", JSON.stringify(end));
      });
    },
  },
  {
    id: "aborted",
    title: "A script whose signal is aborted already does not start",
    run: (runner) =>
      withScript(runner, { "write.sh": 'echo no >"$OUTPUT_DIR/beat"\n' }, async ({ run, outputFolder }) => {
        assert.equal((await run({ signal: AbortSignal.abort() })).outcome, "aborted");
        await assertQuiet(join(outputFolder, "beat"));
      }),
  },
  {
    id: "abort",
    title: "Aborting stops a running script",
    run: (runner) =>
      withScript(runner, { "loop.sh": LOOP }, async ({ run }) => {
        const controller = new AbortController();
        const end = await run({ signal: controller.signal, onOutput: () => controller.abort() });
        assert.ok(end.outcome === "aborted", JSON.stringify(end));
        assert.equal(end.stdout, "started\n");
      }),
  },
  {
    id: "together",
    title: "Scripts that run at the same time do not affect each other",
    run: (runner) =>
      withScript(runner, { "one.sh": 'echo "$1"; sleep 0.2; echo "$1"; exit "$1"\n' }, async ({ run }) => {
        const numbers = [1, 2, 3, 4];
        const ends = await Promise.all(numbers.map((one) => run({ args: [String(one)] })));
        assert.deepEqual(
          ends.map((end) => end.outcome === "exited" && [end.exitCode, end.stdout]),
          numbers.map((one) => [one, `${one}\n${one}\n`]),
        );
      }),
  },
  survivors("background", "in the background", "beat &\nsleep 0.3\n"),
  survivors("double-fork", "that detached itself", "( ( beat >/dev/null 2>&1 </dev/null & ) & )\nsleep 0.3\n"),
  survivors("pipe-holder", "that keeps stdout open", "( ( beat </dev/null & ) & )\necho done\nsleep 0.3\n"),
  {
    id: "tree-after-time-limit",
    title: "No process is left after a script was stopped",
    needs: ["processes"],
    run: (runner) =>
      withScript(
        runner,
        { "tree.sh": `${BEAT}trap '' TERM HUP\n( ( beat & ) & )\nbeat\n` },
        async ({ run, outputFolder }) => {
          assert.equal((await run({ limits: { time: 1_000 } })).outcome, "timed-out");
          await assertQuiet(join(outputFolder, "beat"));
        },
      ),
  },
];

function survivors(id: string, what: string, text: string): RunnerScenario {
  return {
    id,
    title: `A process ${what} is dead when the run ends`,
    needs: ["processes"],
    run: (runner) =>
      withScript(runner, { "tree.sh": BEAT + text }, async ({ stdoutOf, outputFolder }) => {
        await stdoutOf();
        await assertQuiet(join(outputFolder, "beat"));
      }),
  };
}
