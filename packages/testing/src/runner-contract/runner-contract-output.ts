import assert from "node:assert/strict";
import { listen, type RunnerScenario, withScript } from "./runner-contract-place.ts";

/** What a script writes to stdout and stderr. */
export const outputScenarios: readonly RunnerScenario[] = [
  {
    id: "streams",
    title: "Stdout and stderr are separate",
    run: (runner) =>
      withScript(runner, { "write.sh": "echo out; echo err >&2\n" }, async ({ run }) => {
        const end = await run();
        assert.ok(end.outcome === "exited");
        assert.deepEqual([end.stdout, end.stderr], ["out\n", "err\n"]);
      }),
  },
  {
    id: "stream-names",
    title: "The streams can be opened by their names in /dev",
    needs: ["processes"],
    run: (runner) =>
      withScript(runner, { "write.sh": "cat /dev/stdin >/dev/stdout; echo err >/dev/stderr\n" }, async ({ run }) => {
        const end = await run({ stdin: "in\n" });
        assert.ok(end.outcome === "exited");
        assert.deepEqual([end.stdout, end.stderr], ["in\n", "err\n"]);
      }),
  },
  {
    id: "progress",
    title: "Output arrives in order while the script runs",
    run: (runner) =>
      withScript(runner, { "steps.sh": "echo one; sleep 0.5; echo two; sleep 0.5; echo three\n" }, async ({ run }) => {
        const { outputs, onOutput } = listen();
        let isDone = false;
        let early = 0;
        const end = await run({
          onOutput: (output) => {
            onOutput(output);
            if (!isDone) early++;
          },
        });
        isDone = true;
        assert.ok(end.outcome === "exited");
        assert.equal(end.stdout, "one\ntwo\nthree\n");
        assert.equal(outputs.map(({ text }) => text).join(""), end.stdout);
        assert.ok(early > 1, "The output arrived at once.");
      }),
  },
  {
    id: "throwing-listener",
    title: "A listener that throws does not change the result",
    run: (runner) =>
      withScript(runner, { "write.sh": "echo one; echo two\n" }, async ({ stdoutOf }) => {
        const onOutput = (): void => {
          throw new Error("A mistake in the listener.");
        };
        assert.equal(await stdoutOf({ onOutput }), "one\ntwo\n");
      }),
  },
  {
    id: "unicode",
    title: "Text beyond ASCII arrives as it is",
    run: (runner) =>
      withScript(
        runner,
        { "write.sh": "cat text.txt\n", "text.txt": "grün 🍵\tこんにちは\n" },
        async ({ stdoutOf }) => {
          assert.equal(await stdoutOf(), "grün 🍵\tこんにちは\n");
        },
      ),
  },
  {
    id: "binary",
    title: "Bytes that are not UTF-8 are replaced",
    run: (runner) => {
      const bytes = new Uint8Array([0x61, 0xff, 0xfe, 0x62, 0x00, 0xc3]);
      return withScript(runner, { "write.sh": "cat data.bin\n", "data.bin": bytes }, async ({ stdoutOf }) => {
        assert.equal(await stdoutOf(), "a\ufffd\ufffdb\ufffd");
      });
    },
  },
  {
    id: "control-sequences",
    title: "Control sequences and characters are removed",
    run: (runner) => {
      const text =
        "\x1b[1;31mred\x1b[0m \x1b]0;title\x07\x1b]8;;x\x1b\\link\x1bPq1\x1b\\ \x1b(Bend\x07\x7f\x08\r\nnext\u009b2J\n";
      return withScript(runner, { "write.sh": "cat text.txt\n", "text.txt": text }, async ({ stdoutOf }) => {
        assert.equal(await stdoutOf(), "red link end\nnext\n");
      });
    },
  },
  {
    id: "cut-sequence",
    title: "A control sequence that arrives in two parts is removed",
    run: (runner) => {
      const script = "cat first.txt; sleep 0.3; cat second.txt\n";
      const files = { "write.sh": script, "first.txt": "a\x1b[3", "second.txt": "1mb\n" };
      return withScript(runner, files, async ({ stdoutOf }) => {
        const { outputs, onOutput } = listen();
        assert.equal(await stdoutOf({ onOutput }), "ab\n");
        assert.equal(outputs.map(({ text }) => text).join(""), "ab\n");
      });
    },
  },
  ...(["stdout", "stderr"] as const).map(
    (stream): RunnerScenario => ({
      id: `${stream}-limit`,
      title: `A script that writes too much to ${stream} is stopped, and the first part is kept`,
      run: (runner) => {
        const line = "0123456789".repeat(10);
        const script = `i=0; while [ "$i" -lt 20000 ]; do echo ${line}${stream === "stderr" ? " >&2" : ""}; i=$((i + 1)); done\n`;
        return withScript(runner, { "write.sh": script }, async ({ run }) => {
          const end = await run({ limits: { output: 10_000 } });
          assert.ok(end.outcome === "output-limit", JSON.stringify(end).slice(0, 500));
          assert.equal(end[stream].slice(0, 101), `${line}\n`);
          assert.ok(end[stream].length <= 10_000, `${end[stream].length} characters are kept.`);
        });
      },
    }),
  ),
  {
    id: "files-limit",
    title: "A script that writes too many bytes of files is stopped",
    run: (runner) => {
      const script =
        'i=0; while [ "$i" -lt 2000 ]; do cat data.txt >>"$OUTPUT_DIR/large"; i=$((i + 1)); done; sleep 20\n';
      const files = { "write.sh": script, "data.txt": "x".repeat(10_000) };
      return withScript(runner, files, async ({ run }) => {
        assert.equal((await run({ limits: { files: 200_000 } })).outcome, "output-limit");
      });
    },
  },
];
