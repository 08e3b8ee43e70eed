/** The text of a TypeScript file with comments, and with the insides of strings, replaced by spaces. */
export interface CodeText {
  readonly withoutComments: string;
  readonly withoutStrings: string;
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//.source;
const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/.source;
const REGEX = /(?<=(?:[=(,:[!&|?{};]|=>|\breturn)\s*)\/(?![*/])(?:[^\\/\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/
  .source;
/** Two levels of templates inside templates are enough for this repository. */
const TEMPLATE = nested(nested("(?!)"));
const TOKEN = new RegExp([COMMENT, QUOTED, TEMPLATE, REGEX].join("|"), "g");

/** Lines keep their numbers. Casts inside template literals are lost. */
export function readCode(source: string): CodeText {
  const isComment = (token: string): boolean => token.startsWith("//") || token.startsWith("/*");
  return {
    withoutComments: source.replace(TOKEN, (token) => (isComment(token) ? blank(token) : token)),
    withoutStrings: source.replace(TOKEN, (token) =>
      isComment(token) ? blank(token) : `${token[0]}${blank(token.slice(1, -1))}${token.at(-1)}`,
    ),
  };
}

function nested(inner: string): string {
  return `\`(?:[^\`\\\\$]|\\\\[\\s\\S]|\\$(?!\\{)|\\$\\{(?:[^{}\`]|\\{[^{}\`]*\\}|${inner})*\\})*\``;
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}
