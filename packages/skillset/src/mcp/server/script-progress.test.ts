import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, test, vi } from "vitest";
import { reportProgress } from "./script-progress.ts";

function open(_meta: { progressToken?: string }) {
  const sent: { progress: number; message: string }[] = [];
  const notify = async ({ params }: { params?: unknown }) => void sent.push(params as never);
  return { sent, progress: reportProgress({ _meta, notify } as never as ServerContext["mcpReq"]) };
}

test("much output becomes at most five notifications a second, and none after the end", () => {
  vi.useFakeTimers();
  const { sent, progress } = open({ progressToken: "a" });
  for (let round = 0; round < 100; round++) {
    progress.add("x".repeat(100));
    vi.advanceTimersByTime(10);
  }
  expect(sent.length).toBeLessThanOrEqual(6);
  expect(Math.max(...sent.map(({ message }) => message.length))).toBe(2_000);
  const counts = sent.map(({ progress: count }) => count);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  progress.add("late");
  progress.end();
  const before = sent.length;
  vi.advanceTimersByTime(1_000);
  expect(sent).toHaveLength(before);
  vi.useRealTimers();
});

test("a request without a token gets no notification", () => {
  const { sent, progress } = open({});
  progress.add("text");
  progress.end();
  expect(sent).toEqual([]);
});
