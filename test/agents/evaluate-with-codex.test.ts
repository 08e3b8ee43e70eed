import { codex } from "./fixtures/evaluators/agents.ts";
import { runContract } from "./fixtures/evaluators/run-contract.ts";

runContract(codex);
