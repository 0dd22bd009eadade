// `node test/bench/sentences.mjs [--seed N] [--count N] [--of DIR]`: sentences of the page drawn at random from the words files of a
// checkout, to be read aloud. Without a seed one is drawn and printed; the same seed draws the same sentences of the same files.
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";

const { values: options } = parseArgs({
  options: {
    seed: { type: "string" },
    count: { type: "string", default: "40" },
    of: { type: "string", default: resolve(import.meta.dirname, "..", "..") },
  },
});
const seed = Number(options.seed ?? randomInt(2 ** 31));

/** Files whose strings are words of the page. */
const WORDS = /(?:^|\/)(?:words|strings|\w+Words)\.ts$/;
/** A caption of fewer words is a label. */
const FEWEST = 4;

/** @param {string} path @returns {string[]} "path:line: text" of each text of at least that many words; placeholders are {} */
function sentencesOf(path) {
  const text = readFileSync(join(options.of, "src", path), "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isImportDeclaration(node)) return;
    const said = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join("")
        : "";
    const isSaid = said.split(/\s+/).filter((word) => /[a-z]{2}/i.test(word)).length >= FEWEST;
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    if (isSaid) found.push(`${path}:${line}: ${said}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Mulberry32: numbers from 0 to 1. */
function drawer(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const files = readdirSync(join(options.of, "src"), { recursive: true, encoding: "utf8" });
const all = files
  .filter((name) => WORDS.test(name))
  .sort()
  .flatMap(sentencesOf);
const draw = drawer(seed);
const drawn = [];
while (drawn.length < Number(options.count) && all.length > 0)
  drawn.push(...all.splice(Math.floor(draw() * all.length), 1));
console.log(`seed ${seed}, ${drawn.length} of ${drawn.length + all.length} sentences`);
for (const sentence of drawn) console.log(sentence);
