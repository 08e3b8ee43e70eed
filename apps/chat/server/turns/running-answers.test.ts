import { expect, test } from "vitest";
import { RunningAnswers } from "./running-answers.ts";

test("a chat has one running answer, and stopping waits until it is stored", async () => {
  const running = new RunningAnswers();
  const answer = running.start("a");
  expect(running.start("a")).toBeUndefined();
  expect(running.start("b")).toBeDefined();
  const stopped = running.stop("a");
  expect(answer?.signal.aborted).toBe(true);
  expect(running.has("a")).toBe(true);
  answer?.end();
  await stopped;
  expect(running.has("a")).toBe(false);
});

test("on shutdown, answers may finish, and are cut off if they take too long", async () => {
  const running = new RunningAnswers();
  const [quick, slow] = [running.start("quick"), running.start("slow")];
  slow?.signal.addEventListener("abort", () => slow.end());
  setTimeout(() => quick?.end(), 5);
  await running.finish(60);
  expect(quick?.signal.aborted && slow?.signal.aborted).toBe(true);
  expect(running.size).toBe(0);
});
