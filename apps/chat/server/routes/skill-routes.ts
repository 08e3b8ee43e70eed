import { Hono } from "hono";
import type { SkillCommand } from "../../shared/api.ts";
import { audit, demandAdmin, isAdmin } from "../http/admin-access.ts";
import { ApiFailure, notFound } from "../http/api-failure.ts";
import { readBody, SkillSwitchSchema } from "../http/read-body.ts";
import type { Services } from "../services.ts";
import type { SkillRegistry } from "../skills/registry.ts";
import { skillDetail, skillFile } from "../skills/skill-detail.ts";
import { skillsView } from "../skills/skills-view.ts";

export function skillRoutes(services: Services): Hono {
  const app = new Hono();

  app.get("/commands", (c) => {
    const skills = services.skills?.registry.current.skills ?? [];
    const commands = skills
      .filter(({ userInvocable }) => userInvocable)
      .map(({ name, description }): SkillCommand => ({ name, description }));
    return c.json(commands);
  });

  app.get("/skills", async (c) => c.json(await skillsView(services, registryOf(services), isAdmin(services, c))));

  app.post("/skills/rescan", async (c) => {
    demandAdmin(services, c);
    const registry = registryOf(services);
    await registry.rescan();
    audit(services, c, "rescan");
    await services.database.notify("rescan");
    return c.json(await skillsView(services, registry, true));
  });

  app.get("/skills/:name", async (c) => {
    const name = c.req.param("name");
    return c.json(await skillDetail(services, registryOf(services), name, isAdmin(services, c)));
  });

  app.get("/skills/:name/file", async (c) => {
    const path = c.req.query("path");
    if (path === undefined || path === "") throw new ApiFailure(400, "path-missing", "'path' is missing.");
    return c.json(await skillFile(registryOf(services), c.req.param("name"), path));
  });

  app.put("/skills/:name/switch", async (c) => {
    demandAdmin(services, c);
    const { isEnabled } = await readBody(c, SkillSwitchSchema);
    const registry = registryOf(services);
    const name = c.req.param("name");
    const isKnown = registry.current.entries.some((entry) => entry.name === name && entry.status !== "invalid");
    if (!isKnown) throw notFound(`skill '${name.slice(0, 80)}'`);
    await registry.setSwitch(name, isEnabled);
    audit(services, c, "switch", { skill: name, isEnabled });
    await services.database.notify("switches");
    return c.body(null, 204);
  });

  return app;
}

function registryOf({ skills }: Services): SkillRegistry {
  if (skills === undefined) throw new ApiFailure(404, "skills-off", "Skills are switched off in the settings.");
  return skills.registry;
}
