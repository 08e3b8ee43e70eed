import { expect, test } from "vitest";
import { isSideRequest, sideAnswer } from "./side-request.ts";

const user = (text: string) => ({ role: "user" as const, text });

test("a request with tools belongs to the conversation", () => {
  expect(isSideRequest({ tools: ["echo"], messages: [user("Go")] })).toBe(false);
});

test("a request without tools, with a schema, or for a suggestion is a side request", () => {
  expect(isSideRequest({ tools: [], messages: [user("A title")] })).toBe(true);
  expect(isSideRequest({ tools: ["echo"], messages: [user("Review")] }, {})).toBe(true);
  expect(isSideRequest({ tools: ["echo"], messages: [user("Go"), user("[SUGGESTION MODE: what next?]")] })).toBe(true);
});

test.each([
  [{}, {}],
  [{ type: "object", properties: { a: { type: "string" }, b: { type: "number" } }, required: ["b"] }, { b: 0 }],
  [{ type: "OBJECT", properties: { a: { type: "BOOLEAN" } } }, { a: false }],
  [{ type: "array", items: { type: ["string", "null"] }, minItems: 2 }, ["Scripted", "Scripted"]],
  [{ anyOf: [{ $ref: "#/$defs/x" }, { type: "null" }], $defs: { x: { const: 7 } } }, 7],
  [
    { type: "object", properties: { a: { enum: ["deny", "allow"] }, b: { enum: ["user", "model"] } } },
    { a: "allow", b: "user" },
  ],
])("the schema %j is filled as %j", (schema, expected) => {
  expect(JSON.parse(sideAnswer({ schema }))).toEqual(expected);
});

test("a recursive schema is cut off", () => {
  expect(sideAnswer({ schema: { type: "object", properties: { a: { $ref: "#" } } } }).length).toBeLessThan(500);
});
