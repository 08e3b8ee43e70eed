import { expect, test } from "vitest";
import { checkValue } from "./schema.ts";

const schema = {
  type: "object",
  properties: {
    text: { type: "string", minLength: 2 },
    size: { enum: ["small", "large"] },
    cups: { type: "array", items: { type: ["string", "null"] } },
    "a/b": { type: "integer", minimum: 3 },
  },
  required: ["text"],
  additionalProperties: false,
};

test.each([
  [{}, ["'text' is missing"]],
  [5, ["must be object, not number"]],
  [{ text: 5 }, ["text: must be string, not number"]],
  [{ text: "a" }, ["text: String is too short (1 < 2)"]],
  [{ text: "ab", size: "huge" }, ['size: must be one of ["small","large"]']],
  [{ text: "ab", cups: ["a", 1] }, ["cups.1: must be string or null, not number"]],
  [{ text: "ab", "a/b": 1 }, ["a/b: 1 is less than 3"]],
  [{ text: "ab", extra: 1 }, ["there is no field 'extra'"]],
  [{ text: "ab" }, []],
])("the value %j has the issues %j", async (value, issues) => {
  expect((await checkValue(schema, value)).issues).toEqual(issues);
});
