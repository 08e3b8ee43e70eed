/** Returns the text of a changeset as one list item. */
export function findSummary(changeset: string): string {
  const text = changeset.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, "").trim();
  return `- ${text.replaceAll(/\r?\n/g, "\n  ")}`.replaceAll(/[ \t]+$/gm, "");
}

/** Turns the unreleased entries into a version, with the summaries before them. */
export function moveIntoChangelog(changelog: string, version: string, summaries: readonly string[]): string {
  const heading = "## Unreleased\n";
  const start = changelog.indexOf(heading);
  if (start === -1) throw new Error(`CHANGELOG.md has no line '${heading.trim()}'. Add it above the newest version.`);
  const [before, after] = [changelog.slice(0, start), changelog.slice(start + heading.length).trimStart()];
  const items = summaries.filter((summary) => summary !== "-");
  return [`${before}${heading}`, `## ${version}\n`, ...(items.length > 0 ? [`${items.join("\n")}\n`] : []), after].join(
    "\n",
  );
}
