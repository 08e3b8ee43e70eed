import { readFileSync } from "node:fs";
import { parseAst } from "rolldown/parseAst";

/** A regular expression in the sources. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** `file:line` */
  readonly place: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** What an expression that is only known when the program runs counts as, such as an escaped name. */
const UNKNOWN = "unknown";

/** Finds the literals and the constructed expressions of a file, with constants of the file in their place. */
export function findPatterns(file: string, code = readFileSync(file, "utf8")): readonly Pattern[] {
  const program = parseAst(code, { lang: file.endsWith("x") ? "tsx" : "ts" }) as unknown as Node;
  const nodes = [...nodesIn(program)];
  const constants = new Map<string, Node>();
  for (const { type, id, init } of nodes) {
    if (type === "VariableDeclarator" && isNode(id) && isNode(init)) constants.set(String(id.name), init);
  }
  const found: Pattern[] = [];
  const add = (at: number, source: string, flags: string): void => {
    found.push({ source, flags, place: `${file}:${code.slice(0, at).split("\n").length}` });
  };
  for (const node of nodes) {
    if (isNode(node.regex)) add(node.start, String(node.regex.pattern), String(node.regex.flags));
    const standard = { RegExp: "", lazyRegExp: "u" }[nameOf(node.callee)];
    if (standard === undefined) continue;
    const [source, flags] = node.arguments as readonly Node[];
    const text = textOf(source, constants);
    // A function that only passes an expression on, such as `lazyRegExp` itself.
    if (text !== UNKNOWN) add(node.start, text, flags === undefined ? standard : textOf(flags, constants));
  }
  return found;
}

function* nodesIn(node: Node): Generator<Node> {
  if (typeof node.type === "string") yield node;
  for (const value of Object.values(node)) if (isNode(value)) yield* nodesIn(value);
}

/** Arrays count too, so that one function visits both. */
function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function nameOf(node: unknown): string {
  return isNode(node) && node.type === "Identifier" ? String(node.name) : "";
}

/** Evaluates constants, templates, `String.raw`, `+`, and a list that is joined. */
function textOf(node: unknown, constants: ReadonlyMap<string, Node>): string {
  if (!isNode(node)) return UNKNOWN;
  const inner = (one: unknown): string => textOf(one, constants);
  switch (node.type) {
    case "Literal":
      return String(node.value);
    case "Identifier":
      return constants.has(nameOf(node)) ? inner(constants.get(nameOf(node))) : UNKNOWN;
    case "TemplateLiteral":
      return fill(node, "cooked", inner);
    case "TaggedTemplateExpression":
      return isNode(node.quasi) ? fill(node.quasi, "raw", inner) : UNKNOWN;
    case "BinaryExpression":
      return inner(node.left) + inner(node.right);
    case "CallExpression": {
      const { object, property } = (node.callee ?? {}) as { object?: Node; property?: Node };
      const [separator] = node.arguments as readonly Node[];
      if (nameOf(property) !== "join" || object?.type !== "ArrayExpression") return UNKNOWN;
      return (object.elements as readonly Node[]).map(inner).join(inner(separator));
    }
    default:
      return UNKNOWN;
  }
}

function fill({ quasis, expressions }: Node, spelling: "cooked" | "raw", inner: (one: unknown) => string): string {
  const texts = (quasis as readonly { value: Record<string, string> }[]).map(({ value }) => value[spelling] ?? "");
  return texts.reduce((all, text, index) => all + inner((expressions as readonly Node[])[index - 1]) + text);
}
