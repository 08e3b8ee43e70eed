import { SkillError } from "../../../core/base/errors.ts";
import { isWithin } from "../../../node/files/contained-read.ts";
import { workspacesOf } from "../../../prompt/agent/listed-skills.ts";
import type { ThinkPlan } from "../../options/think-plan.ts";

/** Copies the files of a prompt's workspaces. The agent must work in one of them, because the text names its content. */
export async function openWorkspaces({ prompt }: ThinkPlan, cwd: string, signal: AbortSignal): Promise<void> {
  const workspaces = prompt === undefined ? [] : workspacesOf(prompt.prompt);
  const [first] = workspaces;
  if (first === undefined) return;
  if (!workspaces.some(({ tempDir }) => isWithin(tempDir, cwd)))
    throw new SkillError(
      "option-invalid",
      `The prompt has a workspace, the section '${first.key}', but the agent works in '${cwd}'. ` +
        "Set 'cwd' to the workspace's 'tempDir', or remove the section.",
    );
  for (const workspace of workspaces) await workspace.open({ signal });
}
