import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests next to the library's code take a second or two; the others start programs and databases. */
const isQuick = ({ moduleId }: TestSpecification): boolean => moduleId.includes("/packages/");

/** Runs slow files first, so that quick ones fill the cores at the end, even in a clone without recorded durations. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter((file) => !isQuick(file)), ...sorted.filter(isQuick)];
  }
}
