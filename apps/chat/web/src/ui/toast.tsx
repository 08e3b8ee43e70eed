import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { IconButton } from "./button.tsx";

type ShowToast = (text: string) => void;

const Context = createContext<ShowToast>(() => {});

/** Shows a message for a few seconds; screen readers announce it politely. */
export function useToast(): ShowToast {
  return useContext(Context);
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toast, setToast] = useState<{ readonly text: string } | undefined>();
  const show = useCallback<ShowToast>((text) => setToast({ text }), []);
  useEffect(() => {
    if (toast === undefined) return;
    const timer = setTimeout(() => setToast(undefined), 7000);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <Context value={show}>
      {children}
      <div className="toasts" role="status">
        {toast && (
          <div className="toast">
            <p>{toast.text}</p>
            <IconButton icon="close" label="Dismiss" onClick={() => setToast(undefined)} />
          </div>
        )}
      </div>
    </Context>
  );
}
