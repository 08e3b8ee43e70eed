import type { Skillset } from "skillset";
import type { ModelInfo } from "../../shared/api.ts";
import type { Environment } from "../config/config.ts";
import type { ModelsConfig } from "../config/models-config.ts";
import type { ModelEntry } from "./model-entry.ts";
import { createOfflineModel, type OfflineModelOptions } from "./offline/offline-model.ts";
import { providerModels } from "./provider-models.ts";

export interface Models {
  /** Language models first, then the offline demos. */
  readonly list: readonly ModelInfo[];
  readonly defaultId: string;
  get(id: string): ModelEntry | undefined;
}

/** `current` is read for each request, because skills change. */
type CurrentSkills = { readonly current: Pick<Skillset, "rank" | "skills"> };

/** Thrown when the default model in the settings does not exist. */
export class DefaultModelError extends Error {
  override readonly name = "DefaultModelError";
}

/** The models in the picker: those with an API key or a server, and the two offline demos. */
export function createModels(
  config: ModelsConfig,
  environment: Environment,
  skills: CurrentSkills | undefined,
): Models {
  const entries = new Map<string, ModelEntry>();
  for (const entry of [...providerModels(config, environment), ...offlineModels(skills)]) {
    const { id } = entry.info;
    if (entries.has(id)) throw new Error(`Two models have the id '${id}'. Give the servers different names.`);
    entries.set(id, entry);
  }
  const ids = [...entries.keys()];
  const defaultId = config.default ?? ids[0] ?? OFFLINE;
  if (!entries.has(defaultId))
    throw new DefaultModelError(
      `The default model '${defaultId}' is not available. Available models: ${ids.join(", ")}.`,
    );
  return { list: Array.from(entries.values(), ({ info }) => info), defaultId, get: (id) => entries.get(id) };
}

const OFFLINE = "offline";

function offlineModels(skills: CurrentSkills | undefined): readonly ModelEntry[] {
  const options: OfflineModelOptions = {
    rank: async (query) => {
      const hits = (await skills?.current.rank(query)) ?? [];
      return hits.map(({ skill: { name, description }, score }) => ({ name, description, score }));
    },
    listSkills: () => skills?.current.skills.filter(({ userInvocable }) => userInvocable) ?? [],
  };
  return [
    {
      model: createOfflineModel(options),
      info: { id: OFFLINE, label: "Offline demo", isOffline: true, hasTools: true },
    },
    {
      model: createOfflineModel({ ...options, tools: false }),
      info: { id: "offline-no-tools", label: "Offline demo without tools", isOffline: true, hasTools: false },
    },
  ];
}
