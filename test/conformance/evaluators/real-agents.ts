import type { ContractEvaluator } from "../../../packages/testing/src/index.ts";
import { acp } from "./acp.ts";

type RealAgent = Required<Pick<ContractEvaluator, "name" | "lacks">>;

/** Real agents that `npm run test:agents` runs the contract on: here without the programs, for the table in the docs. */
export const CLAUDE: RealAgent = {
  name: "Claude Agent SDK",
  lacks: {
    "written-output": "Claude Code asks its model again until it returns the output",
    "skill-search": "the agent lists the folder itself",
    "early-finish": "Claude Code continues a cut answer, and asks again after a refusal",
    "unreadable-answer": "Claude Code asks again after an unreadable answer",
  },
};

export const CODEX: RealAgent = {
  name: "Codex over ACP",
  lacks: {
    ...acp.lacks,
    "model-errors": "Codex reports the error as its answer",
    "early-finish": "Codex reports what it has as its answer",
    "unreadable-answer": "Codex reports the error as its answer",
  },
};
