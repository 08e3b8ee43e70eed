import { toolCall } from "../../packages/testing/src/contract/contract-conversation.ts";
import type { ContractAdapter, ToolCall } from "../../packages/testing/src/index.ts";
import { ANSWERS, activate, read, type Situation } from "./situation.ts";
import { brewer, CAREFUL, COFFEE, NO_PROGRAM, SCRIPTED, TEA } from "./skills.ts";

const script = ANSWERS;
const FILES = ["leaves.md", "prices.csv", "leaf.png", "none.md", "../secret"];
const scripts = { runner: NO_PROGRAM, consent: () => "always" as const };
const run = (path: string, input: Readonly<Record<string, unknown>> = {}): ToolCall => ({
  call: "run_skill_script",
  input: { skill: "scripted", script: path, ...input },
});
const SHELL = {
  name: "shell",
  description: "Runs a command",
  inputSchema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
  handler: ({ command }: { readonly command: string }) => `ran ${command}`,
};

/** What a model does with an active skill, and how operations can be configured. */
export const use = (adapter: ContractAdapter): readonly Situation[] => [
  {
    title: "files",
    setup: {
      skills: [brewer("1")],
      script: [activate("brewer"), { calls: FILES.slice(0, 1).map((path) => read("brewer", path)) }, ...script],
    },
    talk: ["Brew.", "Thanks."],
  },
  {
    title: "files of several kinds, and wrong paths",
    setup: { skills: [brewer("1")], script: [{ calls: FILES.map((path) => read("brewer", path)) }, ...script] },
    talk: ["Read.", "Thanks."],
  },
  {
    title: "files that are cut",
    setup: {
      skills: [brewer("1")],
      session: { limits: { resourceBytes: 5, fileBytes: 5 } },
      script: [{ calls: FILES.slice(0, 3).map((path) => read("brewer", path)) }, ...script],
    },
    talk: ["Read."],
  },
  {
    title: "tools of a skill",
    setup: {
      skills: [brewer("1"), TEA],
      script: [
        activate("brewer"),
        {
          calls: [
            toolCall(adapter, "brewer", "brew", { cups: 2 }),
            toolCall(adapter, "brewer", "brew", { cups: "many" }),
          ],
        },
        ...script,
      ],
    },
    talk: ["Brew.", "Thanks."],
  },
  {
    title: "tools of a skill, through the operation for them",
    setup: {
      skills: [brewer("1"), TEA],
      operations: { include: ["activate_skill", "call_skill_tool"] },
      script: [
        activate("brewer"),
        { call: "call_skill_tool", input: { skill: "brewer", tool: "brew", input: { cups: 2 } } },
        { call: "call_skill_tool", input: { skill: "brewer", tool: "none", input: {} } },
        { call: "call_skill_tool", input: { skill: "tea", tool: "brew" } },
        ...script,
      ],
    },
    talk: ["Brew."],
  },
  {
    title: "tools of the host",
    needs: "host-tools",
    setup: { skills: [TEA], tools: [SHELL], script: [{ call: "shell", input: { command: "ls" } }, ...script] },
    talk: ["List.", "Thanks."],
  },
  {
    title: "a skill that restricts the host's tools",
    needs: "host-rules",
    setup: {
      skills: [CAREFUL],
      allowedTools: "enforce",
      tools: [SHELL],
      script: [activate("careful"), { call: "shell", input: { command: "ls" } }, ...script],
    },
    talk: ["List.", "Thanks."],
  },
  {
    title: "scripts",
    setup: {
      skills: [SCRIPTED],
      scripts,
      script: [
        activate("scripted"),
        run("scripts/brew.mjs", { args: ["green", "a b"], input: { cups: 2 } }),
        run("scripts/fail.mjs"),
        run("scripts/none.mjs"),
        run("scripts/brew.mjs", { args: "green" }),
        ...script,
      ],
    },
    talk: ["Brew.", "Thanks."],
  },
  {
    title: "scripts without consent",
    setup: {
      skills: [SCRIPTED],
      scripts: { ...scripts, consent: () => "deny" as const },
      script: [run("scripts/brew.mjs"), ...script],
    },
    talk: ["Brew."],
  },
  {
    title: "scripts that cannot run",
    setup: { skills: [SCRIPTED], script: [activate("scripted"), ...script] },
    talk: ["Brew."],
  },
  {
    title: "a runner without scripts",
    setup: { skills: [TEA], scripts, script: [activate("tea"), ...script] },
    talk: ["Brew."],
  },
  {
    title: "aliases",
    setup: {
      skills: [TEA, COFFEE, brewer("1")],
      operations: {
        aliases: {
          activate_skill: { name: "load_skill", title: "Load", arguments: { name: "skill_name" } },
          read_skill_file: { name: "load_file", arguments: { skill: "of", path: "file" } },
        },
      },
      script: [
        { call: "load_skill", input: { skill_name: "brewer" } },
        { call: "load_file", input: { of: "brewer", file: "leaves.md" } },
        { call: "load_file", input: { of: "brewer" } },
        ...script,
      ],
    },
    talk: ["Tea, please.", "Thanks."],
  },
  {
    title: "few operations, and no list of names",
    setup: {
      skills: [TEA, COFFEE],
      operations: { include: ["activate_skill"], maxEnumNames: 1 },
      script: [activate("tea"), ...script],
    },
    talk: ["Tea, please."],
  },
];
