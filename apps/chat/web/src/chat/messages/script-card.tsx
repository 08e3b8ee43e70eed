import { useId, useState } from "react";
import type { LiveScript } from "../../../../shared/api.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { ConsentQuestion } from "./consent-question.tsx";
import { DeniedCall } from "./denied-call.tsx";
import { describeLive, describeScript, type ScriptDescription } from "./describe-script.ts";
import type { ToolPart } from "./describe-tool.ts";
import { useChatScripts } from "./live-script.ts";
import { ScriptFiles } from "./script-files.tsx";
import { ScriptOutput } from "./script-output.tsx";
import { ToolHead } from "./tool-head.tsx";

interface ScriptCallProps {
  readonly part: ToolPart;
  readonly isAnswerEnded: boolean;
}

/** The call of a script: the question, the output while it runs, or the result. */
export function ScriptCall({ part, isAnswerEnded }: ScriptCallProps) {
  const { live } = useChatScripts();
  const isLive = live?.call === part.toolCallId && !isAnswerEnded && part.state !== "output-available";
  // One component for all states, so that the card stays open or closed as the user left it.
  return isLive ? (
    <ScriptCard shown={describeLive(live)} live={live} />
  ) : (
    <ScriptCard shown={describeScript(part, isAnswerEnded)} />
  );
}

/** A script that asks or runs, also for pages that do not receive the answer. */
export function LiveScriptCard({ live }: { readonly live: LiveScript }) {
  return <ScriptCard shown={describeLive(live)} live={live} />;
}

interface ScriptCardProps {
  readonly shown: ScriptDescription;
  readonly live?: LiveScript;
}

function ScriptCard({ shown, live }: ScriptCardProps) {
  const sentenceId = useId();
  const bodyId = useId();
  const { state, files, dropped } = shown;
  // Until the user toggles it, the card collapses when the script succeeds: the answer says what came of it.
  const [chosen, setChosen] = useState<boolean | undefined>();
  const isOpen = chosen ?? state !== "done";
  return (
    <article className={`tool-card script-card ${state}`} aria-labelledby={sentenceId}>
      <ToolHead
        icon="terminal"
        verb={shown.verb}
        object={shown.script}
        details={[shown.skill, state === "done" ? shown.word : undefined]}
        isOpen={isOpen}
        sentenceId={sentenceId}
        bodyId={bodyId}
        onToggle={() => setChosen(!isOpen)}
      >
        {shown.level === "subprocess" && <Badge tone="warning">no sandbox</Badge>}
        {state !== "done" && state !== "running" && <Badge tone={TONES[state]}>{shown.word}</Badge>}
      </ToolHead>
      {isOpen && (
        <div id={bodyId} className="tool-box">
          {live?.state === "asking" ? (
            <ConsentQuestion live={live} command={shown.command} />
          ) : (
            <Result shown={shown} />
          )}
          <p className="tool-wire">
            <code>skills_run_script</code>
          </p>
        </div>
      )}
      <ScriptFiles files={files} dropped={dropped} />
    </article>
  );
}

const TONES: Readonly<Record<ScriptDescription["state"], Tone>> = {
  asking: "warning",
  running: "accent",
  done: "good",
  failed: "bad",
  denied: "warning",
};

function Result({ shown }: { readonly shown: ScriptDescription }) {
  const { skill, command, level, outputs, reason, denied, milliseconds, state } = shown;
  return (
    <div className="tool-body script-body">
      <p className="script-command">
        <code>{command}</code>
      </p>
      {reason !== "" && <p className="tool-error">{reason}</p>}
      {denied && <DeniedCall denied={denied} owner={skill} />}
      {outputs.map(({ name, text }) => (
        <ScriptOutput key={name} name={name} text={text} isGrowing={state === "running"} />
      ))}
      {outputs.length === 0 && reason === "" && !denied && (
        <p className="hint">{state === "running" ? "Running…" : "No output"}</p>
      )}
      {level !== "" && (
        <p className="hint">{[levelText(level), durationText(milliseconds)].filter(Boolean).join(" · ")}</p>
      )}
    </div>
  );
}

function levelText(level: string): string {
  return level === "subprocess" ? "No sandbox" : `Sandbox: ${level}`;
}

function durationText(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return "";
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
