import process from "node:process";
import { type Compiled, runProgram } from "../program.ts";

// A program on Node, Bun or Deno, without a bundler. It imports the module with compiled skills that Rolldown made.
const [, , places = "", module = ""] = process.argv;
const { compiled } = (await import(module)) as { readonly compiled: Compiled };
console.log(JSON.stringify(await runProgram(JSON.parse(places), compiled)));
