import { asObject, asText, isObject, type JsonObject } from "./json.ts";
import type { FileView } from "./model-request.ts";

/** Returns the images and files in a request of any API, in order. */
export function filesIn(value: unknown): readonly FileView[] {
  if (Array.isArray(value)) return value.flatMap(filesIn);
  if (!isObject(value)) return [];
  const file = fileOf(value);
  return file === undefined ? Object.values(value).flatMap(filesIn) : [file];
}

function fileOf(part: JsonObject): FileView | undefined {
  const source = asObject(part.source);
  const inline = asObject(part.inlineData ?? part.inline_data);
  switch (part.type) {
    case "image_url":
    case "input_image":
      return fromUrl("image", asText(part.image_url) || asText(asObject(part.image_url).url));
    case "file":
      return fromUrl("file", asText(asObject(part.file).file_data), asText(asObject(part.file).filename));
    case "input_file":
      return fromUrl("file", asText(part.file_data), asText(part.filename));
    case "image":
    case "document": {
      const [kind, mediaType, data] = [part.type === "image", asText(source.media_type), asText(source.data)];
      if (data === "") return undefined;
      const bytes = Buffer.from(data, source.type === "base64" ? "base64" : "utf8");
      return view(kind ? "image" : "file", mediaType, bytes, asText(part.title));
    }
    default: {
      const mediaType = asText(inline.mimeType ?? inline.mime_type);
      if (mediaType === "") return undefined;
      return view(
        mediaType.startsWith("image/") ? "image" : "file",
        mediaType,
        Buffer.from(asText(inline.data), "base64"),
      );
    }
  }
}

function fromUrl(kind: FileView["kind"], url: string, name = ""): FileView | undefined {
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (mediaType === undefined || data === undefined) return undefined;
  return view(kind, mediaType, Buffer.from(data, "base64"), name);
}

function view(kind: FileView["kind"], mediaType: string, bytes: Uint8Array, name = ""): FileView {
  return { kind, mediaType, bytes: new Uint8Array(bytes), ...(name === "" ? {} : { name }) };
}
