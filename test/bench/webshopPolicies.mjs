// `node test/bench/webshopPolicies.mjs [OPTIONS]`: shopping trips by each policy and by both presets' first weights,
// 200 with held-out goals and 1,000 with all, as Markdown tables. Options go to `baselines webshop`, e.g.
// `--catalog-seed 2`.
import { spawnSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { resolve } from "node:path";

const launcher = resolve(import.meta.dirname, "../../src/cli/turnbook.mjs");
/** What the expert's mean reward must be above. */
const EXPERT_TARGET = 0.9;

function baselines(options, model) {
  const argv = ["baselines", "webshop", ...options, `--model=${model}`, ...process.argv.slice(2)];
  const { stdout, status } = spawnSync("node", [launcher, ...argv], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const row = (cells) => console.log(`| ${cells.join(" | ")} |`);

function table(lines) {
  row(["policy", "mean reward (95 % t interval)", "success", "bought", "turns"]);
  row(Array(5).fill("---"));
  for (const { policy, checkpoint, reward, reward95, success, purchased, turns } of lines) {
    const [low, high] = reward95.map((bound) => bound.toFixed(3));
    row([
      checkpoint ?? policy,
      `${reward.toFixed(3)} (${low} to ${high})`,
      ...[percent(success), percent(purchased), turns.toFixed(1)],
    ]);
  }
}

function report(options) {
  const lines = [
    ...baselines(options, "webshop-class"),
    ...baselines(options, "webshop-think").filter(({ policy }) => policy === "model"),
  ];
  table(lines);
  const { episodes, distinctGoals, goals, catalogSeed, maxTurns } = lines[0];
  const { reward } = lines.find(({ policy }) => policy === "expert");
  console.log(
    `\nn = ${episodes} trips, ${distinctGoals} different goals (${goals}) of shop ${catalogSeed}, ${maxTurns} turns.` +
      ` The expert's mean reward is ${reward.toFixed(3)}, target above ${EXPERT_TARGET}:` +
      ` ${reward > EXPERT_TARGET ? "holds" : "MISSED"}.\n`,
  );
}

report(["--episodes=200", "--goals=held-out"]);
report(["--episodes=1000", "--goals=all"]);
const date = new Date().toISOString().slice(0, 16).replace("T", " ");
const load = loadavg()[0].toFixed(2);
console.log(
  `${date} UTC, ${cpus()[0]?.model}, ${cpus().length} cores, load average ${load} after, Node ${process.version}`,
);
