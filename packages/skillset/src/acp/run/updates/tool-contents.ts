import type { ContentBlock, ToolCallContent, ToolCallLocation } from "@agentclientprotocol/sdk";
import { LIMITS } from "../../../core/base/limits.ts";
import type { ToolContent, ToolLocation } from "../../options/tool-report.ts";
import type { TerminalOutput } from "./terminal-outputs.ts";

/** Converts the contents of a tool call. Together they have a limited size, so that an event stays small. */
export function contentsOf(
  content: readonly ToolCallContent[],
  outputOf: (terminalId: string) => TerminalOutput,
): readonly ToolContent[] {
  const room = new Room(LIMITS.agent.toolCharacters);
  return content.slice(0, LIMITS.agent.toolContents).map((part) => {
    if (part.type === "content") return blockOf(part.content, room);
    if (part.type === "terminal") {
      const { output: kept, truncated } = outputOf(part.terminalId);
      const output = room.end(kept);
      return { type: "terminal", id: part.terminalId, output, truncated: truncated || output.length < kept.length };
    }
    const { path, oldText, newText } = part;
    const [before, after] = [room.start(oldText ?? ""), room.start(newText)];
    const truncated = before.length < (oldText ?? "").length || after.length < newText.length;
    return { type: "diff", path, oldText: oldText == null ? undefined : before, newText: after, truncated };
  });
}

export function locationsOf(locations: readonly ToolCallLocation[]): readonly ToolLocation[] {
  return locations
    .slice(0, LIMITS.agent.toolLocations)
    .map(({ path, line }) => ({ path, ...(line != null && { line }) }));
}

/** The texts of a tool call, as one text. */
export function textIn(contents: readonly ToolContent[]): string {
  return contents.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function blockOf(block: ContentBlock, room: Room): ToolContent {
  switch (block.type) {
    case "text":
      return { type: "text", ...room.text(block.text) };
    case "image":
    case "audio":
      return { type: block.type, mimeType: block.mimeType, ...room.data(block.data) };
    case "resource_link":
      return { type: "link", uri: block.uri, name: block.name, mimeType: block.mimeType ?? undefined };
    case "resource": {
      const { resource } = block;
      const described = { uri: resource.uri, mimeType: resource.mimeType ?? undefined };
      return "text" in resource
        ? { type: "resource", ...described, ...room.text(resource.text) }
        : { type: "blob", ...described, ...room.data(resource.blob) };
    }
  }
}

/** The characters that are left for the contents of one call. */
class Room {
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  text(text: string): { readonly text: string; readonly truncated: boolean } {
    const shown = this.start(text);
    return { text: shown, truncated: shown.length < text.length };
  }

  /** Part of an image is of no use. */
  data(data: string): { readonly data: string; readonly truncated: boolean } {
    const fits = data.length <= this.#left;
    return { data: fits ? this.start(data) : "", truncated: !fits };
  }

  start(text: string): string {
    const shown = text.slice(0, this.#left);
    this.#left -= shown.length;
    return shown;
  }

  /** The end of a terminal's output says more than its start. */
  end(text: string): string {
    const shown = text.slice(Math.max(0, text.length - this.#left));
    this.#left -= shown.length;
    return shown;
  }
}
