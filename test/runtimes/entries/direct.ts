import process from "node:process";
import { runProgram } from "../program.ts";

// A program on Node, Bun or Deno, without a bundler.
const [, , mcp = "", folder = ""] = process.argv;
runProgram({ mcp, folder }).then((result) => console.log(JSON.stringify(result)));
