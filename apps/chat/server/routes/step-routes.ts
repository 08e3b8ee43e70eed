import { Hono } from "hono";
import type { AnswerStepsView } from "../../shared/steps-api.ts";
import type { AttachmentStore } from "../attachments/attachment-store.ts";
import type { BranchStore } from "../chats/branch-store.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { storable } from "../chats/storable.ts";
import type { Config } from "../config/config.ts";
import { ApiFailure, notFound } from "../http/api-failure.ts";
import type { Models } from "../models/models.ts";
import { attachedTexts } from "../steps/attached-texts.ts";
import { changedSkills } from "../steps/changed-skills.ts";
import { currentTexts } from "../steps/current-texts.ts";
import { rebuildRequest } from "../steps/rebuild-request.ts";
import type { StepRecord } from "../steps/step-record.ts";
import type { StepStore } from "../steps/step-store.ts";
import { openRecipes, viewSteps } from "../steps/steps-view.ts";
import type { ChatSkills } from "../turns/chat-skills.ts";
import { findChat } from "./find-chat.ts";

export interface StepRoutesOptions {
  readonly attachments: AttachmentStore | undefined;
  readonly branches: Pick<BranchStore, "upTo">;
  readonly chats: ChatStore;
  readonly config: Pick<Config, "models">;
  readonly models: Models;
  readonly skills: Pick<ChatSkills, "registry" | "sessions"> | undefined;
  readonly steps: StepStore;
}

/** What the model saw: the steps of an answer, and each of its requests. */
export function stepRoutes({ attachments, branches, chats, config, models, skills, steps }: StepRoutesOptions): Hono {
  const app = new Hono();
  const load = async (chatId: string, answerId: string): Promise<readonly StepRecord[]> =>
    steps.load(chatId, storable(answerId));

  app.get("/:id/answers/:answer/steps", async (c) => {
    const { id } = await findChat(chats, c.req.param("id"));
    const answerId = c.req.param("answer");
    const records = await load(id, answerId);
    const model = models.get(records.at(-1)?.modelId ?? "");
    const recipes = openRecipes(records);
    // Texts of an answer that is being written are not stored yet.
    const messages = await branches.upTo(id, answerId);
    const changed = messages.length === 0 ? [] : await changedSkills(recipes, { messages, registry: skills?.registry });
    const view: AnswerStepsView = {
      steps: viewSteps(records, { recipes, changed }),
      limit: model?.maxPromptTokens ?? config.models.maxPromptTokens,
      chat: await steps.usageOf(id),
    };
    return c.json(view);
  });

  app.get("/:id/answers/:answer/request", async (c) => {
    const { id } = await findChat(chats, c.req.param("id"));
    const answerId = c.req.param("answer");
    const step = Number(c.req.query("step") ?? 1);
    if (!Number.isInteger(step) || step < 1)
      throw new ApiFailure(400, "step-invalid", "'step' must be the number of a step, from 1.");
    const recipe = openRecipes(await load(id, answerId))[step - 1];
    if (recipe === undefined) throw notFound(`The request of step ${step} was`);
    const branch = await branches.upTo(id, answerId);
    const known = await currentTexts({
      // An answer that is being written is not stored yet.
      messages: branch.length > 0 ? branch : await chats.messages(id),
      registry: skills?.registry,
      records: recipe.known,
      catalog: await skills?.sessions.catalog(id),
    });
    const own = recipe.known.filter(({ kind }) => kind === "rules" || kind === "tool");
    for (const text of await steps.words(own.map(({ digest }) => digest))) known.add(text);
    for (const text of await attachedTexts(id, recipe.known, attachments)) known.add(text);
    return c.json(await rebuildRequest(recipe, { step, known, registry: skills?.registry }));
  });

  return app;
}
