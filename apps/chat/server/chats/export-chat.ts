import { getToolName, isToolUIPart } from "ai";
import type { ChatMessage, ChatSummary } from "../../shared/api.ts";
import { type ChatPart, isSkillPart } from "./skill-outputs.ts";

export interface ExportedChat {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Exports a chat as a file with its messages and the skills it used, without the texts of skills. */
export function exportChat(
  chat: ChatSummary,
  messages: readonly ChatMessage[],
  format: "markdown" | "json",
): ExportedChat {
  const base =
    chat.title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 50) || "chat";
  if (format === "json") {
    const text = `${JSON.stringify({ ...chat, messages }, null, 2)}\n`;
    return { name: `${base}.json`, type: "application/json; charset=utf-8", text };
  }
  const sections = messages.map((message) => {
    const { role, parts, metadata } = message;
    const cut = metadata?.isCut === true ? ["*This answer was cut off.*"] : [];
    return [`## ${role === "user" ? "You" : "Assistant"}`, ...parts.flatMap(toMarkdown), ...cut].join("\n\n");
  });
  const text = `${[`# ${chat.title}`, ...sections].join("\n\n")}\n`;
  return { name: `${base}.md`, type: "text/markdown; charset=utf-8", text };
}

function toMarkdown(part: ChatPart): string[] {
  if (part.type === "text") return [part.text];
  if (isSkillPart(part)) {
    if (part.state !== "output-available" && part.state !== "output-error") return [];
    const failed = part.state === "output-error" || part.output.isError ? " (refused)" : "";
    const { name } = part.input ?? { name: "?" };
    const path = part.type === "tool-skills_read_resource" ? ` ${part.input?.path}` : "";
    const title = part.type === "tool-skills_activate" ? "skills.activate" : "skills.readResource";
    return [`> \`${title}\` ${name}${path}${failed}`];
  }
  if (part.type === "tool-skills_search") return [`> \`skills.search\` ${part.input?.query ?? "?"}`];
  if (part.type === "tool-skills_run_script") {
    return [`> \`skills.runScript\` ${part.input?.name ?? "?"} ${part.input?.script ?? ""}`];
  }
  return isToolUIPart(part) ? [`> \`${getToolName(part)}\``] : [];
}
