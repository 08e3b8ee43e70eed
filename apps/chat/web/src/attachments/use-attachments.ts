import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Attachment } from "../../../shared/attachments-api.ts";
import { useApp } from "../api/app-state.tsx";
import { request, sentenceOf } from "../api/request.ts";
import { countText } from "../ui/count-text.ts";
import { keepDraftFiles, readDraftFiles } from "./draft-files.ts";
import { uploadFile } from "./upload-file.ts";

/** A file of the message that is being written. */
export interface FileItem {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly state:
    | { readonly kind: "uploading"; readonly share: number }
    | { readonly kind: "done"; readonly file: Attachment }
    | { readonly kind: "failed"; readonly reason: string; readonly canRetry: boolean };
}

/** The files of the message that is being written. Undefined if the settings disable attachments. */
export type Attachments = NonNullable<ReturnType<typeof useAttachments>>;

export function useAttachments(chatId: string, { isBeingSent = false } = {}) {
  const { attachments: limits } = useApp().state;
  const [items, setItems] = useState<readonly FileItem[]>(() =>
    isBeingSent ? [] : readDraftFiles(chatId).map(toItem),
  );
  const [status, setStatus] = useState("");
  const [problem, setProblem] = useState("");
  const files = useRef(new Map<string, File>());
  const uploads = useRef(new Map<string, AbortController>());
  const waiting = useRef<string[]>([]);
  const latest = useRef(items);

  const change = useCallback(
    (next: (before: readonly FileItem[]) => readonly FileItem[]) => {
      latest.current = next(latest.current);
      setItems(latest.current);
      keepDraftFiles(chatId, doneOf(latest.current));
    },
    [chatId],
  );
  const setState = useCallback(
    (key: string, state: FileItem["state"]) =>
      change((before) => before.map((item) => (item.key === key ? { ...item, state } : item))),
    [change],
  );

  /** Uploads two files at a time: browsers open only a few connections to a server. */
  const work = useCallback(() => {
    while (uploads.current.size < AT_ONCE) {
      const key = waiting.current.shift();
      if (key === undefined) return;
      const file = files.current.get(key);
      if (file === undefined) continue;
      const control = new AbortController();
      uploads.current.set(key, control);
      const onProgress = (share: number) => setState(key, { kind: "uploading", share });
      uploadFile(file, { onProgress, signal: control.signal })
        .then((stored) => {
          setState(key, { kind: "done", file: stored });
          setStatus(`${stored.name} is attached.`);
          files.current.delete(key);
        })
        .catch((error: unknown) => {
          if (control.signal.aborted) return;
          setState(key, { kind: "failed", reason: sentenceOf(error), canRetry: true });
          setStatus(`${file.name} was not uploaded: ${sentenceOf(error)}`);
        })
        .finally(() => {
          uploads.current.delete(key);
          work();
        });
    }
  }, [setState]);

  useEffect(() => {
    const { current: running } = uploads;
    return () => {
      for (const control of running.values()) control.abort();
    };
  }, []);

  const actions = useMemo(() => {
    const start = (key: string) => {
      setState(key, { kind: "uploading", share: 0 });
      waiting.current.push(key);
      work();
    };
    return {
      add: (given: Iterable<File>, { hasFolder = false } = {}) => {
        if (limits === undefined) return;
        const all = [...given];
        const kept = all.slice(0, Math.max(0, limits.maxFiles - latest.current.length));
        const fits = ({ size }: File) => size <= limits.maxBytes;
        const reason = `Larger than ${megabytes(limits.maxBytes)}`;
        const added = kept.map((file): FileItem => {
          const key = crypto.randomUUID();
          const state = fits(file)
            ? ({ kind: "uploading", share: 0 } as const)
            : ({ kind: "failed", reason, canRetry: false } as const);
          if (fits(file)) files.current.set(key, file);
          return { key, name: file.name || "file", size: file.size, state };
        });
        change((before) => [...before, ...added]);
        const left = all.length - kept.length;
        const limit = `A message can have ${limits.maxFiles} files.`;
        const problems = [
          ...(left > 0 ? [`${limit} ${countText(left, "file was", "files were")} left out.`] : []),
          ...(hasFolder ? ["Folders cannot be attached, only files."] : []),
        ];
        setProblem(problems.join(" "));
        for (const { key, state } of added) if (state.kind === "uploading") start(key);
      },
      remove: (key: string) => {
        const item = latest.current.find((one) => one.key === key);
        uploads.current.get(key)?.abort();
        files.current.delete(key);
        change((before) => before.filter((one) => one.key !== key));
        if (item === undefined) return;
        setProblem("");
        setStatus(`${item.name} was removed.`);
        if (item.state.kind !== "done") return;
        // The server removes it later, if this fails.
        void request<void>(`/api/files/${item.state.file.id}`, { method: "DELETE" }).catch(() => {});
      },
      retry: start,
      /** Empties the field. The stored draft stays until the server has the message. */
      clear: () => {
        latest.current = [];
        setItems([]);
        setStatus("");
        setProblem("");
      },
    };
  }, [limits, change, setState, work]);

  if (limits === undefined) return undefined;
  return {
    ...actions,
    limits,
    items,
    /** What happened to a file, for screen readers. */
    status,
    /** Why files were left out. */
    problem,
    done: doneOf(items),
    isUploading: items.some(({ state }) => state.kind === "uploading"),
    hasFailed: items.some(({ state }) => state.kind === "failed"),
  };
}

const AT_ONCE = 2;

/** A limit, which is a whole number of megabytes. */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

function doneOf(items: readonly FileItem[]): readonly Attachment[] {
  return items.flatMap(({ state }) => (state.kind === "done" ? [state.file] : []));
}

function toItem(file: Attachment): FileItem {
  return { key: file.id, name: file.name, size: file.size, state: { kind: "done", file } };
}
