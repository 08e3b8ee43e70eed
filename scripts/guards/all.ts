import { allowingGuards } from "./allowing.ts";
import { chatGuards } from "./chat.ts";
import { compilingGuards } from "./compiling.ts";
import { embeddingGuards } from "./embedding.ts";
import type { Guard } from "./guard.ts";
import { readingGuards } from "./reading.ts";
import { runningGuards } from "./running.ts";
import { trustingGuards } from "./trusting.ts";

export const guards: readonly Guard[] = [
  ...readingGuards,
  ...trustingGuards,
  ...compilingGuards,
  ...runningGuards,
  ...embeddingGuards,
  ...allowingGuards,
  ...chatGuards,
];
