import { compiled } from "../../compiled.ts";
import { runProgram } from "../../program.ts";

export const runtime = "edge";
export const dynamic = "force-dynamic";

export async function POST(request: Request): Promise<Response> {
  return Response.json(await runProgram(await request.json(), compiled));
}
