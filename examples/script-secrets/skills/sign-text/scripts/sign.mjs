import { createHmac } from "node:crypto";
import process from "node:process";

const key = process.env.SIGNING_KEY;
const signature = createHmac("sha256", key).update(process.argv[2]).digest("hex");
console.error(`Signing with ${key}`); // a mistake that many programs make
console.log(JSON.stringify({ signature }));
