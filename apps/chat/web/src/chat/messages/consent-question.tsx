import { useState } from "react";
import type { ConsentChoice, LiveScript } from "../../../../shared/api.ts";
import { AdminDialog } from "../../admin/admin-dialog.tsx";
import { useApp } from "../../api/app-state.tsx";
import { sentenceOf } from "../../api/request.ts";
import { Button } from "../../ui/button.tsx";
import { useToast } from "../../ui/toast.tsx";
import { useChatScripts } from "./live-script.ts";

interface ConsentQuestionProps {
  readonly live: LiveScript;
  readonly command: string;
}

/** Asks whether a script may run. The answer waits until somebody decides. */
export function ConsentQuestion({ live, command }: ConsentQuestionProps) {
  const { call, skill, digest, sandbox, input, files, env } = live;
  const { isAdmin } = useApp().state;
  const { answer } = useChatScripts();
  const showToast = useToast();
  const [isSending, setSending] = useState(false);
  const [isSigningIn, setSigningIn] = useState(false);
  const choose = async (choice: ConsentChoice) => {
    setSigningIn(false);
    setSending(true);
    try {
      await answer(call, choice);
    } catch (error) {
      showToast(sentenceOf(error));
    } finally {
      setSending(false);
    }
  };
  return (
    <div className="tool-body script-body">
      <p role="alert">
        May the skill <strong>{skill}</strong> run this script?
      </p>
      <p className="script-command">
        <code>{command}</code>
      </p>
      <dl className="consent-facts">
        {input !== undefined && (
          <>
            <dt>Input</dt>
            <dd>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll long input */}
              <pre tabIndex={0}>{input}</pre>
            </dd>
          </>
        )}
        {files.length > 0 && (
          <>
            <dt>Files</dt>
            <dd>{files.join(", ")}</dd>
          </>
        )}
        {env.length > 0 && (
          <>
            <dt>Variables</dt>
            <dd>
              <code>{env.join(", ")}</code>
            </dd>
          </>
        )}
        <dt>Sandbox</dt>
        <dd>{sandbox}</dd>
        <dt>Version</dt>
        <dd>
          <code title={digest}>{shorten(digest)}</code>
        </dd>
      </dl>
      <div className="consent-actions">
        <Button look="primary" disabled={isSending} onClick={() => void choose("once")}>
          Run once
        </Button>
        <Button
          icon="shield"
          disabled={isSending}
          title={isAdmin ? "Does not ask again until the skill changes" : "Asks for the admin token"}
          onClick={() => (isAdmin ? void choose("always") : setSigningIn(true))}
        >
          Always for this version
        </Button>
        <Button disabled={isSending} onClick={() => void choose("deny")}>
          Deny
        </Button>
      </div>
      {isSigningIn && <AdminDialog onClose={() => setSigningIn(false)} onSignIn={() => void choose("always")} />}
    </div>
  );
}

/** `sha256:4c1e9a…` as twelve digits; the full digest is in the title. */
function shorten(digest: string): string {
  return digest.replace(/^\w+:/, "").slice(0, 12);
}
