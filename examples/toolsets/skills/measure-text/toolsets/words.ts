export function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
