/** The description that a new skill starts with. */
export const TEMPLATE_DESCRIPTION =
  "Describe briefly what this skill does. Use when (name the tasks, the words people use and the kinds of files that should bring it up).";

/** The instructions that a new skill starts with. */
export function templateBody(name: string): string {
  const words = name.replaceAll("-", " ");
  return `# ${words.charAt(0).toUpperCase()}${words.slice(1)}

${TEMPLATE}`;
}

const TEMPLATE = `One sentence on the result of the work.

## Steps

1. What to look at first.
2. What to do, and how to check that it worked.
3. What to hand back, in which form.

## Rules

- What must never happen, and why.
- What to do when something is missing: ask, or stop and say so.

## Example

What a user says, and what a good answer looks like.`;

const SENTENCES: ReadonlySet<string> = new Set(
  TEMPLATE.split("\n").filter((line) => line !== "" && !line.startsWith("#")),
);

/** Whether a line is unchanged from the template, although its author should replace it. */
export function isTemplateLine(line: string): boolean {
  return SENTENCES.has(line.trimEnd()) || line.includes("Describe briefly what this skill does.");
}
