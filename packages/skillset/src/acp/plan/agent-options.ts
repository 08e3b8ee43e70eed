import { acpProgramCalled } from "../../agents/find-agent.ts";
import { DEFAULTS } from "../../core/base/limits.ts";
import type { CatalogOptions } from "../../core/catalog/catalog.ts";
import type { OperationOptions } from "../../core/operations/bind-operations.ts";
import type { AgentConversationOptions } from "../bridge/conversation.ts";
import type { AgentLink } from "../link/agent-link.ts";
import type { PermissionPolicy } from "./permissions.ts";

export interface AgentOptions {
  /** The working folder of runs that name none; this program's by default. */
  readonly cwd?: string;
  /** What the agent may do when it asks, in runs that do not say; nothing by default. */
  readonly permissions?: PermissionPolicy;
  /** How the agent is given our tools; by default what it says it takes is tried first, then the other. */
  readonly bridge?: "http" | "stdio" | "none";
  /** How long the agent may take to ask for the tools before another way is tried, in milliseconds. */
  readonly bridgeTimeout?: number;
  /** How long the agent may take to start, and to start a session, in milliseconds. */
  readonly startTimeout?: number;
  /** Put the instructions of all skills into the prompt when the agent does not come to call our tools. */
  readonly inject?: boolean;
  /** Which operations on skills the agent has, under which names. */
  readonly operations?: Omit<OperationOptions, "fixedList" | "allowHidden">;
  /** How the catalog of skills looks in the prompt. */
  readonly catalog?: CatalogOptions;
}

/** The options of a conversation, by what the agent is known to do and what it says of itself. */
export function conversationOptions(
  link: AgentLink,
  {
    bridge,
    bridgeTimeout = DEFAULTS.bridgeTimeout,
    startTimeout = DEFAULTS.startTimeout,
    operations = {},
  }: AgentOptions,
  { cwd, isLasting }: Pick<AgentConversationOptions, "cwd" | "isLasting">,
): AgentConversationOptions {
  const said = link.capabilities.mcpCapabilities?.http === true ? (["http", "stdio"] as const) : (["stdio"] as const);
  const asked = bridge === undefined ? undefined : bridge === "none" ? [] : [bridge];
  return {
    cwd,
    isLasting,
    operations,
    startTimeout,
    bridgeTimeout,
    bridges: asked ?? acpProgramCalled(link.name)?.bridges ?? said,
  };
}
