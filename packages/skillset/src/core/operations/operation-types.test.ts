// The compiler makes these assertions: `npm run types`.
import { describe, expectTypeOf, test } from "vitest";
import type { ScriptFile } from "../script/script.ts";
import type { OperationResult } from "../tool/model-tool.ts";
import type { OPERATIONS } from "./all.ts";
import type { ModelTool, OperationTool } from "./model-tool.ts";
import type { OperationDefinition } from "./operation.ts";
import type { OperationData, OperationId } from "./operation-data.ts";

type Table = typeof OPERATIONS;

describe("the compiler", () => {
  test("wants an entry of every operation in the table, under its own name", () => {
    expectTypeOf<Omit<Table, "search_skills">>().not.toExtend<Table>();
    expectTypeOf<Omit<Table, "search_skills"> & { search_skills: Table["activate_skill"] }>().not.toExtend<Table>();
    expectTypeOf<keyof Table>().toEqualTypeOf<OperationId>();
  });

  test("refuses a definition that returns the data of another operation, or reads another input", () => {
    type Search = OperationDefinition<"search_skills">;
    const fits = (_definition: Pick<Search, "read" | "execute">): void => {};
    fits({
      read: () => ({ query: "tea", limit: 5 }),
      execute: async () => ({ text: "", data: { skills: [] } }),
    });
    fits({
      // @ts-expect-error -- the limit is missing
      read: () => ({ query: "tea" }),
      // @ts-expect-error -- data of another operation
      execute: async () => ({ text: "", data: { name: "tea", wasActive: true } }),
    });
  });

  test("knows the data of a result by the id of its tool", () => {
    const filesOf = async (tool: ModelTool): Promise<readonly ScriptFile[]> => {
      if (tool.id !== "run_skill_script") return [];
      const result = await tool.execute({});
      return result.isError ? [] : result.data.files;
    };
    expectTypeOf(filesOf).returns.resolves.toEqualTypeOf<readonly ScriptFile[]>();
    expectTypeOf<OperationTool<"search_skills">["execute"]>().returns.resolves.toEqualTypeOf<
      OperationResult<OperationData["search_skills"]>
    >();
  });

  test("does not know a field of another operation, or of a tool that is none", () => {
    const read = async (tool: ModelTool): Promise<unknown> => {
      const result = await tool.execute({});
      // @ts-expect-error -- only a script's result has files that were written
      return result.isError ? undefined : result.data.droppedFiles;
    };
    const readOther = async (tool: OperationTool<"activate_skill">): Promise<unknown> => {
      const result = await tool.execute({});
      // @ts-expect-error -- the files of an activation are names
      return result.isError ? undefined : result.data.files[0]?.size;
    };
    expectTypeOf(read).toBeFunction();
    expectTypeOf(readOther).toBeFunction();
  });
});
