import { compiled } from "../compiled.ts";
import { runProgram } from "../program.ts";

// A worker.
export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await runProgram(await request.json(), compiled));
  },
};
