// `node test/bench/turnRatios.mjs [--iterations N] [--tasks N] [--seeds N] [--out FILE.json]`: Turn-PPO with the ratio of a turn as a
// product and as a geometric mean, by length of thought: how many tokens are clipped, and how far ratios are from 1.
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../src/cli/setup.mjs";

const { values } = parseArgs({
  options: {
    iterations: { type: "string", default: "6" },
    tasks: { type: "string", default: "8" },
    seeds: { type: "string", default: "1" },
    out: { type: "string" },
  },
});
const PRESETS = { 0: "talker-nano", 24: "talker-nano-24", 64: "talker-nano-64" };
const READINGS = ["turn-product", "turn-geomean"];
/** The critic learns alone before. */
const WARMUP = 1;
const GROUP = 8;

const folder = mkdtempSync(join(tmpdir(), "turn-ratios-"));
const mean = (all) => all.reduce((sum, one) => sum + one, 0) / all.length;

/** Of one run: its clip fraction, and the sizes of its turns' log-ratios, read in both ways. */
function measured(thought, ratio, seed) {
  const spec = join(folder, `${thought}-${ratio}-${seed}.json`);
  writeFileSync(
    spec,
    JSON.stringify({
      preset: PRESETS[thought],
      environment: { thought: Number(thought) },
      algorithms: [{ name: "turn-ppo", set: { ratio } }],
      critic: { warmup: WARMUP },
      // At the preset's full rate from the first step; two minibatches, as in the preset.
      optimisation: {
        iterations: WARMUP + Number(values.iterations),
        tasksPerIteration: Number(values.tasks),
        minibatch: (Number(values.tasks) * GROUP) / 2,
        actorLrWarmup: 0,
      },
      evaluation: { levels: 0 },
      recordEpisodes: Number(values.tasks) * GROUP,
      seed,
    }),
  );
  const command = ["src/cli/turnbook.mjs", "train", spec, "--engine", "wasm"];
  const run = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (run.status !== 0) throw new Error(`${command.join(" ")} failed`);
  const events = run.stdout.split("\n").flatMap((line) => (line ? [JSON.parse(line)] : []));
  const trained = events.filter(
    ({ type, iteration }) => type === "iteration" && iteration > WARMUP,
  );
  const sums = trained.flatMap(({ episodes }) =>
    episodes.flatMap(({ turns }) =>
      turns.map(({ tokens }) => ({
        sum: tokens.reduce((all, { logprob, oldLogprob }) => all + logprob - oldLogprob, 0),
        tokens: tokens.length,
      })),
    ),
  );
  return {
    clip: mean(trained.map(({ metrics }) => metrics["actor/pg_clipfrac"])),
    product: mean(sums.map(({ sum }) => Math.abs(sum))),
    geomean: mean(sums.map(({ sum, tokens }) => Math.abs(sum / tokens))),
    tokens: mean(sums.map(({ tokens }) => tokens)),
    turns: sums.length,
  };
}

const rows = Object.keys(PRESETS).flatMap((thought) =>
  READINGS.map((ratio) => {
    const runs = Array.from({ length: Number(values.seeds) }, (_, i) =>
      measured(thought, ratio, i + 1),
    );
    const of = (key) => Number(mean(runs.map((run) => run[key])).toPrecision(4));
    const row = {
      thought: Number(thought),
      ratio,
      clip: of("clip"),
      // Of the reading that the run was trained with.
      logRatio: of(ratio === "turn-product" ? "product" : "geomean"),
      tokens: of("tokens"),
      turns: runs.reduce((sum, { turns }) => sum + turns, 0),
    };
    console.log(JSON.stringify(row));
    return row;
  }),
);
if (values.out) writeFileSync(values.out, `${JSON.stringify(rows, null, 1)}\n`);
