import { expect, test } from "vitest";
import { containerProfile } from "./container-profile.ts";

test.each(["podman", "docker"] as const)("a container of %s can read its folders on a host with SELinux", (name) => {
  const profile = containerProfile({
    engine: { name, program: `/usr/bin/${name}`, runtime: undefined },
    image: "image",
    name: "name",
    skillFolder: "/a/skill",
    outputFolder: "/a/output",
    launchFolder: "/a/launch",
    limits: { time: 1_000, output: 1_000, memory: 2 ** 28, processes: 8, files: 1_000 },
  });
  const options = profile.flatMap((word, index) => (word === "--security-opt" ? [profile[index + 1]] : []));
  expect(options).toEqual(expect.arrayContaining(["no-new-privileges", "label=disable"]));
});
