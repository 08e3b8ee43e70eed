import { claude } from "./fixtures/evaluators/claude.ts";
import { runContract } from "./fixtures/evaluators/run-contract.ts";

runContract(claude);
