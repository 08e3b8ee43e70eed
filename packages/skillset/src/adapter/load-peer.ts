import { SkillError } from "../core/base/errors.ts";

/** Loads an optional peer dependency. If it is not installed, throws `peer-missing` with the command to install it. */
export async function loadPeer<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const { code, message = "" } = error as { code?: string; message?: string };
    const isMissing = code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${name}'`);
    if (!isMissing) throw error;
    throw new SkillError("peer-missing", `The package '${name}' is not installed. Run "npm install ${name}".`, {
      cause: error,
    });
  }
}
