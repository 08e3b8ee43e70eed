import type { CatalogOptions } from "../../../core/catalog/catalog.ts";
import { operationsIn } from "../../../core/in-session.ts";
import type { OperationOptions } from "../../../core/operations/bind-operations.ts";
import type { ModelTool, OperationTool } from "../../../core/operations/model-tool.ts";
import type { OperationId } from "../../../core/operations/operation-data.ts";
import type { ScriptConsent } from "../../../core/script/script.ts";
import type { Session } from "../../../core/session.ts";
import { aroundCalls } from "../../../core/tool/model-tool.ts";

interface SkillOperationsOptions {
  /** The operations to include, and their names. */
  readonly operations: OperationOptions;
  /** The options of the catalog in the first prompt: the agent lists its tools before it. */
  readonly catalog: CatalogOptions | undefined;
  /** The operations of the run's prompt, for skills that the conversation does not have. */
  readonly others: readonly ModelTool[];
  /** Decides about scripts, if neither the session nor the skill's host does. */
  readonly consent: ScriptConsent;
  /** Called with the instructions of each skill that the agent activates. */
  readonly onInstructions: (text: string) => void;
}

/** Returns the operations on the skills of a conversation, for one run. */
export function skillOperations(
  skills: Session,
  { operations, catalog, others, consent, onInstructions }: SkillOperationsOptions,
): readonly OperationTool[] {
  return operationsIn(skills, operations, { listing: { catalog } }).map((operation) => {
    if (operation.id === "activate_skill") return orElse(withListener(operation, onInstructions), others);
    if (operation.id === "run_skill_script") return orElse(withConsent(operation, consent), others);
    return orElse(operation, others);
  });
}

function withListener<Tool extends ModelTool>(operation: Tool, onText: (text: string) => void): Tool {
  return aroundCalls(operation, (execute) => async (input, options) => {
    const result = await execute(input, options);
    if (!result.isError) onText(result.text);
    return result;
  });
}

function withConsent<Tool extends ModelTool>(operation: Tool, consent: ScriptConsent): Tool {
  // A skill must not get around the run's permissions.
  const scripts = { otherwise: { consent, grants: false } };
  return aroundCalls(operation, (execute) => (input, options) => execute(input, { ...options, scripts }));
}

/** Tries the same operation among `others` for a skill that the first one does not know. */
function orElse<Id extends OperationId>(operation: OperationTool<Id>, others: readonly ModelTool[]): OperationTool<Id> {
  const other = others.find((one): one is ModelTool & OperationTool<Id> => one.id === operation.id);
  if (other === undefined) return operation;
  return {
    ...operation,
    execute: async (input, options) => {
      const result = await operation.execute(input, options);
      return result.isError && result.code === "skill-not-found" ? other.execute(input, options) : result;
    },
  };
}
