/** Says where a script runs, for a sentence such as "Run x in the sandbox 'bubblewrap'". */
export function describeLevel(level: string): string {
  return level === "subprocess" ? "without a sandbox" : `in the sandbox '${level}'`;
}
