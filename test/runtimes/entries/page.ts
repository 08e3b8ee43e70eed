import { compiled } from "../compiled.ts";
import { type Places, runProgram } from "../program.ts";

// A page. The test calls the function.
Object.assign(globalThis, { runProgram: (places: Places) => runProgram(places, compiled) });
