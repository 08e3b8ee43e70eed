import { type FormEvent, useEffect, useRef, useState } from "react";
import type { AppState } from "../../../shared/api.ts";
import { keepAdminToken } from "../api/admin-token.ts";
import { useApp } from "../api/app-state.tsx";
import { request, sentenceOf } from "../api/request.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

interface AdminDialogProps {
  readonly onClose: () => void;
  /** Called instead of `onClose` after the token was accepted. */
  readonly onSignIn?: () => void;
}

/** Asks for the admin token and keeps it for this tab once the server accepts it. */
export function AdminDialog({ onClose, onSignIn = onClose }: AdminDialogProps) {
  const { state, reload } = useApp();
  const [token, setToken] = useState("");
  const [error, setError] = useState<string | undefined>();

  const field = useRef<HTMLInputElement>(null);
  // Runs after the dialog opens, because opening it focuses its first button.
  useEffect(() => field.current?.focus(), []);

  const signIn = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const { isAdmin } = await request<AppState>("/api/state", { token: token.trim() });
      if (!isAdmin) return setError(notTheToken(state.adminTokenEnv));
      keepAdminToken(token.trim());
      await reload();
      onSignIn();
    } catch (failure) {
      setError(sentenceOf(failure));
    }
  };
  const signOut = async () => {
    keepAdminToken(undefined);
    await reload();
    onClose();
  };

  if (state.isAdmin) {
    return (
      <Dialog title="Admin" onClose={onClose}>
        <p>
          You are signed in. You can enable and disable skills, always allow their scripts, rescan folders and see file
          paths.
        </p>
        <div className="dialog-actions">
          <Button onClick={() => void signOut()}>Sign out</Button>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Admin" onClose={onClose}>
      <form onSubmit={(event) => void signIn(event)}>
        <p>
          The admin token lets you enable and disable skills, always allow their scripts, and rescan folders. It is kept
          until you close this tab.
        </p>
        <label className="field">
          Admin token
          <input
            ref={field}
            type="password"
            autoComplete="off"
            required
            value={token}
            aria-describedby={error ? "admin-error" : undefined}
            onChange={(event) => setToken(event.target.value)}
          />
        </label>
        {error && (
          <p id="admin-error" className="field-error" role="alert">
            {error}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Sign in
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function notTheToken(variable: string): string {
  return `Wrong admin token. To set a new one, restart the server with ${variable}.`;
}
