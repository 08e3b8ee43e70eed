import type { InstallItem } from "../../node/install/install-skills.ts";

/** Writes the skills, and returns their folders. The installer is loaded lazily: most prompts are only rendered. */
export async function installItems(
  skillsDir: string,
  items: readonly InstallItem[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (items.length === 0) return [];
  const { installSkills } = await import("../../node/install/install-skills.ts");
  return installSkills(skillsDir, items, signal && { signal });
}
