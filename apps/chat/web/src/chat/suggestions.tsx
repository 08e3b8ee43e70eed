import { useMemo } from "react";
import type { SkillCommand } from "../../../shared/skills-api.ts";
import { useApp } from "../api/app-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { exampleRequest } from "./example-request.ts";

/** Suggests enabled skills for the first message of a chat. */
export function Suggestions({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const { commands } = useApp();
  const shown = useMemo(() => pick(commands, 3), [commands]);
  return (
    <section className="suggestions" aria-labelledby="suggestions-title">
      <Icon name="layers" />
      <h2 id="suggestions-title">What would you like to do?</h2>
      {shown.length === 0 ? (
        <p>Write a message to start.</p>
      ) : (
        <>
          <p>
            Write a message, or begin with <kbd>/</kbd> to use a skill. Try one of these:
          </p>
          <ul>
            {shown.map((command) => (
              <li key={command.name}>
                <button type="button" onClick={() => onChoose(exampleRequest(command))}>
                  <code>/{command.name}</code>
                  <span>{command.description}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Picks entries across the whole list, not only from the start of the alphabet. */
function pick(commands: readonly SkillCommand[], count: number): readonly SkillCommand[] {
  if (commands.length <= count) return commands;
  const step = (commands.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => commands[Math.round(index * step)]).filter((command) => !!command);
}
