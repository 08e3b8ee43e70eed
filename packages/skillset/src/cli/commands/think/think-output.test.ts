import { expect, test } from "vitest";
import type { Io } from "../../terminal/io.ts";
import { ThinkOutput } from "./think-output.ts";

/** An output on one screen, or with stdout and stderr apart. */
function open(isTTY: boolean) {
  let screen = "";
  const write = (chunk: Uint8Array | string, done: () => void) => {
    screen += Buffer.from(chunk as Uint8Array).toString();
    done();
  };
  const output = new ThinkOutput({ stdout: { write, isTTY }, stderr: { write, isTTY } } as unknown as Io);
  return { output, screen: () => screen };
}

test("on a terminal, a progress line starts on a new line", async () => {
  const { output, screen } = open(true);
  await output.say("I am");
  await output.report("Tool: Look");
  await output.say(" here");
  await output.end();
  await output.end();
  expect(screen()).toBe("I am\nTool: Look\n here\n");
});

test("without a terminal the text stays unchanged", async () => {
  const { output, screen } = open(false);
  await output.say("I am");
  await output.report("Tool: Look");
  await output.say(" here\n");
  await output.end();
  expect(screen()).toBe("I amTool: Look\n here\n");
});

test("a text has no blank lines before it, and one between its paragraphs", async () => {
  const { output, screen } = open(false);
  output.endParagraph();
  for (const piece of ["\n", " \nOne", " two\n"]) await output.say(piece);
  output.endParagraph();
  for (const piece of ["\n\n", "Three"]) await output.say(piece);
  output.endParagraph();
  await output.say("Four");
  expect(screen()).toBe("One two\n\nThree\n\nFour");
});

test("nothing is printed while a question is open", async () => {
  const { output, screen } = open(true);
  const answer = Promise.withResolvers<boolean>();
  const first = output.ask(() => answer.promise);
  const second = output.ask(() => Promise.reject(new Error("no answer")));
  const reported = output.report("Tool: Look");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(screen()).toBe("");
  answer.resolve(true);
  expect(await first).toBe(true);
  await expect(second).rejects.toThrow("no answer");
  await reported;
  expect(screen()).toBe("Tool: Look\n");
});
