import { expect, test } from "vitest";
import { isNetwork } from "./network.ts";

test("only IP addresses and networks are accepted", () => {
  for (const good of ["127.0.0.1", "::1", "10.0.0.0/8", "fd00::/8"]) expect(isNetwork(good)).toBe(true);
  for (const bad of ["", "localhost", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/x"]) {
    expect(isNetwork(bad)).toBe(false);
  }
});
