import { useMemo } from "react";
import type { SkillCommand } from "../../../shared/api.ts";
import { useApp } from "../api/app-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { exampleRequest } from "./example-request.ts";

/** What a new chat could begin with: the skills that are on offer right now. */
export function Suggestions({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const { commands } = useApp();
  const shown = useMemo(() => pick(commands, 3), [commands]);
  return (
    <section className="suggestions" aria-labelledby="suggestions-title">
      <Icon name="layers" />
      <h2 id="suggestions-title">What would you like to do?</h2>
      {shown.length === 0 ? (
        <p>Write a message below to begin.</p>
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

/** Spread over the list, so that not only the beginning of the alphabet is seen. */
function pick(commands: readonly SkillCommand[], count: number): readonly SkillCommand[] {
  if (commands.length <= count) return commands;
  const step = (commands.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => commands[Math.round(index * step)]).filter((command) => !!command);
}
