import type { Meter, Span, Tracer } from "@opentelemetry/api";
import { loadPeer } from "../adapter/load-peer.ts";
import { SkillError } from "../core/base/errors.ts";
import { messageOf } from "../core/base/message-of.ts";
import { VERSION } from "../core/base/version.ts";
import type { SessionTelemetry } from "../core/session/telemetry.ts";
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
    async follow(operation, work, output) {
      const attributes = { "skillset.session.id": operation.session, ...skillAttributes(operation.skill) };
      const span = quietly(() => tracer.startSpan(`skill.${operation.operation}`, { attributes }));
      quietly(() => content && span?.isRecording() && span.setAttributes(operation.content));
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
        if (content && output !== undefined) quietly(() => span?.setAttributes(output(result)));
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

    record(entry, attributes) {
      quietly(() => instruments.recorded(entry));
      const span = quietly(() => context.active().getValue(underWay)) as Span | undefined;
      quietly(() => span?.isRecording() && span.setAttributes(attributes));
    },
  };
}
