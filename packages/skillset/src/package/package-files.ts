import { fileURLToPath } from "node:url";

/** The folder of the skills that come with the library. */
export const BUNDLED_SKILLS: string = fileURLToPath(new URL("../../skills", import.meta.url));

/** The program that an agent starts to reach our tools over stdio. */
export const BRIDGE_PROGRAM: string = fileURLToPath(new URL("../../bin/mcp-bridge.js", import.meta.url));
