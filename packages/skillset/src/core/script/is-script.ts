/** Whether a file of a skill is probably a script, by its path. */
export function isScriptPath(path: string): boolean {
  return /(?:^|\/)scripts\/(?!.*\.(?:md|txt|json|ya?ml|toml|lock|csv)$)/i.test(path) || EXTENSION.test(path);
}

const EXTENSION = /\.(?:sh|bash|py|js|mjs|cjs|ts|mts|rb|pl)$/i;
