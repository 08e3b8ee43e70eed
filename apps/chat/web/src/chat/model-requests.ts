import { useEffect } from "react";

type ChooseModel = (modelId: string) => void;

let open: ChooseModel | undefined;

/** Lets other parts of the page choose the model of the chat that is open. */
export function useModelRequests(choose: ChooseModel): void {
  useEffect(() => {
    open = choose;
    return () => {
      if (open === choose) open = undefined;
    };
  }, [choose]);
}

/** The function that chooses the model of the open chat, if one is open. */
export function modelRequests(): ChooseModel | undefined {
  return open;
}
