import { useMemo } from "react";
import type { SkillCommand } from "../../../shared/skills-api.ts";
import { useApp } from "../api/app-state.tsx";
import { Link } from "../router/link.tsx";
import { Icon } from "../ui/icon.tsx";
import { messageFor, pickSkills, taskOf } from "./task-of.ts";

/** Suggests tasks that enabled skills are for, as the start of a first message. */
export function Suggestions({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const { commands, commandsState } = useApp();
  const shown = useMemo(() => pickSkills(commands, COUNT), [commands]);
  const isLoading = commandsState === "loading";
  return (
    <section className="suggestions" aria-labelledby="suggestions-title">
      <Icon name="skill" />
      <h2 id="suggestions-title">What would you like to do?</h2>
      {!isLoading && shown.length === 0 ? (
        <NoSuggestions />
      ) : (
        <p>
          Write a message, type <kbd>/</kbd> for a skill, or start with one of these:
        </p>
      )}
      {isLoading && <Bones />}
      {shown.length > 0 && (
        <ul>
          {shown.map((command) => (
            <li key={command.name}>
              <button type="button" title={command.description} onClick={() => onChoose(messageFor(command))}>
                <strong>{command.task?.text ?? taskOf(command)}</strong>
                <Foot command={command} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const COUNT = 3;

function NoSuggestions() {
  const { commandsState, state } = useApp();
  return (
    <p>
      Write a message to start.{" "}
      {state.hasSkills && commandsState === "loaded" && (
        <>
          The page <Link to="/skills">Skills</Link> says how to add a skill.
        </>
      )}
    </p>
  );
}

/** Where the suggestions will be, so that nothing moves when they are loaded. */
function Bones() {
  return (
    <ul aria-hidden="true">
      {Array.from({ length: COUNT }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <li key={at} className="bone" />
      ))}
    </ul>
  );
}

function Foot({ command: { name, task } }: { readonly command: SkillCommand }) {
  if (task?.needsFile !== true) return <code>/{name}</code>;
  return (
    <span className="with-file">
      <code>/{name}</code>
      <span>
        <Icon name="attach" /> Attach a file
      </span>
    </span>
  );
}
