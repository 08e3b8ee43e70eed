/** "1 token", "873 tokens", "6.2k tokens". */
export function tokensText(count: number): string {
  if (count === 1) return "1 token";
  return `${count < 1000 ? count : `${(count / 1000).toFixed(count < 9950 ? 1 : 0)}k`} tokens`;
}
