import type { OperationData, OperationId } from "../../../packages/skillset/src/adapter/index.ts";
import type { LedgerEvent } from "../../../packages/skillset/src/core/session/ledger.ts";

/** A call of one operation in the world of `world.ts`, and what follows from it. */
export interface OperationCase<Id extends OperationId> {
  readonly input: Readonly<Record<string, unknown>>;
  /** What the model reads. */
  readonly text: RegExp;
  /** A part of the structured content. */
  readonly data: Partial<OperationData[Id]>;
  /** A part of the event that the session records. */
  readonly event: Partial<LedgerEvent>;
  /** The result where no session outlives a request. Such a call records nothing. */
  readonly stateless?: { readonly text: RegExp; readonly data: Partial<OperationData[Id]> };
}

/** Every operation, in the order of the calls. */
export const CASES: { readonly [Id in OperationId]: OperationCase<Id> } = {
  activate_skill: {
    input: { name: "tea" },
    text: /^<skill_content name="tea">\nSteep the leaves\.[\s\S]*<file>leaves\.md<\/file>/,
    data: { name: "tea", body: "Steep the leaves.", truncated: false, files: ["leaves.md", "scripts/brew.sh"] },
    event: { type: "skill-activated", skill: "tea", by: "model" },
  },
  read_skill_file: {
    input: { skill: "tea", path: "leaves.md" },
    text: /^Sencha is green\.\n$/,
    data: { skill: "tea", path: "leaves.md", truncated: false },
    event: { type: "file-read", skill: "tea", path: "leaves.md", bytes: 17 },
  },
  call_skill_tool: {
    input: { skill: "coffee", tool: "grind", input: { grams: 18 } },
    text: /^18 g are ground\.$/,
    data: { skill: "coffee", tool: "grind", result: "18 g are ground." },
    event: { type: "tool-called", skill: "coffee", tool: "grind", outcome: "succeeded" },
  },
  run_skill_script: {
    input: { skill: "tea", script: "scripts/brew.sh", args: ["green"] },
    text: /^scripts\/brew\.sh succeeded after \d+ ms [\s\S]*<stdout>\nbrewing green\n<\/stdout>\n\nFiles in \$OUTPUT_DIR:\n- cup\.txt/,
    data: { skill: "tea", script: "scripts/brew.sh", outcome: "exited", stdout: "brewing green\n" },
    event: { type: "script-run", skill: "tea", script: "scripts/brew.sh", outcome: "exited" },
  },
  search_skills: {
    input: { query: "makes tea" },
    text: /^- \*\*tea\*\*: Makes tea\./,
    data: {},
    event: { type: "skills-searched", words: 2 },
  },
  deactivate_skill: {
    input: { name: "tea" },
    text: /^Skill 'tea' is no longer active\.$/,
    data: { name: "tea", wasActive: true },
    event: { type: "skill-deactivated", skill: "tea" },
    stateless: { text: /^Skill 'tea' was not active\.$/, data: { name: "tea", wasActive: false } },
  },
};
