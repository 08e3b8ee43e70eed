import loud from "loud";

console.log(JSON.stringify({ text: loud(process.argv[2]) }));
