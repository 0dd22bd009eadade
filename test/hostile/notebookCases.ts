/** Notebooks as people write them, and what can be done to their text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { definitionsToText } from "../../src/spec/definitionsText.ts";

/** Uniform in [0, 1). */
export type Random = () => number;

const served = (name: string) =>
  readFileSync(join(import.meta.dirname, "..", "..", "public", "notebooks", name), "utf8");

const CODE = "export function reward({ reward }) { globalThis.executed = 1; return reward; }";

/** Every kind of cell, code of every kind of way, and the older form. */
const WHOLE = `# Everything

Prose with [a link](https://example.org), $x^2$, a note.[^n]

[^n]: A note.

$$
\\sum_t r_t
$$

\`\`\`code id=mine defines=reward
${CODE}
\`\`\`

\`\`\`experiment id=first
preset: nano
environment:
  reward: mine
\`\`\`

\`\`\`experiment id=packed
preset: nano
environment.reward: theirs
definitions: ${definitionsToText([{ kind: "reward", name: "theirs", source: CODE }])}
\`\`\`

\`\`\`experiment id=older
preset = nano
seed = 3
\`\`\`

\`\`\`panel id=credits of=first fold
panel: credits
at: turn-ppo,26,7,3
\`\`\`

\`\`\`curves of=first
metrics: [reward, heldout]
\`\`\`

\`\`\`quiz
question: Which?
options: [a, b]
answer: 2
\`\`\`

\`\`\`compare
experiments: [first, older]
\`\`\`

\`\`\`playground of=first
\`\`\`

\`\`\`code id=sum
globalThis.executed = 1; 1 + 1
\`\`\`
`;

const BASES = [served("first.md"), served("code.md"), WHOLE, WHOLE];

const PIECES = [
  ...[
    "<script>executed=1</script>",
    "<img src=x onerror=executed=1>",
    "[x](javascript:executed=1)",
  ],
  ...[
    "[x](data:text/html,x)",
    "![x](https://example.org/x.png)",
    "[^n]",
    "[^n]: [^n]\n",
    "$",
    "$$",
  ],
  ...["```", "````", "~~~", "```experiment", "```code defines=reward", "```code id=__proto__"],
  ...["__proto__: {polluted: 1}", "constructor: {prototype: {polluted: 1}}", "&a", "*a", "<<: *a"],
  ...[
    "!!js/function 'executed=1'",
    "!!binary aaaa",
    "? [a, b]\n: c",
    "---\n",
    "...\n",
    "%YAML 9\n",
  ],
  ...["1e400", "-0", ".nan", "9007199254740993", "9".repeat(400), "null", "~", "|\n", ">\n", "\t"],
  ...["\u0000", "\u202e", "\ud800", "\ufeff", "\r", "\u2028", "<!-- cell -->", "#".repeat(50)],
  ...["recording: https://example.org/x", "recording: ../../x", "seeds: //example.org/x"],
  ...[
    "definitions: abc",
    "definitions: [1, 2]",
    "algorithms: [turn-ppo@mine]",
    "preset: __proto__",
  ],
  ...["optimisation: {iterations: 1e9}", "environment: {kind: defined}", "at: a,b,c", "of=of"],
];

/** More than anybody writes. */
const FLOODS: ((random: Random) => string)[] = [
  () =>
    cell(
      "experiment",
      lines(9000, (i) => `k${i}: ${i}`),
    ),
  () => cell("experiment", `a: ${"[".repeat(40_000)}`),
  () => cell("quiz", `options: [${"x, ".repeat(30_000)}]`),
  () =>
    cell(
      "panel",
      lines(20_000, () => "# remark"),
    ),
  () => lines(3000, (i) => cell("experiment", `seed: ${i}`)),
  () => lines(3000, (i) => cell("code", `${i}`)),
  () => "$a ".repeat(300_000),
  () => "$$a\n".repeat(200_000),
  () => `${"x[^n] ".repeat(50_000)}\n\n[^n]: ${"long ".repeat(50_000)}`,
  () => ">".repeat(100_000),
  () => "- ".repeat(50_000),
  () => "*a_ ".repeat(100_000),
  () => "[".repeat(200_000),
  () => "![".repeat(100_000),
  () => "[a](".repeat(100_000),
  () => "`".repeat(3) + "experiment ".repeat(100_000),
  () => `${"|a".repeat(2000)}|\n${"|-".repeat(2000)}|\n${"|b\n".repeat(2000)}`,
  () => "x".repeat(1_100_000),
  // What may be a type, in what may be a type: twice the work for each level.
  () => cell("code", "<a>(".repeat(40)),
  () => cell("code", "a<b>`${".repeat(40)),
  () => cell("code defines=reward", "a?(x):y=>(".repeat(40)),
  (random) => lines(20_000, () => pick(random, PIECES)),
];

const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)]!;

const cell = (type: string, body: string) => `\n\`\`\`${type}\n${body}\n\`\`\`\n`;

function lines(count: number, one: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => one(i)).join("\n");
}

/** Longer than a fence of any flood. */
const FENCE = "`".repeat(8);

/** Each flood as prose and as the body of each type of cell. `random`: of the floods that are made of pieces. */
export function floodedNotebooks(types: readonly string[], random: Random): string[] {
  return FLOODS.flatMap((flood) => [
    flood(random),
    ...types.map((type) => `# A\n\n${FENCE}${type} id=a\n${flood(random)}\n${FENCE}\n`),
  ]);
}

/** One in twenty is a flood. */
export function mutatedNotebook(random: Random): string {
  let text = pick(random, BASES);
  for (let left = 1 + Math.floor(random() * 8); left > 0; left--) text = mutated(text, random);
  return random() < 0.05 ? text + pick(random, FLOODS)(random) : text;
}

function mutated(text: string, random: Random): string {
  const at = Math.floor(random() * (text.length + 1));
  const to = Math.min(text.length, at + Math.floor(random() ** 2 * 300));
  const all = text.split("\n");
  const line = Math.floor(random() * all.length);
  switch (Math.floor(random() * 9)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(to);
    case 2:
      return text.slice(0, to) + text.slice(at);
    case 3:
      return text.slice(0, at) + String.fromCharCode(random() * 0x10000) + text.slice(at + 1);
    case 4:
      return text.slice(0, at) + pick(random, PIECES) + text.slice(at);
    case 5:
      return all.toSpliced(line, 1).join("\n");
    case 6:
      return all.toSpliced(Math.floor(random() * all.length), 0, all[line]!).join("\n");
    case 7:
      return all.toSpliced(line, 0, pick(random, PIECES)).join("\n");
    default:
      return all
        .map((one) => (random() < 0.05 ? one.replace(/\d+/, pick(random, PIECES)) : one))
        .join("\n");
  }
}

/** A link that holds a notebook, honest or mutated, with its letters damaged or not. */
export function mutatedTextLink(random: Random): string {
  if (random() < 0.05) return `#text/${noise(random)}`;
  let word = notebookToWord(mutatedNotebook(random));
  for (let left = Math.floor(random() * 3); left > 0; left--) word = damaged(word, random);
  const rest = pick(random, [
    "",
    "",
    "/first",
    "/first?view=lens&at=x,9,9,9",
    "/__proto__",
    "?embed=1",
    "/first?fp=00ff&trace=0a1b&by=0.1.0,wasm",
    "?fp=00ff&curves=reward,-0.5,2,1.1.4,AABBCC__,AABBCC__,AABBCC__",
    "/first?curves=reward,0,1e400,1.1.1,AA&fp=zz",
    `?${"a=1&".repeat(2000)}curves=x`,
  ]);
  return `#text/${word}${rest}`;
}

function damaged(word: string, random: Random): string {
  const at = Math.floor(random() * word.length);
  switch (Math.floor(random() * 5)) {
    case 0:
      return word.slice(0, at);
    case 1:
      return word.slice(0, at) + pick(random, [..."Aa0-_"]) + word.slice(at + 1);
    case 2:
      return word.slice(at) + word.slice(0, at);
    case 3:
      return word + word.slice(at);
    default:
      return word.slice(0, at) + pick(random, ["%41", "=", "/", "é", ""]) + word.slice(at);
  }
}

function noise(random: Random): string {
  const length = Math.floor(random() ** 4 * 80_000);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return Array.from({ length }, () => letters[Math.floor(random() * 64)]).join("");
}
