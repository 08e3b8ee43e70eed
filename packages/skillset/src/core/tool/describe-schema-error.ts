/** An error of the validator for JSON Schema. */
interface SchemaError {
  readonly keyword: string;
  /** A pointer such as `#/cups/0`. */
  readonly instanceLocation: string;
  readonly error: string;
}

/** Keywords whose errors only say that there are others below. */
export const CONTAINERS: ReadonlySet<string> = new Set(["properties", "items", "prefixItems", "false"]);

/** Describes an error in plain words, without a full stop: `'text' is missing`, `cups.0: must be a string, not a number`. */
export function describeSchemaError({ keyword, instanceLocation, error }: SchemaError): string {
  const path = instanceLocation
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
  const message = plain(keyword, error);
  return path === "" ? message : `${path}: ${message}`;
}

function plain(keyword: string, error: string): string {
  if (keyword === "required") return `'${quotedIn(error)}' is missing`;
  if (keyword === "additionalProperties") return `there is no field '${quotedIn(error)}'`;
  const [, given, wanted] = /^Instance type "(\w+)" is invalid\. Expected "([\w", ]+)"\.$/.exec(error) ?? [];
  if (given !== undefined && wanted !== undefined)
    return `must be ${wanted.replaceAll('"', "").replaceAll(", ", " or ")}, not ${given}`;
  const values = /^Instance does not match any of (\[.*\])\.$/s.exec(error)?.[1];
  if (values !== undefined) return `must be one of ${values}`;
  return error.replace(/^Instance\b/, "the value").replace(/(?<!\.)\.+$/, "");
}

function quotedIn(error: string): string {
  return /"(.*)"/s.exec(error)?.[1] ?? "";
}
