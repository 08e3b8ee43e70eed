import { useState } from "react";
import { flushSync } from "react-dom";
import { useApp } from "../api/app-state.tsx";
import { Button } from "../ui/button.tsx";
import { AdminDialog } from "./admin-dialog.tsx";

interface SignInButtonProps {
  /** What only admins can do: "Sign in to repair". */
  readonly children: string;
}

/** Asks for the admin token where it is needed. Not shown to admins. */
export function SignInButton({ children }: SignInButtonProps) {
  const { isAdmin } = useApp().state;
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    // The button goes away, and nothing behind an open dialog can be focused.
    flushSync(() => setOpen(false));
    document.getElementById("content")?.focus();
  };
  if (isAdmin) return null;
  return (
    <>
      <Button icon="shield" className="small" onClick={() => setOpen(true)}>
        {children}
      </Button>
      {isOpen && <AdminDialog onClose={() => setOpen(false)} onSignIn={close} />}
    </>
  );
}
