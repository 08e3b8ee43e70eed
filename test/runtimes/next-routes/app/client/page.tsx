"use client";

import { useEffect } from "react";
import { compiled } from "../../compiled.ts";
import { type Places, runProgram } from "../../program.ts";

// A client page. The test calls the function.
export default function Page() {
  useEffect(() => {
    Object.assign(globalThis, { runProgram: (places: Places) => runProgram(places, compiled) });
  }, []);
  return <p>The page runs the program.</p>;
}
