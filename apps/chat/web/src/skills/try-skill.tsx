import type { SkillDetail } from "../../../shared/skills-api.ts";
import { keepDraft, NEW_CHAT, readDraft, withTask } from "../chat/draft.ts";
import { messageFor } from "../chat/task-of.ts";
import { navigate } from "../router/use-route.ts";
import { Button } from "../ui/button.tsx";

/**
 * Opens a new chat with a message that uses the skill: a task of its author, or one that its description suggests.
 * A text that was written there and not sent stays below it.
 */
export function trySkill({ row, tasks }: Pick<SkillDetail, "row" | "tasks">, task = tasks[0]): void {
  keepDraft(NEW_CHAT, withTask(readDraft(NEW_CHAT), messageFor({ ...row, task })));
  navigate("/");
}

/** Tasks that the skill's author wrote for tests of it. */
export function TryTasks({ detail }: { readonly detail: SkillDetail }) {
  if (detail.row.state !== "enabled" || !detail.row.isUserInvocable || detail.tasks.length === 0) return null;
  return (
    <section aria-labelledby="tasks-title" className="tasks">
      <h2 id="tasks-title">Tasks to try</h2>
      <ul className="try-tasks">
        {detail.tasks.map((task) => (
          <li key={task.text}>
            <Button icon={task.needsFile === true ? "attach" : undefined} onClick={() => trySkill(detail, task)}>
              {task.text}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
