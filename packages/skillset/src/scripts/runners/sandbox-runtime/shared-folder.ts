/** The sandbox runtime lets every command read and write this folder if it exists, whatever the rules for files are. */
export const SHARED_FOLDER = "/tmp/claude";

const MOUNT = ` --bind ${SHARED_FOLDER} ${SHARED_FOLDER} `;

/** Takes the shared folder out of a line that starts the sandbox on Linux. Throws if a run needs files in it. */
export function withoutSharedFolder(line: string, paths: readonly string[]): string {
  if (line.includes(MOUNT) && paths.some((path) => `${path}/`.startsWith(`${SHARED_FOLDER}/`)))
    throw new Error(`all sandboxes share ${SHARED_FOLDER}, so scripts cannot run in it. Set TMPDIR to another folder.`);
  const own = line.replaceAll(MOUNT, " ");
  // A very long profile is in a file, and the folder may be in it.
  if (own.includes(" --args ") || own.includes(`bind ${SHARED_FOLDER} `))
    throw new Error(`it may let scripts use the folder ${SHARED_FOLDER}.`);
  return own;
}
