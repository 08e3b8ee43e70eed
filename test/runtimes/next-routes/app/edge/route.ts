import { compiled } from "../../compiled.ts";
import { runProgram } from "../../program.ts";

export const runtime = "edge";
export const dynamic = "force-dynamic";

export async function GET(request: Request): Promise<Response> {
  const { mcp = "", folder = "" } = Object.fromEntries(new URL(request.url).searchParams);
  return Response.json(await runProgram({ mcp, folder }, compiled));
}
