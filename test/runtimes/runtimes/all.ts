import { BROWSER } from "./browser.ts";
import { BUNDLED } from "./bundled.ts";
import { DIRECT } from "./direct.ts";
import { NEXT } from "./next.ts";
import { ROLLUP } from "./rollup.ts";
import type { Runtime } from "./runtime.ts";
import { WEBPACK } from "./webpack.ts";
import { WORKERD } from "./workerd.ts";

/** The rows of the table in docs/runtimes.md. */
export const RUNTIMES: readonly Runtime[] = [...DIRECT, ...BUNDLED, ROLLUP, WEBPACK, ...NEXT, ...WORKERD, BROWSER];
