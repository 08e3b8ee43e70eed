/** Returns a name that is safe as a file on every system, in a header, and in a prompt. The extension stays. */
export function safeFileName(given: string): string {
  const base = given.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const plain = base
    // Invisible and control characters, and those that change the direction of text.
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\ufffd]/gu, "")
    .replace(/\s+/g, " ")
    .replace(/[<>:"|?*$`{}&]/g, "_")
    // Names that start with a dot are hidden or private; Windows drops dots and spaces at the end.
    .replace(/^[. ~-]+|(?<![. ])[. ]+$/g, "");
  const name = shorten(plain);
  if (name === "") return "file";
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name) ? `_${name}` : name;
}

/** Returns a variant of a name that is not taken. Names that differ only in case are the same: some file systems ignore it. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const { stem, extension } = splitName(name);
  for (let count = 1; ; count++) {
    const one = count === 1 ? name : `${stem}-${count}${extension}`;
    if (!isTaken(one)) return one;
  }
}

const LONGEST = 120;

/** Cuts the middle part, by whole characters. */
function shorten(name: string): string {
  const { stem, extension } = splitName(name);
  let kept = "";
  for (const character of stem) {
    if (Buffer.byteLength(kept + character + extension) > LONGEST) break;
    kept += character;
  }
  return `${kept.trimEnd()}${extension}`;
}

function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const [extension = ""] = /\.[A-Za-z0-9]{1,10}$/.exec(name) ?? [];
  return { stem: name.slice(0, name.length - extension.length), extension };
}
