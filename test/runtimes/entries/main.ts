import process from "node:process";
import { compiled } from "../compiled.ts";
import { runProgram } from "../program.ts";

// A bundled program on Node. It has no top-level await, so that it can become CommonJS.
const [, , places = ""] = process.argv;
runProgram(JSON.parse(places), compiled).then((result) => console.log(JSON.stringify(result)));
