import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { SkillError } from "../../core/base/errors.ts";
import { LIMITS } from "../../core/base/limits.ts";
import { outputsOf } from "../../core/host/outputs-of.ts";
import type { OutputFiles } from "../../core/host/script-host.ts";
import { hostOf } from "../../core/host/skill-host.ts";
import { describeLevel } from "../../core/script/describe-level.ts";
import type {
  ConsentAnswer,
  ConsentChoice,
  ConsentRequest,
  ScriptFile,
  ScriptHooks,
  ScriptOutput,
} from "../../core/script/script.ts";
import type { Session } from "../../core/session.ts";
import { escapeUnits, visibleText } from "../../core/text/escape.ts";
import { fileKindOf } from "../../core/text/file-kind.ts";
import { fileUri, toFileContent } from "../tools/file-content.ts";
import type { ToolCall } from "../tools/serve-tools.ts";
import { reportProgress } from "./script-progress.ts";

/** Settings for `openScriptCall`. */
export interface ScriptCallSettings {
  /** The skills whose scripts run without a question. */
  readonly allowScripts: readonly string[];
  /** Whether later calls use the same session. Otherwise a result contains the files that the script wrote. */
  readonly isLasting: boolean;
}

/** Prepares one tool call for a script: who is asked for consent, live output, and what the client gets. */
export function openScriptCall(
  { id, skillset }: Pick<Session, "id" | "skillset">,
  { mcpReq }: ServerContext,
  capabilities: ClientCapabilities,
  { allowScripts, isLasting }: ScriptCallSettings,
): ToolCall {
  const outputs = outputsOf(skillset, id);
  if (outputs === undefined) return {};
  const hooksOf = (skill: string): ScriptHooks => hostOf(skillset, skillset.get(skill)).scripts ?? {};
  let question: InputRequiredResult | undefined;
  const progress = reportProgress(mcpReq);
  const consent = (request: ConsentRequest): ConsentAnswer | Promise<ConsentAnswer> => {
    if (allowScripts.includes(request.skill)) return "always";
    const { consent: own } = hooksOf(request.skill);
    if (own !== undefined) return own(request);
    if (!showsForms(capabilities)) return { deny: nobodyToAsk(request.skill) };
    const key = `consent ${request.digest}`;
    const response = inputResponse(mcpReq.inputResponses, key);
    if (response.kind === "elicit") return answerOf(response, isLasting);
    question = inputRequired({ inputRequests: { [key]: inputRequired.elicit(questionFor(request, isLasting)) } });
    // The client asks its user, and then sends the request again with the answer.
    throw new SkillError("consent-required", "Somebody must consent to the script first.");
  };
  const onOutput = (output: ScriptOutput & { readonly skill: string; readonly script: string }): void => {
    hooksOf(output.skill).onOutput?.(output);
    progress.add(output.text);
  };
  let written: readonly ScriptFile[] = [];
  return {
    execute: async (tool, input, options) => {
      const withHooks = { ...options, scripts: { consent, onOutput } };
      if (tool.id !== "run_skill_script") return tool.execute(input, withHooks);
      const result = await tool.execute(input, withHooks);
      if (!result.isError) written = result.data.files;
      return result;
    },
    finish: async (result) => {
      progress.end();
      if (question !== undefined) return question;
      if (isLasting) return result;
      try {
        return await withFiles(result, written, outputs);
      } finally {
        outputs.remove();
      }
    },
  };
}

const ANSWERS = {
  once: "Run once",
  always: "Always for this version",
  deny: "Deny",
} as const satisfies Record<ConsentChoice, string>;

function questionFor(request: ConsentRequest, isLasting: boolean) {
  const { skill, args, input, files, env = [], level } = request;
  const lines = [
    `Skill '${skill}' wants to run ${shown(describeRun(request))} on the server's machine, ${describeLevel(level)}.`,
    ...(args.length === 0 ? [] : [`Arguments: ${shownJson(args)}`]),
    ...(input === undefined ? [] : [`Input: ${shownJson(input)}`]),
    ...(env.length === 0 ? [] : [`It gets ${env.join(", ")} of the server.`]),
    ...Object.entries(files).map(([path, text]) => `File ${shownJson(path)}: ${shownJson(text)}`),
  ];
  const answers = isLasting ? Object.values(ANSWERS) : [ANSWERS.once, ANSWERS.deny];
  // Not an enum with titles: the two protocol versions write it differently.
  const answer = { type: "string" as const, title: "Run it?", enum: [...answers] };
  return {
    mode: "form" as const,
    message: lines.join("\n"),
    requestedSchema: { type: "object" as const, properties: { answer }, required: ["answer"] },
  };
}

/** Says what would run: `scripts/brew.sh`, or a tool and its module. */
function describeRun({ script, toolset }: ConsentRequest): string {
  if (toolset === undefined) return script;
  return toolset.tool === undefined ? `its tools in ${script}` : `its tool '${toolset.tool}' in ${script}`;
}

/** The model chooses arguments, so they must not hide anything from a reader. */
function shown(text: string): string {
  const visible = visibleText(text);
  return visible.length <= MOST_SHOWN ? visible : `${visible.slice(0, MOST_SHOWN)}… (${visible.length} characters)`;
}

/** Hidden characters are escaped, not removed: two texts that differ must not look the same. */
function shownJson(value: unknown): string {
  return shown(JSON.stringify(value).replace(/\p{C}/gu, escapeUnits));
}

const MOST_SHOWN = 1_000;

function answerOf(
  { action, content }: { readonly action: string; readonly content?: Readonly<Record<string, unknown>> },
  isLasting: boolean,
): ConsentAnswer {
  if (action !== "accept") return "deny";
  if (content?.answer === ANSWERS.always && isLasting) return "always";
  return content?.answer === ANSWERS.once ? "once" : "deny";
}

/** A client that names no mode has forms. */
function showsForms({ elicitation }: ClientCapabilities): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function nobodyToAsk(skill: string): string {
  return `The scripts of skill '${skill}' may not run: this client cannot ask for consent. Start the server with --allow-scripts ${skill}`;
}

/** Adds the files that a script wrote, as far as they fit. */
async function withFiles(
  result: CallToolResult,
  files: readonly ScriptFile[],
  outputs: OutputFiles,
): Promise<CallToolResult> {
  const content = [...result.content];
  let left = LIMITS.soft.resource;
  for (const { path, size } of files) {
    left -= size;
    if (left < 0)
      content.push({ type: "text", text: `The files from ${path} on are too large to attach, and are lost.` });
    if (left < 0) break;
    const data = await outputs.read(path);
    content.push(
      toFileContent({ mediaType: fileKindOf(path, data).mediaType, data }, fileUri({ path: `$OUTPUT_DIR/${path}` })),
    );
  }
  return { ...result, content };
}
