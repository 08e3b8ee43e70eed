/** Without the fields that the SDK adds to what it has streamed, and that the API does not take back. */
export function withoutParsed<Value>(value: Value): Value {
  const isParsed = (key: string): boolean => key === "parsed" || key === "parsed_arguments";
  return JSON.parse(JSON.stringify(value, (key, inner) => (isParsed(key) ? undefined : inner)));
}
