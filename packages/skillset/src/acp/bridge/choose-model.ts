import { methods, type NewSessionResponse, type SessionConfigOption } from "@agentclientprotocol/sdk";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import type { AgentLink } from "../link/agent-link.ts";

/** The model that the caller asks for. */
export interface AskedModel {
  readonly name: string;
  /** Whether the agent was started with the model, so that it need not offer a choice. */
  readonly isStarted: boolean;
}

/**
 * Sets the model of a session: with a configuration option or, for older agents, with `session/set_model`. Throws if the
 * agent does not have the model.
 */
export async function chooseModel(
  link: AgentLink,
  session: NewSessionResponse,
  { name, isStarted }: AskedModel,
): Promise<void> {
  const choice = choiceOf(link, session);
  if (choice === undefined) {
    if (isStarted) return;
    throw new SkillError(
      "option-invalid",
      `${who(link)} does not let clients choose a model. Remove 'model', and set the model in the agent's own settings.`,
    );
  }
  const { models, current, set } = choice;
  const found = models.find(({ id }) => id === name) ?? models.find((model) => isSame(model.name ?? "", name));
  if (found === undefined) {
    const names = models.slice(0, LIMITS.shown.names).map(({ id }) => id);
    const more = models.length > names.length ? `, and ${models.length - names.length} more` : "";
    const message = `${who(link)} has no model '${name}'. Its models: ${names.join(", ")}${more}.`;
    throw new SkillError("option-invalid", message);
  }
  if (found.id !== current) await set(link, found.id);
}

interface ModelChoice {
  readonly models: readonly { readonly id: string; readonly name?: string }[];
  readonly current: string;
  readonly set: (link: AgentLink, id: string) => Promise<unknown>;
}

/** Responses are not validated, so a list can be anything. */
function choiceOf(link: AgentLink, session: NewSessionResponse): ModelChoice | undefined {
  try {
    return choiceIn(session);
  } catch (cause) {
    throw new SkillError("agent-failed", `${who(link)} sent an invalid list of models.`, { cause });
  }
}

function choiceIn(session: NewSessionResponse): ModelChoice | undefined {
  const { sessionId, configOptions } = session;
  const option = configOptions?.filter(isSelect).find(({ category, id }) => category === "model" || id === "model");
  if (option !== undefined)
    return {
      models: option.options
        .flatMap((one) => ("options" in one ? one.options : [one]))
        .map(({ value, name }) => ({ id: value, name })),
      current: option.currentValue,
      set: (link, value) =>
        link.request(methods.agent.session.setConfigOption, { sessionId, configId: option.id, value }),
    };
  // Not in the protocol any more, but agents still use it.
  const { models } = session as { readonly models?: OlderModels | null };
  return models == null
    ? undefined
    : {
        models: models.availableModels.map(({ modelId, name }) => ({ id: modelId, name })),
        current: models.currentModelId,
        set: (link, modelId) => link.requestOther("session/set_model", { sessionId, modelId }),
      };
}

interface OlderModels {
  readonly availableModels: readonly { readonly modelId: string; readonly name?: string }[];
  readonly currentModelId: string;
}

function isSelect(option: SessionConfigOption): option is Extract<SessionConfigOption, { readonly type: "select" }> {
  return option.type === "select";
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function who({ name }: AgentLink): string {
  return name === "" ? "The agent" : `The agent '${name}'`;
}
