import { compiled } from "../compiled.ts";
import { runProgram } from "../program.ts";

// A worker.
export default {
  async fetch(request: Request): Promise<Response> {
    const { mcp = "", folder = "" } = Object.fromEntries(new URL(request.url).searchParams);
    return Response.json(await runProgram({ mcp, folder }, compiled));
  },
};
