import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type CatalogOptions,
  type CreateSkillsetOptions,
  createSkillset,
  type SessionOptions,
  type SkillInput,
} from "skillset";
import type { ScriptOptions } from "skillset/scripts";
import type { ScriptStep, ToolCall } from "../model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../model/scripted-model.ts";
import type { ReceivedRequest } from "../wire/model-request.ts";
import type { ContractAdapter, ContractAgent, ContractSetup } from "./contract-adapter.ts";

export interface ConversationSetup extends Omit<ContractSetup, "skills" | "modelUrl"> {
  readonly skills: readonly SkillInput[];
  /** Runs the skills' scripts. */
  readonly scripts?: ScriptOptions;
  /** Where the tools of toolsets run. */
  readonly toolsets?: CreateSkillsetOptions["toolsets"];
  /** What `allowed-tools` does. */
  readonly allowedTools?: SessionOptions["allowedTools"];
  /** The maximum size of the catalog. */
  readonly catalogBudget?: CatalogOptions["budget"];
  readonly script: readonly ScriptStep[];
  /** `global` if a message is sent again with additions, which the model would treat as another conversation. */
  readonly pace?: "conversation" | "global";
}

export interface ContractConversation {
  readonly agent: ContractAgent;
  readonly model: ConversationModel;
}

/** The model, with its requests as the adapter views them. */
export type ConversationModel = Pick<ScriptedModel, "url" | "requests" | "faults">;

/** Starts a model and an agent, runs the conversation, and checks that everything followed the script. */
export async function converse(
  adapter: ContractAdapter,
  {
    skills,
    scripts,
    toolsets,
    allowedTools,
    catalogBudget,
    script,
    pace = "conversation",
    ...setup
  }: ConversationSetup,
  work: (conversation: ContractConversation) => Promise<void>,
): Promise<void> {
  // Not `await using`: the oldest supported Node does not have it.
  const scripted = await startScriptedModel(script, { isSide: () => false, pace });
  const view = (request: ReceivedRequest): ReceivedRequest => adapter.view?.(request) ?? request;
  const model: ConversationModel = {
    url: scripted.url,
    get requests() {
      return scripted.requests.map(view);
    },
    faults: scripted.faults,
  };
  let agent: ContractAgent | undefined;
  try {
    const skillset = await createSkillset(skills, {
      ...(scripts && { scripts }),
      ...(toolsets && { toolsets }),
      ...(allowedTools && { allowedTools }),
      ...(catalogBudget && { catalog: { budget: catalogBudget } }),
    });
    agent = await adapter.start({ ...setup, skills: skillset, modelUrl: model.url });
    await work({ agent, model });
  } catch (error) {
    // If the script could not be played, the fault explains more than the failed assertion.
    assert.deepEqual(model.faults, [], (error as Error).message);
    throw error;
  } finally {
    await agent?.close();
    await scripted.close();
  }
  assert.deepEqual(model.faults, []);
}

/** Returns the call with which the model calls a skill's tool. */
export function toolCall(
  adapter: ContractAdapter,
  skill: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
): ToolCall {
  return adapter.toolCall?.(skill, tool, input) ?? { call: `${skill}__${tool}`, input };
}

/** Returns the newest request. */
export function lastRequest({ requests }: ConversationModel): ReceivedRequest {
  const request = requests.at(-1);
  assert.ok(request, "The model received no request.");
  return request;
}

/** Returns the results of the newest calls, in order. */
export function resultsIn(request: ReceivedRequest): readonly string[] {
  return request.toolResults.map(({ text }) => text);
}

/** Returns all text that a request sends to the model, without the tools. */
export function toldIn({ system, messages, toolResults }: ReceivedRequest): string {
  return [system, ...messages.map(({ text }) => text), ...toolResults.map(({ text }) => text)].join("\n");
}

/** Returns how often a text occurs in a request. */
export function timesTold(request: ReceivedRequest, text: string): number {
  return toldIn(request).split(text).length - 1;
}

/** Returns a user's message without the text that the library adds before it. */
export function wordsIn({ text }: { readonly text: string }): string {
  return text.replace(/<skill_notice>[\s\S]*?<\/skill_notice>\n+/g, "");
}

/** Returns the messages as sent, without system messages and without the marks of prompt caches, which are no content. */
export function sentMessages({ body }: ReceivedRequest): readonly unknown[] {
  const items = [body.messages, body.input, body.contents].find(Array.isArray) ?? [];
  const json = JSON.stringify(items.filter(({ role }) => role !== "system" && role !== "developer"));
  return JSON.parse(json, (key, value) => (key === "cache_control" ? undefined : value));
}

/** Writes a folder of skills, and removes it after the work. */
export async function withFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillset-contract-")));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
