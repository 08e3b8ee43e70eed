import { opencode } from "./fixtures/evaluators/agents.ts";
import { runContract } from "./fixtures/evaluators/run-contract.ts";

// It takes many seconds to start in a new home, so only a part of the contract is run.
runContract(opencode, ["text", "tool", "open", "read", "output", "skill", "skill-ref", "listed", "abort-during"]);
