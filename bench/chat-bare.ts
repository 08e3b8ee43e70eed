// The limit for bench/chat-load.ts: one route that streams answers of the same model with the same skills, and stores
// nothing: `node bench/chat-bare.ts FOLDER`.
import { serve } from "@hono/node-server";
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from "ai";
import { Hono } from "hono";
import { createSkillset } from "skillset";
import { withSkills } from "skillset/ai-sdk";
import { createOfflineModel } from "../apps/chat/server/models/offline/offline-model.ts";
import { reportProcess } from "./report-process.ts";

const skills = await createSkillset([process.argv[2] ?? ""]);
const model = createOfflineModel({
  rank: async (query) =>
    (await skills.rank(query)).map(({ skill, score }) => ({
      name: skill.name,
      description: skill.description,
      score,
    })),
});
const app = new Hono();
app.post("/turn", async (context) => {
  const { message } = await context.req.json<{ message: UIMessage }>();
  const { invoked: _, ...request } = await withSkills({
    session: await skills.session(),
    request: { messages: await convertToModelMessages([message]) },
    catalog: { format: "json" },
    operations: { aliases: { activate_skill: { name: "skills_activate" } } },
    signal: context.req.raw.signal,
  });
  const { stream } = streamText({ model, ...request, abortSignal: context.req.raw.signal });
  return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream, tools: request.tools }) });
});
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
  reportProcess(`http://127.0.0.1:${port}/`, async () => server.close()),
);
