import { useMemo } from "react";
import { useApp } from "../api/app-state.tsx";
import { Link } from "../router/link.tsx";
import { Icon } from "../ui/icon.tsx";
import { pickSkills, taskOf } from "./task-of.ts";

/** Suggests tasks that enabled skills are for, as the start of a first message. */
export function Suggestions({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const { commands, state } = useApp();
  const shown = useMemo(() => pickSkills(commands, 3), [commands]);
  return (
    <section className="suggestions" aria-labelledby="suggestions-title">
      <Icon name="skill" />
      <h2 id="suggestions-title">What would you like to do?</h2>
      {shown.length === 0 ? (
        <p>
          Write a message to start.{" "}
          {state.hasSkills && (
            <>
              The page <Link to="/skills">Skills</Link> says how to add a skill.
            </>
          )}
        </p>
      ) : (
        <>
          <p>
            Write a message, type <kbd>/</kbd> for a skill, or start with one of these:
          </p>
          <ul>
            {shown.map((command) => (
              <li key={command.name}>
                <button
                  type="button"
                  title={command.description}
                  onClick={() => onChoose(`/${command.name} ${taskOf(command)}: `)}
                >
                  <strong>{taskOf(command)}</strong>
                  <code>/{command.name}</code>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
