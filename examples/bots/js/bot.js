// A bot in JavaScript: of the legal actions one at a place that hangs on the question alone, as the bot in C has it.
const lines = require("readline").createInterface({ input: process.stdin });

const say = (said) => process.stdout.write(JSON.stringify(said) + "\n");

// How many legal actions there are: those of a list, or the count that stands in an object.
const countOf = (legal) => (Array.isArray(legal) ? legal.length : legal.count);

function hashOf(text) { // FNV-1a
  let hash = 2166136261;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
  return hash;
}

function answer(line) {
  const [word, number, sitting, phase, legal] = JSON.parse(line);
  if (word !== "ask") return; // sit, leave
  const question = line.slice(line.indexOf(',"', 6) + 1); // from the phase on, without the numbers before it
  say([number, hashOf(question) % countOf(legal)]);
}

lines.once("line", (hello) => {
  say({ roundsim: 1, name: "even", wants: ["hand"] });
  lines.on("line", answer);
});
