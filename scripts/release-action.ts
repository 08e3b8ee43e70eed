/** Returns the text of the GitHub Action with this version of skillset as the default. */
export function setActionVersion(action: string, version: string): string {
  return action.replace(/(?<=^ {2}version:\n.*\n {4}default: )".*"$/m, JSON.stringify(version));
}
