import type { ModelTool } from "../../core/tool/model-tool.ts";

/** Tries another operation for a skill that the first one does not know. */
export function orElse(operation: ModelTool, other: ModelTool | undefined): ModelTool {
  if (other === undefined) return operation;
  return {
    ...operation,
    execute: async (input, options) => {
      const result = await operation.execute(input, options);
      return result.isError && result.code === "skill-not-found" ? other.execute(input, options) : result;
    },
  };
}
