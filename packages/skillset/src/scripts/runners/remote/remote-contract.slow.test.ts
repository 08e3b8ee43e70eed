import { createJustBashSandbox } from "@ai-sdk/sandbox-just-bash";
import { afterAll, describe, test } from "vitest";
import { type ContractRunner, scriptRunnerContract } from "../../../../../testing/src/index.ts";
import { remote } from "./remote.ts";
import { ShellSession } from "./shell-session.ts";

interface Contract extends ContractRunner {
  readonly runner: ReturnType<typeof remote>;
  /** Single behaviours that the machine lacks, each with the reason. One that it has after all fails here. */
  readonly differences: Readonly<Record<string, string>>;
  /** Those that take minutes, so that they are not tried. */
  readonly untried?: Readonly<Record<string, string>>;
}

const shell = (name: string, program: string): Contract => ({
  name,
  runner: remote(new ShellSession(program)),
  lacks: { contained: "the session has plain processes on this machine" },
  differences: { "stream-names": "the streams are sockets of Node, which cannot be opened by name" },
});

const contracts: readonly Contract[] = [
  shell("a session with sh", "/bin/sh"),
  shell("a session with bash", "/bin/bash"),
  {
    name: "the AI SDK's session with just-bash",
    runner: remote(await createJustBashSandbox().createSession(), { name: "just-bash" }),
    lacks: {
      processes: "just-bash is one process",
      memory: "just-bash limits the size of values itself",
      python: "the session has no Python",
      javascript: "the session has no JavaScript",
      typescript: "the session has no TypeScript",
    },
    differences: {
      args: "its shell answers an argument --help itself",
      environment: "its env also lists variables of the shell itself",
      "quoted-variables": "it removes spaces after a line break in a variable",
      binary: "the session decodes what a script prints",
      progress: "output arrives when the script has ended",
      "time-limit": "it stops a script after 10,000 commands, before the limit",
      abort: "the scenario waits for output, which arrives at the end",
      "no-host-files": "it has a folder /home, in memory",
    },
    untried: { "files-limit": "appending to a file takes it minutes, and holds this process" },
  },
];

describe.for(contracts)("$name", (contract) => {
  for (const { id, title, needs = [], run } of scriptRunnerContract) {
    const [difference, untried] = [contract.differences[id], contract.untried?.[id]];
    if (needs.some((need) => contract.lacks?.[need] !== undefined)) continue;
    if (untried !== undefined) test.skip(`${id}: not tried, because ${untried}`, () => {});
    else if (difference !== undefined) test.fails(`${id}: differs, because ${difference}`, () => run(contract));
    else test(`${id}: ${title}`, () => run(contract));
  }
  afterAll(() => contract.runner.close());
});
