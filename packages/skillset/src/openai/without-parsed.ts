/** Removes the fields that the SDK adds to streamed answers and that the API rejects as input. */
export function withoutParsed<Value>(value: Value): Value {
  const isParsed = (key: string): boolean => key === "parsed" || key === "parsed_arguments";
  return JSON.parse(JSON.stringify(value, (key, inner) => (isParsed(key) ? undefined : inner)));
}
