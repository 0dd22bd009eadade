// `node test/bench/talker.mjs [--measure PRESET,...] [--thoughts PRESET,...]`: prints the tables of the models that speak from talker.json,
// which --measure (an iteration) and --thoughts (512 held-out levels) take anew, minutes a preset, and from recipes/talker.runs.jsonl, where a sweep over seeds keeps its runs:
// `npm run -s turnbook -- sweep test/bench/recipes/talker.json --out DIR --keep test/bench/recipes/talker.runs.jsonl`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withBundle } from "./bundle.mjs";

const { values } = parseArgs({
  options: { measure: { type: "string" }, thoughts: { type: "string" } },
});
const file = join(import.meta.dirname, "talker.json");
const kept = join(import.meta.dirname, "recipes", "talker.runs.jsonl");

const measured = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
async function measure(presets, of) {
  for (const preset of presets?.split(",") ?? []) {
    measured[preset] = { ...measured[preset], ...(await withBundle("talker", of(preset))) };
    writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
  }
}
await measure(values.measure, (preset) => (bench) => bench.measureTalker(preset));
await measure(values.thoughts, (preset) => async (bench) => ({
  thoughts: await bench.measureThoughts(preset),
}));

const SUCCESS = "val-env/sokoban/success";
const runs = existsSync(kept) ? readFileSync(kept, "utf8").trim().split("\n").map(JSON.parse) : [];
/** Turn-PPO's last scores, a seed each. */
const lastScores = (preset) =>
  runs
    .filter(({ run }) => run.startsWith(`${preset}-seed`))
    .flatMap(({ methods }) => methods.map(({ points }) => points.at(-1)[1][SUCCESS]));
const timed = Object.values(measured).filter(({ gigaflops }) => gigaflops);
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const after = (preset) => {
  const scores = lastScores(preset);
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  return scores.length === 0 ? "not run" : `${percent(mean)} (n = ${scores.length})`;
};

const rows = timed.map((one) => {
  const floor = one.gigaflops / one.gigaflopsPerSecond;
  return [
    one.preset,
    `${(one.parameters / 1e6).toFixed(2)} M`,
    one.tokens.toFixed(1),
    one.context,
    percent(one.start),
    after(one.preset),
    one.levels,
    one.thoughts ? percent(one.thoughts.solved) : "not run",
    `${one.processorSeconds.toFixed(0)}, of them ${percent(one.rolloutShare)} in the rollout`,
    `${one.gigaflops.toFixed(0)} GFLOP at ${one.gigaflopsPerSecond.toFixed(1)}/s: ${floor.toFixed(0)}`,
    (one.processorSeconds / floor).toFixed(1),
  ];
});
const HEAD = [
  ...["preset", "parameters", "trained tokens a turn", "context", "start", "after RL, Turn-PPO"],
  ...[
    "held-out levels",
    "of 512 levels",
    "processor seconds an iteration",
    "floor",
    "times the floor",
  ],
];
const line = (cells) => `| ${cells.join(" | ")} |`;
const table = (head, lines) =>
  console.log([line(head), line(head.map(() => "---")), ...lines.map(line)].join("\n"));
table(HEAD, rows);
for (const { preset, episodes, conditions } of timed)
  console.log(`\n${preset}: ${episodes} episodes; ${conditions}`);

console.log();
const CLAIMS = { player: "player", box: "box", target: "target", offset: "target from box" };
table(
  [
    "start",
    "solved",
    "thoughts",
    "read",
    "name this board's cells",
    ...Object.values(CLAIMS),
    "moves work",
  ],
  Object.entries(measured).flatMap(([preset, { thoughts: all }]) =>
    all
      ? [
          [
            preset,
            `${percent(all.solved)} of ${all.levels}`,
            all.thoughts,
            percent(all.read),
            percent(all.cells),
            ...Object.keys(CLAIMS).map((kind) =>
              kind in all.claims ? percent(all.claims[kind]) : "",
            ),
            percent(all.claims.now),
          ],
        ]
      : [],
  ),
);
