import type { CallableTool, PreparedTool } from "../tool/model-tool.ts";
import type { OperationData, OperationId } from "./operation-data.ts";

/** An SDK-neutral tool for a model: an operation on skills, or a `Tool` of a skill, a section or a run. */
export type ModelTool = OperationTool | PreparedTool;

/** An operation on skills. Its `id` decides what the data of its results is. */
export type OperationTool<Id extends OperationId = OperationId> = { [Each in Id]: OneOperation<Each> }[Id];

interface OneOperation<Id extends OperationId> extends CallableTool<OperationData[Id]> {
  /** The operation, whatever its name. */
  readonly id: Id;
}
