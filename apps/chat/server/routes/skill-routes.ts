import { Hono } from "hono";
import type { SkillUsageView } from "../../shared/skills-api.ts";
import type { Database } from "../database/database.ts";
import type { AdminAccess } from "../http/admin-access.ts";
import { ApiFailure, notFound } from "../http/api-failure.ts";
import { readBody, SkillSwitchSchema } from "../http/read-body.ts";
import { sendFile } from "../http/send-file.ts";
import type { Redact } from "../observe/redact.ts";
import type { SkillRegistry } from "../skills/loaded-skills.ts";
import { skillCommands } from "../skills/skill-commands.ts";
import { skillBytes, skillDetail, skillFile } from "../skills/skill-detail.ts";
import { skillsView } from "../skills/skills-view.ts";
import type { UsageStore } from "../skills/usage-store.ts";
import type { ChatSkills } from "../turns/chat-skills.ts";

export interface SkillRoutesOptions {
  readonly admin: AdminAccess;
  readonly database: Pick<Database, "notify">;
  readonly redact: Redact;
  /** Undefined when skills are disabled. */
  readonly skills: Pick<ChatSkills, "registry" | "consents"> | undefined;
  readonly usage: UsageStore;
}

export function skillRoutes({ admin, database, redact, skills, usage }: SkillRoutesOptions): Hono {
  const demandSkills = (): Pick<ChatSkills, "registry" | "consents"> => {
    if (skills === undefined) throw new ApiFailure(404, "skills-off", "Skills are disabled in the settings.");
    return skills;
  };
  const demandRegistry = (): SkillRegistry => demandSkills().registry;
  const app = new Hono();

  app.get("/commands", async (c) => c.json(skills === undefined ? [] : await skillCommands(skills.registry.current)));

  app.get("/skills", async (c) =>
    c.json(await skillsView(demandRegistry(), { usage, redact, isAdmin: admin.isAdmin(c) })),
  );

  app.get("/skill-usage", async (c) => {
    demandRegistry();
    const totals: SkillUsageView = Object.fromEntries(await usage.totals());
    return c.json(totals);
  });

  app.post("/skills/rescan", async (c) => {
    admin.demandAdmin(c);
    const registry = demandRegistry();
    await registry.rescan();
    admin.audit(c, "rescan");
    await database.notify("rescan");
    return c.json(await skillsView(registry, { usage, redact, isAdmin: true }));
  });

  app.get("/skills/:name", async (c) => {
    const name = c.req.param("name");
    const { registry, consents } = demandSkills();
    return c.json(await skillDetail(registry, name, { usage, redact, consents, isAdmin: admin.isAdmin(c) }));
  });

  app.get("/skills/:name/file", async (c) => {
    const path = c.req.query("path");
    if (path === undefined || path === "") throw new ApiFailure(400, "path-missing", "'path' is missing.");
    return c.json(await skillFile(demandRegistry(), c.req.param("name"), path));
  });

  app.get("/skills/:name/raw", async (c) => {
    const path = c.req.query("path");
    if (path === undefined || path === "") throw new ApiFailure(400, "path-missing", "'path' is missing.");
    return sendFile(c, path, await skillBytes(demandRegistry(), c.req.param("name"), path));
  });

  app.put("/skills/:name/switch", async (c) => {
    admin.demandAdmin(c);
    const { isEnabled } = await readBody(c, SkillSwitchSchema);
    const registry = demandRegistry();
    const name = c.req.param("name");
    const isKnown = registry.current.entries.some((entry) => entry.name === name && entry.status !== "invalid");
    if (!isKnown) throw notFound(`Skill '${name.slice(0, 80)}'`);
    await registry.setSwitch(name, isEnabled);
    admin.audit(c, "switch", { skill: name, isEnabled });
    await database.notify("switches");
    return c.body(null, 204);
  });

  app.delete("/skills/:name/consent", async (c) => {
    admin.demandAdmin(c);
    const name = c.req.param("name");
    await demandSkills().consents.revoke(name);
    admin.audit(c, "revoke-scripts", { skill: name.slice(0, 80) });
    return c.body(null, 204);
  });

  return app;
}
