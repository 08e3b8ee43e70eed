import skill from "@/fixtures/skills/paint/SKILL.md";
import { folder } from "../../folder.ts";

/** What the imports of one SKILL.md and of a folder are, by an alias. */
export async function GET(): Promise<Response> {
  const skills = [skill, ...folder];
  return Response.json(await Promise.all(skills.map(async (one) => [one.name, await one.digest()])));
}
