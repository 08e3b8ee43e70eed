import type { Problem, ProblemCode, Severity } from "../../../core/base/problem.ts";
import { VERSION } from "../../../core/base/version.ts";
import { RULE_HELP } from "../../../node/config/rule-help.ts";
import type { Io } from "../../terminal/io.ts";
import { printable } from "../../terminal/printable.ts";
import { gravestFirst } from "../../terminal/problem-groups.ts";
import type { Report } from "./report.ts";
import { relativeUri } from "./report-path.ts";

/** A SARIF 2.1.0 log for code scanning services. */
export function sarifFormat({ problems }: Report, io: Io): unknown {
  const sorted = gravestFirst(problems);
  const rules = [...new Set(sorted.map(({ code }) => code))].sort();
  const driver = { name: "skillset", version: VERSION, semanticVersion: VERSION, rules: rules.map(describeRule) };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver },
        columnKind: "utf16CodeUnits",
        results: sorted.map((problem) => toResult(problem, rules.indexOf(problem.code), io)),
      },
    ],
  };
}

function describeRule(code: ProblemCode) {
  const text = RULE_HELP[code];
  return {
    id: code,
    shortDescription: { text: /^.*?[.](?= |$)/.exec(text)?.[0] ?? text },
    fullDescription: { text },
    help: { text },
  };
}

function toResult({ code, severity, message, fix, path, line, column }: Problem, ruleIndex: number, io: Io) {
  const text = fix === undefined ? message : `${message} Fix: ${fix}`;
  const region = line !== undefined && {
    region: { startLine: line, startColumn: column },
  };
  return {
    ruleId: code,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: toMessage(text) },
    ...(path !== undefined && {
      locations: [{ physicalLocation: { artifactLocation: { uri: relativeUri(path, io) }, ...region } }],
    }),
  };
}

const LEVELS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

/** In SARIF, braces are placeholders and `[text](target)` is a link: text from skills must not contain either. */
function toMessage(text: string): string {
  return printable(text).replaceAll("](", "] (").replace(/[{}]/g, "$&$&");
}
