import { useMemo } from "react";
import { type Attachment, type AttachmentText, kindOf } from "../../../shared/attachments-api.ts";
import { useResource } from "../api/use-resource.ts";
import { TextBlock } from "../ui/code-block.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { sizeText } from "../ui/size-text.ts";
import { fileAddress } from "./attachment-thumb.tsx";
import { readRows } from "./read-rows.ts";

interface AttachmentDialogProps {
  readonly file: Attachment;
  readonly onClose: () => void;
}

/** A file: the picture, the start of a text or table, and a download. */
export function AttachmentDialog({ file, onClose }: AttachmentDialogProps) {
  const { name, mediaType, size, digest } = file;
  const kind = kindOf(mediaType);
  return (
    <Dialog title={name} onClose={onClose} className="wide attachment-dialog">
      {kind === "image" && <img src={`${fileAddress(file)}?preview`} alt={name} />}
      {kind === "text" && <TextPreview file={file} />}
      {kind !== "image" && kind !== "text" && <p className="hint">This kind of file has no preview.</p>}
      <footer>
        <span className="hint">
          {mediaType} · {sizeText(size)} · <code title={digest}>{digest.slice(0, 19)}</code>
        </span>
        <a className="button plain" href={fileAddress(file)} download={name}>
          <Icon name="download" />
          Download
        </a>
      </footer>
    </Dialog>
  );
}

function TextPreview({ file }: { readonly file: Attachment }) {
  const { data, error } = useResource<AttachmentText>(`${fileAddress(file)}/text`);
  const delimiter = TABLES[file.mediaType];
  const rows = useMemo(() => (data && delimiter ? readRows(data.text, delimiter) : undefined), [data, delimiter]);
  if (error) return <p className="hint">{error}</p>;
  if (data === undefined) return null;
  return (
    <>
      {rows ? <Rows rows={rows} label={file.name} /> : <TextBlock text={data.text} label={file.name} />}
      {data.isCut && <p className="hint">This is the start of the file.</p>}
    </>
  );
}

const TABLES: Readonly<Record<string, "," | "\t">> = { "text/csv": ",", "text/tab-separated-values": "\t" };

function Rows({ rows, label }: { readonly rows: ReturnType<typeof readRows>; readonly label: string }) {
  const { header, lines, left } = rows;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
      <section className="preview-table" aria-label={`Start of ${label}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {header.map(({ key, text }) => (
                <th key={key} scope="col">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ key, cells }) => (
              <tr key={key}>
                {cells.map((cell) => (
                  <td key={cell.key}>{cell.text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {left > 0 && <p className="hint">{left.toLocaleString("en")} more rows in this part of the file.</p>}
    </>
  );
}
