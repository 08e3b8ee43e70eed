import type { ApiError } from "../../../shared/api.ts";
import type { Attachment } from "../../../shared/attachments-api.ts";
import { RequestError } from "../api/request.ts";

export interface UploadOptions {
  /** Called with the share that is sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Uploads a file. `fetch` does not report progress. */
export function uploadFile(file: File, { onProgress, signal }: UploadOptions): Promise<Attachment> {
  return new Promise((resolve, reject) => {
    const upload = new XMLHttpRequest();
    upload.open("POST", `/api/files?name=${encodeURIComponent(file.name)}`);
    // Forms on other sites cannot send this type.
    upload.setRequestHeader("content-type", "application/octet-stream");
    upload.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    upload.onload = () => {
      if (upload.status === 201) return resolve(JSON.parse(upload.responseText) as Attachment);
      reject(errorOf(upload));
    };
    upload.onerror = () => reject(new RequestError("unreachable", "The connection was lost.", 0));
    upload.onabort = () => reject(new DOMException("The upload was removed.", "AbortError"));
    signal.addEventListener("abort", () => upload.abort(), { once: true });
    upload.send(file);
  });
}

function errorOf({ status, responseText }: XMLHttpRequest): RequestError {
  try {
    const { error } = JSON.parse(responseText) as ApiError;
    return new RequestError(error.code, error.message, status);
  } catch {
    return new RequestError("unexpected", `The server answered with status ${status}.`, status);
  }
}
