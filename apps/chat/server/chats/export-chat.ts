import { getToolName, isToolUIPart } from "ai";
import type { ChatMessage, ChatSummary } from "../../shared/api.ts";
import type { TreeMessage } from "./branches.ts";
import { titleFrom } from "./message-words.ts";
import { type ChatPart, isSkillPart } from "./skill-outputs.ts";

export interface ExportedChat {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/**
 * Exports a chat as a file with the messages of all its branches and the skills it used, without the texts of skills. In
 * Markdown, the branches that are not shown follow the one that is.
 */
export function exportChat(chat: ChatSummary, tree: readonly TreeMessage[], format: "markdown" | "json"): ExportedChat {
  const base =
    chat.title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 50) || "chat";
  if (format === "json") {
    const text = `${JSON.stringify({ ...chat, messages: tree }, null, 2)}\n`;
    return { name: `${base}.json`, type: "application/json; charset=utf-8", text };
  }
  const shown = tree.filter(({ isShown }) => isShown);
  const sections = [...shown.map(toSection), ...otherBranches(tree)];
  const text = `${[`# ${chat.title}`, ...sections].join("\n\n")}\n`;
  return { name: `${base}.md`, type: "text/markdown; charset=utf-8", text };
}

function toSection({ role, parts, metadata }: ChatMessage): string {
  const cut = metadata?.isCut === true ? ["*This answer was cut off.*"] : [];
  return [`## ${role === "user" ? "You" : "Assistant"}`, ...parts.flatMap(toMarkdown), ...cut].join("\n\n");
}

/** The branches that are not shown, each with a heading that says where it starts. */
function otherBranches(tree: readonly TreeMessage[]): readonly string[] {
  const byId = new Map(tree.map((message) => [message.id, message]));
  const families = Map.groupBy(tree, ({ parentId }) => parentId);
  const isStart = ({ isShown, parentId, id }: TreeMessage): boolean => {
    const parent = parentId === undefined ? undefined : byId.get(parentId);
    // A hidden message continues the branch of its hidden parent, unless it is a later version beside another one.
    return !isShown && (parent === undefined || parent.isShown || families.get(parentId)?.[0]?.id !== id);
  };
  const branchFrom = (start: TreeMessage): readonly TreeMessage[] => {
    const branch = [start];
    for (let next: TreeMessage | undefined = start; next !== undefined; ) {
      next = families.get(next.id)?.find((child) => !isStart(child));
      if (next !== undefined) branch.push(next);
    }
    return branch;
  };
  return tree.filter(isStart).flatMap((start) => {
    const before = start.parentId === undefined ? undefined : byId.get(start.parentId);
    const place = before === undefined ? "at the start" : `after: ${titleFrom(before)}`;
    return [`---\n\n# Another branch, ${place}`, ...branchFrom(start).map(toSection)];
  });
}

function toMarkdown(part: ChatPart): string[] {
  if (part.type === "text") return [part.text];
  if (part.type === "data-attachment") {
    const { name, mediaType, size, digest } = part.data;
    return [`> Attached: \`${name}\` (${mediaType}, ${size} bytes, ${digest})`];
  }
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
