import { Hono } from "hono";
import type { Database } from "../database/database.ts";
import type { AdminAccess } from "../http/admin-access.ts";
import { ApiFailure } from "../http/api-failure.ts";
import { RepairRequestSchema, readBody } from "../http/read-body.ts";
import type { SkillRegistry } from "../skills/loaded-skills.ts";
import { makeRepairs, planRepairs } from "../skills/repairs.ts";
import type { ChatSkills } from "../turns/chat-skills.ts";

export interface RepairRoutesOptions {
  readonly admin: AdminAccess;
  readonly database: Pick<Database, "notify">;
  /** Undefined when skills are disabled. */
  readonly skills: Pick<ChatSkills, "registry"> | undefined;
}

/** Changes to the files of skills, for admins only. */
export function repairRoutes({ admin, database, skills }: RepairRoutesOptions): Hono {
  const demandRegistry = (): SkillRegistry => {
    if (skills === undefined) throw new ApiFailure(404, "skills-off", "Skills are disabled in the settings.");
    return skills.registry;
  };
  const app = new Hono();

  app.get("/repairs", (c) => {
    admin.demandAdmin(c);
    return c.json(planRepairs(demandRegistry()));
  });

  app.post("/repairs", async (c) => {
    admin.demandAdmin(c);
    const { ids } = await readBody(c, RepairRequestSchema);
    const result = await makeRepairs(demandRegistry(), ids, (skill) => admin.audit(c, "repair", { skill }));
    if (result.repaired.length > 0) await database.notify("rescan");
    return c.json(result);
  });

  return app;
}
