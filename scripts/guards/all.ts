import { chatGuards } from "./chat.ts";
import { compilingGuards } from "./compiling.ts";
import type { Guard } from "./guard.ts";
import { readingGuards } from "./reading.ts";
import { runningGuards } from "./running.ts";

export const guards: readonly Guard[] = [...readingGuards, ...compilingGuards, ...runningGuards, ...chatGuards];
