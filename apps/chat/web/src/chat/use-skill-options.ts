import { useMemo, useState } from "react";
import type { SkillCommand } from "../../../shared/skills-api.ts";
import { useApp } from "../api/app-state.tsx";

/** The skills that match a `/` at the start of the text, and the keyboard handling of their list. */
export function useSkillOptions(text: string, onText: (text: string) => void) {
  const { commands } = useApp();
  const word = /^\/(\S*)$/.exec(text)?.[1];
  const options = useMemo(() => (word === undefined ? [] : findSkills(commands, word)), [commands, word]);
  // A selection or dismissal is valid only for the text it was made for.
  const [choice, setChoice] = useState({ text: "", index: 0, isDismissed: false });
  const { index, isDismissed } = choice.text === text ? choice : { index: 0, isDismissed: false };
  const isOpen = options.length > 0 && !isDismissed;
  const name = options[index]?.name ?? "";
  const isComplete = name === word;

  const select = (name: string) => onText(`/${name} `);
  const close = () => setChoice({ text, index, isDismissed: true });
  const move = (to: number) => setChoice({ text, index: (to + options.length) % options.length, isDismissed: false });

  /** Returns true if the list handled the key. */
  const onKey = (key: string): boolean => {
    if (!isOpen) return false;
    // Enter sends a name that is typed in full, as it would without the list.
    if (key === "Enter" && isComplete) return false;
    const action = {
      ArrowDown: () => move(index + 1),
      ArrowUp: () => move(index - 1),
      Home: () => move(0),
      End: () => move(-1),
      Enter: () => select(name),
      Tab: () => select(name),
      Escape: close,
    }[key];
    action?.();
    return action !== undefined;
  };
  const unknown = options.length > 0 ? undefined : unknownName(text, commands);
  return { hasSkills: commands.length > 0, unknown, isOpen, options, index, isComplete, select, close, onKey };
}

/** The first of the `/names` at the start of a text that no skill has. A text without skills has none. */
function unknownName(text: string, commands: readonly SkillCommand[]): string | undefined {
  if (commands.length === 0) return undefined;
  const names = /^(?:\/\S+(?:\s+|$))*/.exec(text)?.[0].trim().split(/\s+/) ?? [];
  const unknown = names.find((name) => name.length > 1 && !commands.some((command) => `/${command.name}` === name));
  return unknown?.slice(1);
}

/** Ranks names that start with the word first, then names that contain it, then descriptions. */
function findSkills(commands: readonly SkillCommand[], word: string): readonly SkillCommand[] {
  const wanted = word.toLowerCase();
  const rank = ({ name, description }: SkillCommand) => {
    if (name.startsWith(wanted)) return 0;
    if (name.includes(wanted)) return 1;
    return description.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((entry) => entry.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, 50)
    .map(({ command }) => command);
}
