// `node test/bench/learning.mjs DIR...`: the learning curves of runs kept with `train --out DIR`, as a Markdown table.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Success on held-out levels by iteration, for each algorithm of one run. */
function curvesOf(folder) {
  const events = readFileSync(join(folder, "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { spec, engine } = events.find(({ type }) => type === "start");
  const chain = events.at(-1).type === "end" ? events.at(-1).chain : "unfinished";
  return spec.algorithms.map(({ name }) => {
    const own = events.filter(({ algorithm }) => algorithm === name);
    const scores = own.filter(({ type }) => type === "eval");
    return {
      title: `${name}, seed ${spec.seed}`,
      success: new Map(scores.map((event) => [event.iteration, successOf(event)])),
      levels: scores[0].levels,
      trained: meanSuccess(own.filter(({ type }) => type === "iteration")),
      conditions: `${engine.engine}, ${engine.adapter}; fingerprint ${chain}`,
    };
  });
}

const successOf = ({ metrics }) => metrics["val-env/sokoban/success"];

/** Success while training, over the ten iterations that end with the numbered one. */
function meanSuccess(iterations) {
  return (last) => {
    const span = iterations.filter(({ iteration }) => iteration > last - 10 && iteration <= last);
    const values = span.map(({ metrics }) => metrics["sokoban/success"]);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
}

const percent = (share) => (100 * share).toFixed(1);

function cell({ success, trained }, iteration) {
  if (!success.has(iteration)) return "";
  const score = percent(success.get(iteration));
  return iteration === 0 ? score : `${score} (${percent(trained(iteration))})`;
}

/** Binomial standard error of a score's difference from the first, both on n levels. */
function gain({ success, levels }) {
  const [first, last] = [[...success.values()][0], [...success.values()].at(-1)];
  const variance = (p) => (p * (1 - p)) / levels;
  const error = Math.sqrt(variance(first) + variance(last));
  return `${percent(last - first)} ± ${percent(error)}`;
}

function table(curves) {
  const marks = [...new Set(curves.flatMap(({ success }) => [...success.keys()]))];
  const row = (cells) => `| ${cells.join(" | ")} |`;
  return [
    row(["iteration", ...curves.map(({ title }) => title)]),
    row(Array(curves.length + 1).fill("---")),
    ...marks
      .sort((a, b) => a - b)
      .map((mark) => row([mark, ...curves.map((curve) => cell(curve, mark))])),
    row(["gain", ...curves.map(gain)]),
  ].join("\n");
}

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("learning.mjs takes the folders of finished or running runs; got none");
  process.exit(2);
}
const curves = folders.flatMap(curvesOf);
console.log(table(curves));
for (const { title, levels, conditions } of curves)
  console.log(`\n${title}: n = ${levels} levels; ${conditions}`);
