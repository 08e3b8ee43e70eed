import type { ModelTool, OperationTool } from "../../core/operations/model-tool.ts";
import type { OperationId } from "../../core/operations/operation-data.ts";

/** Tries the same operation among `others` for a skill that the first one does not know. */
export function orElse<Id extends OperationId>(
  operation: OperationTool<Id>,
  others: readonly ModelTool[],
): OperationTool<Id> {
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
