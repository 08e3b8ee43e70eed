import type { Attributes, Meter, Span, Tracer } from "@opentelemetry/api";
import type { ToolResult } from "../core/call-tool.ts";
import { SkillError } from "../core/errors.ts";
import type { LedgerEntry } from "../core/ledger.ts";
import type { FollowedOperation, SessionTelemetry } from "../core/telemetry.ts";
import { VERSION } from "../core/version.ts";
import { loadPeer } from "../tools/load-peer.ts";
import { createInstruments, skillAttributes } from "./instruments.ts";

export interface OpenTelemetryOptions {
  /** Also record what people and models write: paths, the input and output of tools, and the messages of errors. */
  readonly content?: boolean;
  /** Where spans go; the program's own by default. */
  readonly tracer?: Tracer;
  /** Where metrics go; the program's own by default. */
  readonly meter?: Meter;
}

/** Spans and metrics of what sessions do, for `skills.session({ telemetry })`; one serves any number of sessions. */
export async function openTelemetry(options: OpenTelemetryOptions = {}): Promise<SessionTelemetry> {
  const api = await loadPeer("@opentelemetry/api", () => import("@opentelemetry/api"));
  const { context, trace } = api;
  const { content = false, tracer = trace.getTracer("skillset", VERSION) } = options;
  const instruments = createInstruments(options.meter ?? api.metrics.getMeter("skillset", VERSION));
  // Not the active span: an entry may be written while the program follows something of its own.
  const underWay = api.createContextKey("skillset operation");

  // A tracer or a meter that throws must not cost a result that was already there.
  const quietly = <Value>(tell: () => Value): Value | undefined => {
    try {
      return tell();
    } catch (error) {
      api.diag.error("skillset: what happened could not be recorded", error);
      return undefined;
    }
  };

  return {
    async follow(operation, work) {
      const attributes = { "skillset.session.id": operation.session, ...skillAttributes(operation.skill) };
      const span = quietly(() => tracer.startSpan(`skill.${operation.type}`, { attributes }));
      quietly(() => content && span?.isRecording() && span.setAttributes(requestAttributes(operation)));
      const start = performance.now();
      const seconds = (): number => (performance.now() - start) / 1_000;
      let working: ReturnType<typeof work> | undefined;
      const workOnce = (): ReturnType<typeof work> => {
        working ??= work();
        return working;
      };
      if (span !== undefined)
        quietly(() => context.with(trace.setSpan(context.active(), span).setValue(underWay, span), workOnce));
      try {
        const result = await workOnce();
        if (content && operation.type === "call")
          quietly(() => span?.setAttribute("skillset.tool.output", (result as ToolResult).text));
        quietly(() => instruments.ended(operation, seconds()));
        return result;
      } catch (error) {
        // The same word as in the ledger for what is not the library's own.
        const type = error instanceof SkillError ? error.code : "unexpected";
        quietly(() => span?.setAttribute("error.type", type));
        quietly(() =>
          span?.setStatus({ code: api.SpanStatusCode.ERROR, ...(content && { message: messageOf(error) }) }),
        );
        quietly(() => instruments.ended(operation, seconds(), type));
        throw error;
      } finally {
        quietly(() => span?.end());
      }
    },

    record(entry) {
      quietly(() => instruments.recorded(entry));
      const span = quietly(() => context.active().getValue(underWay)) as Span | undefined;
      quietly(() => span?.isRecording() && span.setAttributes(entryAttributes(entry)));
    },
  };
}

function requestAttributes(operation: FollowedOperation): Attributes {
  switch (operation.type) {
    case "activate":
      return operation.arguments === undefined ? {} : { "skillset.activation.arguments": operation.arguments };
    case "read":
    case "list":
      return { "skillset.file.path": operation.path };
    case "call":
      return { "skillset.tool.input": toJson(operation.input) };
  }
}

function entryAttributes(entry: LedgerEntry): Attributes {
  switch (entry.type) {
    case "skill-activated":
      return {
        "skillset.activation.by": entry.by,
        "skillset.activation.tokens": entry.tokens,
        "skillset.activation.bytes": entry.bytes,
        "skillset.activation.truncated": entry.truncated,
        "skillset.activation.repeated": entry.repeated,
      };
    case "file-read":
      return { "skillset.file.bytes": entry.bytes, "skillset.file.truncated": entry.truncated };
    case "tool-called":
      return { "skillset.tool.name": entry.tool, "skillset.tool.outcome": entry.outcome };
    default:
      return {};
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "undefined";
  } catch {
    return "[not JSON]";
  }
}
