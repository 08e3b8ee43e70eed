import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConsentAnswer, ConsentRequest, ScriptOutput } from "skillset/scripts";
import type { ContractAdapter, ContractScenario } from "./contract-adapter.ts";
import {
  type ContractConversation,
  converse,
  lastRequest,
  resultsIn,
  timesTold,
  withFolder,
} from "./contract-conversation.ts";
import { TEA } from "./contract-skills.ts";

const OPERATION = "run_skill_script";
const DONE = { say: "Done." };

/** Running a skill's scripts: when it is possible, what a model gets, and who is asked. */
export const scriptScenarios: readonly ContractScenario[] = [
  {
    id: "scripts-offered",
    title: "With a runner and a skill with scripts, the model can run scripts, and the rules say so",
    run: (adapter) =>
      withScripts(adapter, { script: [DONE] }, async ({ agent, model }) => {
        await agent.say("Hi.");
        assert.ok(lastRequest(model).tools.includes(OPERATION));
        assert.equal(timesTold(lastRequest(model), "Run a skill's scripts with"), 1);
      }),
  },
  {
    id: "scripts-no-runner",
    title: "Without a runner, the model cannot run scripts, and no rule mentions them",
    run: (adapter) =>
      withFolder(FILES, (folder) =>
        converse(adapter, { skills: [folder], script: [DONE] }, async ({ agent, model }) => {
          await agent.say("Hi.");
          assert.ok(!lastRequest(model).tools.includes(OPERATION));
          assert.equal(timesTold(lastRequest(model), OPERATION), 0);
        }),
      ),
  },
  {
    id: "scripts-none",
    title: "Without a skill that has scripts, the model gets no operation for them",
    needs: "empty-offer",
    run: (adapter) =>
      converse(adapter, { skills: [TEA], scripts: RUNNER, script: [DONE] }, async ({ agent, model }) => {
        await agent.say("Hi.");
        assert.ok(!lastRequest(model).tools.includes(OPERATION));
        assert.equal(timesTold(lastRequest(model), OPERATION), 0);
      }),
  },
  {
    id: "script",
    title: "A script gets its arguments, a JSON value on stdin and text files, and the model gets its output",
    run: (adapter) => {
      const files = { "notes.txt": "Use the blue cup." };
      const script = [call("brew.mjs", { args: ["green", "a b"], input: { cups: 2 }, files }), DONE];
      return withScripts(adapter, { script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, please."), "Done.");
        const [text = ""] = resultsIn(lastRequest(model));
        assert.match(text, /^scripts\/brew\.mjs succeeded after \d+ ms \(no sandbox\)\.$/m);
        assert.ok(text.includes('<stdout>\n["green","a b"] {"cups":2} Use the blue cup.\n</stdout>'), text);
        assert.ok(text.includes("Files in $OUTPUT_DIR:\n- cup.txt (4 bytes)"), text);
        const run = agent.session.ledger.entries.find(({ type }) => type === "script-run");
        assert.ok(run?.type === "script-run" && run.outcome === "exited" && run.exitCode === 0);
      });
    },
  },
  {
    id: "script-files",
    title: "A file that a script wrote can be read, and the next script gets it",
    run: (adapter) => {
      const read = { call: "read_skill_file", input: { skill: "brewer", path: "$OUTPUT_DIR/cup.txt" } };
      const script = [call("brew.mjs"), read, call("drink.mjs", { args: ["$OUTPUT_DIR/cup.txt"] }), DONE];
      return withScripts(adapter, { script }, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, please."), "Done.");
        const [, file, next = ""] = resultsIn(lastRequest(model));
        assert.equal(file, "hot\n");
        assert.ok(next.includes("It is hot."), next);
      });
    },
  },
  {
    id: "script-fails",
    title: "A script that fails is a normal result, with its exit code and stderr",
    run: (adapter) =>
      withScripts(adapter, { script: [call("fail.mjs"), DONE] }, async ({ agent, model }) => {
        assert.equal(await agent.say("Tea, please."), "Done.");
        const [text = ""] = resultsIn(lastRequest(model));
        assert.match(text, /^scripts\/fail\.mjs failed with exit code 3 after /);
        assert.ok(text.includes("<stderr>\nThe kettle is empty.\n</stderr>"), text);
        assert.ok(!agent.session.ledger.entries.some(({ type }) => type === "operation-failed"));
      }),
  },
  {
    id: "script-unknown",
    title: "A script that does not exist is an error without an answer from anybody",
    run: (adapter) =>
      withScripts(adapter, { script: [call("none.mjs"), DONE] }, async ({ agent, model, asked }) => {
        assert.equal(await agent.say("Tea, please."), "Done.");
        assert.deepEqual(resultsIn(lastRequest(model)), ["Skill 'brewer' has no script 'scripts/none.mjs'."]);
        assert.deepEqual(asked, []);
      }),
  },
  {
    id: "script-consent",
    title: "Consent is requested once for each version of a skill",
    run: (adapter) => {
      const script = [call("brew.mjs"), call("drink.mjs"), { say: "First." }, call("brew.mjs"), DONE];
      return withScripts(adapter, { script }, async ({ agent, asked, folder }) => {
        assert.equal(await agent.say("Tea, please."), "First.");
        assert.deepEqual(
          asked.map(({ skill, script: path }) => [skill, path]),
          [["brewer", "scripts/brew.mjs"]],
        );
        // The file belongs to the digest, although the script that runs is the same.
        writeFileSync(join(folder, "brewer/scripts/drink.mjs"), "process.exit(0);\n");
        await agent.session.use((await agent.session.skillset.reload()).skillset);
        assert.equal(await agent.say("More tea, please."), "Done.");
        assert.equal(asked.length, 2);
        assert.notEqual(asked[0]?.digest, asked[1]?.digest);
      });
    },
  },
  {
    id: "script-once",
    title: "Consent for one run does not cover the next",
    run: (adapter) => {
      const script = [call("brew.mjs"), call("brew.mjs"), DONE];
      return withScripts(adapter, { script, answer: "once" }, async ({ agent, asked }) => {
        assert.equal(await agent.say("Tea, please."), "Done.");
        assert.equal(asked.length, 2);
      });
    },
  },
  {
    id: "script-denied",
    title: "A script without consent does not run, and the model gets the reason as an error",
    run: async (adapter) => {
      for (const [answer, sentence] of DENIALS) {
        await withScripts(adapter, { script: [call("brew.mjs"), DONE], answer }, async ({ agent, model, output }) => {
          assert.equal(await agent.say("Tea, please."), "Done.");
          assert.deepEqual(resultsIn(lastRequest(model)), [sentence]);
          assert.deepEqual(output, []);
          const failure = agent.session.ledger.entries.find(({ type }) => type === "script-run");
          assert.equal(failure?.type === "script-run" && failure.outcome, "refused");
        });
      }
    },
  },
  {
    id: "script-abort",
    title: "Aborting a turn ends the script's process, and the session stays usable",
    run: async (adapter) => {
      const controller = new AbortController();
      const script = [call("wait.mjs"), DONE];
      const onOutput = (): void => controller.abort();
      await withScripts(adapter, { script, onOutput }, async ({ agent, output }) => {
        await assert.rejects(agent.say("Tea, please.", { signal: controller.signal }));
        await until(() => agent.session.ledger.entries.some(({ type }) => type === "script-run"));
        const run = agent.session.ledger.entries.find(({ type }) => type === "script-run");
        assert.equal(run?.type === "script-run" && run.outcome, "aborted");
        const pid = Number(output[0]?.text);
        assert.ok(pid > 0);
        assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
        assert.equal((await agent.session.scripts.run("brewer", "scripts/brew.mjs")).outcome, "exited");
      });
    },
  },
];

const FILES = {
  "brewer/SKILL.md":
    "---\nname: brewer\ndescription: Brews tea. Use when asked for tea.\n---\n\nRun `scripts/brew.mjs` with the kind of tea.\n",
  "brewer/scripts/brew.mjs": [
    'import { existsSync, readFileSync, writeFileSync } from "node:fs";',
    'const folder = process.env.OUTPUT_DIR + "/";',
    'const notes = existsSync(folder + "notes.txt") ? readFileSync(folder + "notes.txt", "utf8") : "";',
    'writeFileSync(folder + "cup.txt", "hot\\n");',
    'console.log(JSON.stringify(process.argv.slice(2)), readFileSync(0, "utf8").trim(), notes);',
    "",
  ].join("\n"),
  "brewer/scripts/drink.mjs":
    'import { readFileSync } from "node:fs";\nconsole.log("It is " + readFileSync(process.argv[2], "utf8").trim() + ".");\n',
  "brewer/scripts/fail.mjs": 'console.error("The kettle is empty.");\nprocess.exitCode = 3;\n',
  "brewer/scripts/wait.mjs": "console.log(process.pid);\nsetInterval(() => {}, 1000);\n",
} as const;

/** The scripts are the contract's own, so they need no sandbox. */
const RUNNER = { runner: "subprocess" } as const;

const DENIALS: readonly (readonly [ConsentAnswer, string])[] = [
  ["deny", "The scripts of skill 'brewer' may not run: consent was denied."],
  [{ deny: "Ask Ann first." }, "Ask Ann first."],
];

function call(script: string, input: Readonly<Record<string, unknown>> = {}) {
  return { call: OPERATION, input: { skill: "brewer", script: `scripts/${script}`, ...input } };
}

interface ScriptSetup {
  readonly script: Parameters<typeof converse>[1]["script"];
  /** @default "always" */
  readonly answer?: ConsentAnswer;
  readonly onOutput?: () => void;
}

interface ScriptConversation extends ContractConversation {
  readonly asked: readonly ConsentRequest[];
  readonly output: readonly ScriptOutput[];
  readonly folder: string;
}

/** Starts a conversation over a skill with scripts, and records who was asked and what was printed. */
function withScripts(
  adapter: ContractAdapter,
  { script, answer = "always", onOutput }: ScriptSetup,
  work: (conversation: ScriptConversation) => Promise<void>,
): Promise<void> {
  return withFolder(FILES, (folder) => {
    const asked: ConsentRequest[] = [];
    const output: ScriptOutput[] = [];
    const scripts = {
      ...RUNNER,
      consent: (request: ConsentRequest): ConsentAnswer => {
        asked.push(request);
        return answer;
      },
      onOutput: (one: ScriptOutput): void => {
        output.push(one);
        onOutput?.();
      },
    };
    return converse(adapter, { skills: [folder], scripts, script }, (conversation) =>
      work({ ...conversation, asked, output, folder }),
    );
  });
}

/** Waits for something that the host learns after its answer. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let round = 0; round < 200 && !isTrue(); round++) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(isTrue());
}
