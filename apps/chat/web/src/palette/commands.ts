import type { AppState, ChatSummary } from "../../../shared/api.ts";
import type { SkillCommand } from "../../../shared/skills-api.ts";
import { modelRequests } from "../chat/model-requests.ts";
import { downloadChat } from "../chat-list/download-chat.ts";
import { chatPath, type Route, skillPath } from "../router/route.ts";
import { navigate } from "../router/use-route.ts";
import type { IconName } from "../ui/icon.tsx";
import { setTheme, THEMES } from "../ui/theme.ts";

export interface Command {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  /** What kind of thing it is, for what the label does not say. */
  readonly kind?: string;
  run(): void;
}

interface CommandContext {
  readonly state: AppState;
  readonly skills: readonly SkillCommand[];
  readonly route: Route;
  showShortcuts(): void;
}

/** What can be done from here, most wanted first. */
export function pageCommands({ state, skills, route, showShortcuts }: CommandContext): Command[] {
  const commands: Command[] = [{ id: "new", icon: "add", label: "New chat", run: () => navigate("/") }];
  if (state.hasSkills) commands.push(goTo("skills", "skill", "Skills", "/skills"));
  if (state.binDays > 0) commands.push(goTo("bin", "trash", "Bin", "/bin"));
  if (route.page === "chat") {
    const { id } = route;
    commands.push(
      { id: "markdown", icon: "file", label: "Export this chat as Markdown", run: () => downloadChat(id, "markdown") },
      { id: "json", icon: "file", label: "Export this chat as JSON", run: () => downloadChat(id, "json") },
    );
  }
  for (const { id, label } of modelRequests() === undefined ? [] : state.models) {
    const run = () => modelRequests()?.(id);
    commands.push({ id: `model ${id}`, icon: "model", label: `Use ${label}`, kind: "Model", run });
  }
  for (const theme of THEMES) {
    const icon = theme === "system" ? "system" : theme === "light" ? "sun" : "moon";
    commands.push({ id: `theme ${theme}`, icon, label: `Theme: ${theme}`, run: () => setTheme(theme) });
  }
  commands.push({ id: "shortcuts", icon: "keyboard", label: "Keyboard shortcuts", run: showShortcuts });
  for (const { name } of skills)
    commands.push({ ...goTo(`skill ${name}`, "skill", name, skillPath(name)), kind: "Skill" });
  return commands;
}

export function chatCommand({ id, title }: ChatSummary): Command {
  return { ...goTo(`chat ${id}`, "chat", title || "New chat", chatPath(id)), kind: "Chat" };
}

/** The commands that have each word of the query in their label or kind. */
export function matching(commands: readonly Command[], query: string): readonly Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label, kind = "" }) => {
    const text = `${label} ${kind}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function goTo(id: string, icon: IconName, label: string, path: string): Command {
  return { id, icon, label, run: () => navigate(path) };
}
