import type { BridgeTransport } from "../../agents/agent-definition.ts";
import { acpProgramCalled } from "../../agents/find-agent.ts";
import type { AllowedToolsPolicy } from "../../core/allowed-tools/decide-call.ts";
import type { ToolNames } from "../../core/allowed-tools/judged-call.ts";
import { DEFAULTS } from "../../core/base/limits.ts";
import type { CatalogOptions } from "../../core/catalog/catalog.ts";
import type { OperationOptions } from "../../core/operations/bind-operations.ts";
import type { ScriptOptions } from "../../core/script/script-options.ts";
import type { SessionTelemetry } from "../../core/session/telemetry.ts";
import type { AgentSessionOptions } from "../bridge/agent-session.ts";
import type { AgentLink } from "../link/agent-link.ts";
import type { PermissionPolicy } from "./permissions.ts";

/** Options for every run of an agent. */
export interface AgentOptions {
  /**
   * The working folder of runs that set none.
   * @default process.cwd()
   */
  readonly cwd?: string;
  /**
   * What the agent may do when it asks for permission, for runs that set no policy.
   * @default {}, which denies everything
   */
  readonly permissions?: PermissionPolicy;
  /**
   * Runs the scripts of skills, except of skillsets and sessions with their own option `scripts`. Without `consent`, the
   * run's permissions decide, about a request of the kind `execute`.
   */
  readonly scripts?: ScriptOptions;
  /**
   * What `allowed-tools` of active skills does when the agent asks for permission: nothing (`off`), records requests
   * outside it (`log`), or denies them. Sessions that you pass have their own option.
   * @default the strictest of the skillsets, or "log"
   */
  readonly allowedTools?: AllowedToolsPolicy;
  /** The agent's names for tools, by the names that authors of skills write, such as `{ Bash: "shell" }`. */
  readonly toolNames?: ToolNames;
  /**
   * The transport over which the agent gets the tools.
   * @default the transports that the agent supports, tried in order
   */
  readonly bridge?: BridgeTransport | "none";
  /**
   * How long the agent may take to list the tools before the next transport is tried, in milliseconds.
   * @default 10_000
   */
  readonly bridgeTimeout?: number;
  /**
   * How long the agent may take to start, and to start a session, in milliseconds.
   * @default 60_000
   */
  readonly startTimeout?: number;
  /**
   * How long a cancelled agent may take to end its turn before it is stopped, in milliseconds. A run that times out on an
   * agent that ignores the cancellation settles that much later.
   * @default 5_000
   */
  readonly cancelTimeout?: number;
  /**
   * Adds the instructions of all skills to the prompt if the agent cannot call the tools.
   * @default false
   */
  readonly inject?: boolean;
  /**
   * Which skill operations the agent gets, and their names.
   * @default {}
   */
  readonly operations?: Omit<OperationOptions, "fixedList" | "allowHidden">;
  /**
   * How the prompt formats the skill catalog.
   * @default {}
   */
  readonly catalog?: CatalogOptions;
  /** Observes what runs do with skills, like `skillset/opentelemetry`. Sessions that you pass have their own option. */
  readonly telemetry?: SessionTelemetry;
  /**
   * The maximum number of tokens for the instructions of skills, in each run or conversation. Sessions that you pass have
   * their own option.
   * @default unlimited
   */
  readonly budget?: { readonly tokens: number };
  /**
   * Describes skills that clearly fit the prompt and that the catalog does not describe.
   * @default false
   */
  readonly suggest?: boolean;
}

/** Returns the options of an ACP session, based on the known agents and on the agent's reported capabilities. */
export function sessionOptions(
  link: AgentLink,
  {
    bridge,
    bridgeTimeout = DEFAULTS.bridgeTimeout,
    startTimeout = DEFAULTS.startTimeout,
    cancelTimeout = DEFAULTS.cancelTimeout,
  }: AgentOptions,
  given: Pick<AgentSessionOptions, "cwd" | "isLasting" | "model">,
): AgentSessionOptions {
  const said = link.capabilities.mcpCapabilities?.http === true ? (["http", "stdio"] as const) : (["stdio"] as const);
  const asked = bridge === undefined ? undefined : bridge === "none" ? [] : [bridge];
  const bridges = asked ?? acpProgramCalled(link.name)?.bridges ?? said;
  return { ...given, startTimeout, bridgeTimeout, cancelTimeout, bridges };
}
