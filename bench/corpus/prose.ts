import type { Random } from "./random.ts";

const split = (text: string): readonly string[] => text.trim().split(/\s+/);

export const verbs = split(`
  analyze audit automate benchmark build check clean collect compare compile compose configure convert crawl debug
  deploy design diagnose draft edit estimate evaluate explain export extract fetch format generate import index inspect
  label lint map measure merge migrate monitor outline package parse plan plot port preview profile publish query rank
  record refactor release rename render repair report resize review rewrite scaffold scan schedule score search send
  shrink sign simulate sketch sort split stage store summarize sync test trace train transcribe translate tune upgrade
  upload validate verify watch wire write
`);

export const nouns = split(`
  account agent alert api archive article audio backup badge banner bill board book branch browser budget bundle cache
  calendar campaign canvas card catalog changelog channel chart checklist citation client cluster codebase color column
  comment commit component container contract copy course dashboard dataset deck dependency design diagram digest
  document domain email endpoint essay event export feed figure file font form gateway graph grid guide image incident
  index interview invoice issue job journal kernel keyword ledger lesson letter library license log mailbox manual map
  market meeting memo menu message metric mockup model module notebook outline package page palette patch payment pdf
  photo pipeline playlist podcast policy portfolio poster presentation prompt proposal prototype queue quiz recipe
  record release report repository request resume roadmap route schema script server session sheet shell signal site
  slide snapshot spec spreadsheet sprint story stream survey table task template test theme thread ticket timeline token
  tool topic trace transcript tutorial video wallet webhook widget wiki workflow workspace
`);

const qualities = split(`
  accessible async batched careful clean complete concise consistent current custom daily detailed empty exact fast
  final fresh internal large legacy local long missing modern nested noisy open partial plain private public quick raw
  readable recent reliable remote responsive reusable safe shared short simple slow small stable stale static strict
  structured typed unused verbose visual weekly
`);

/** Outside Latin-1, so that one of them makes the whole decoded file a two-byte string, as in most real skills. */
const marks = ["—", "→", "✓", "✗", "•", "…", "≥", "中文", "“so”", "├──"];

export function writeSentence(random: Random): string {
  const phrase = () => `${random.pick(verbs)} the ${random.pick(qualities)} ${random.pick(nouns)}`;
  switch (random.below(6)) {
    case 0:
      return `Use when the user asks to ${phrase()} or to ${phrase()}.`;
    case 1:
      return `${capitalize(phrase())}, then ${phrase()} (${random.pick(nouns)} first).`;
    case 2:
      return `Works with any ${random.pick(nouns)}, ${random.pick(nouns)} or ${random.pick(nouns)} that isn't ${random.pick(qualities)}.`;
    case 3:
      return `Triggers on "${random.pick(verbs)} my ${random.pick(nouns)}" and "${random.pick(verbs)} ${random.pick(nouns)}".`;
    case 4:
      return `${capitalize(random.pick(verbs))}s ${random.pick(qualities)} ${random.pick(nouns)}s for a ${random.pick(nouns)}-ready ${random.pick(nouns)}.`;
    default:
      return `Do not ${phrase()} before you ${phrase()}.`;
  }
}

/** Returns a paragraph of `length` characters or slightly fewer, on one line, without text that would end a plain YAML scalar. */
export function writeDescription(random: Random, length: number): string {
  let text = writeSentence(random);
  while (text.length < length) text += ` ${writeSentence(random)}`;
  if (text.length > length) text = text.slice(0, Math.max(text.lastIndexOf(" ", length - 1), 12));
  return text.replace(/\W+$/, "").concat(".");
}

/** Builds bodies from ready-made Markdown blocks, which keeps the generation of 80 MB of text fast. */
export function createBodyWriter(random: Random, blockCount = 600): (length: number, plainAscii: boolean) => string {
  const ascii = Array.from({ length: blockCount }, () => writeBlock(random));
  const marked = ascii.map((block) => block.replace(/ (?=the )/g, () => ` ${random.pick(marks)} `).concat("✓\n"));
  return (length, plainAscii) => {
    let text = `# ${capitalize(random.pick(nouns))} ${random.pick(nouns)}\n\n`;
    if (!plainAscii) text += `${random.pick(marks)} ${writeSentence(random)}\n\n`;
    while (text.length < length) text += random.pick(!plainAscii && random.chance(0.15) ? marked : ascii);
    return `${text.slice(0, Math.max(length, 40)).trimEnd()}\n`;
  };
}

function writeBlock(random: Random): string {
  const lines = (count: number, line: () => string) => Array.from({ length: count }, line).join("\n");
  switch (random.below(8)) {
    case 0:
      return `## ${capitalize(random.pick(verbs))} the ${random.pick(nouns)}\n\n`;
    case 1:
      return `${lines(3 + random.below(5), () => `- **${random.pick(nouns)}**: ${writeSentence(random)}`)}\n\n`;
    case 2:
      return `${lines(2 + random.below(5), () => `1. ${writeSentence(random)}`)}\n\n`;
    case 3:
      return `\`\`\`bash\n${lines(2 + random.below(6), () => `${random.pick(verbs)} --${random.pick(nouns)} ./${random.pick(nouns)}.json # ${random.pick(qualities)}`)}\n\`\`\`\n\n`;
    case 4:
      return `| ${random.pick(nouns)} | ${random.pick(nouns)} |\n| --- | --- |\n${lines(3 + random.below(4), () => `| \`${random.pick(nouns)}\` | ${writeSentence(random)} |`)}\n\n`;
    case 5:
      return random.chance(0.2) ? "---\n\n" : `See [${random.pick(nouns)}](references/${random.pick(nouns)}.md).\n\n`;
    default:
      return `${lines(2 + random.below(4), () => writeSentence(random)).replaceAll("\n", " ")}\n\n`;
  }
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
