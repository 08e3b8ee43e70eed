import type { Meter, Span, Tracer } from "@opentelemetry/api";
import { loadPeer } from "../adapter/load-peer.ts";
import { SkillError } from "../core/base/errors.ts";
import { messageOf } from "../core/base/message-of.ts";
import { VERSION } from "../core/base/version.ts";
import type { SessionTelemetry } from "../core/session/telemetry.ts";
import { checkOptions, type OptionTable } from "../core/text/check-options.ts";
import { createInstruments, skillAttributes } from "./instruments.ts";

export interface OpenTelemetryOptions {
  /**
   * Also records what users and models write: paths, the input and output of tools, and error messages.
   * @default false
   */
  readonly content?: boolean;
  /**
   * Tracer for the spans.
   * @default the tracer `skillset` of the global provider
   */
  readonly tracer?: Tracer;
  /**
   * Meter for the metrics.
   * @default the meter `skillset` of the global provider
   */
  readonly meter?: Meter;
}

/**
 * Returns telemetry for sessions: spans and metrics for each operation. One value serves any number of sessions.
 *
 * @example
 * ```ts
 * import { createSkillset } from "skillset";
 * import { openTelemetry } from "skillset/opentelemetry";
 *
 * const telemetry = await openTelemetry();
 * const skills = await createSkillset(["./skills"]);
 * const session = await skills.session({ telemetry });
 * await session.activate("pdf");
 * ```
 */
export async function openTelemetry(options: OpenTelemetryOptions = {}): Promise<SessionTelemetry> {
  checkOptions("openTelemetry()", options, OPTIONS);
  const api = await loadPeer("@opentelemetry/api", () => import("@opentelemetry/api"), {
    versions: { name: "@opentelemetry/api", range: "^1.3.0", install: "1" },
    features: ["trace.getTracer", "metrics.getMeter", "createContextKey"],
  });
  const { context, trace } = api;
  const { content = false, tracer = trace.getTracer("skillset", VERSION) } = options;
  const instruments = createInstruments(options.meter ?? api.metrics.getMeter("skillset", VERSION));
  // Not the active span: the program may have started its own span when an entry is recorded.
  const underWay = api.createContextKey("skillset operation");

  // If a tracer or a meter throws, only that telemetry is lost, never the operation's result.
  const quietly = <Value>(record: () => Value): Value | undefined => {
    try {
      return record();
    } catch (error) {
      api.diag.error("skillset: telemetry could not be recorded", error);
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
        // Errors from outside the library get the same code as in the ledger.
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

const OPTIONS: OptionTable<OpenTelemetryOptions> = {
  content: true,
  tracer: true,
  meter: true,
};
