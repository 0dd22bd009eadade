// `node test/bench/webshopPolicies.mjs [OPTIONS]`: 1,000 shopping trips by each policy and by both presets' first
// weights, as a Markdown table. Options go to `baselines webshop`, e.g. `--catalog-seed 2`.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const launcher = resolve(import.meta.dirname, "../../src/cli/turnbook.mjs");

function baselines(model) {
  const argv = ["baselines", "webshop", "--episodes=1000", "--goals=all", `--model=${model}`];
  const { stdout, status } = spawnSync("node", [launcher, ...argv, ...process.argv.slice(2)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const lines = [
  ...baselines("webshop-class"),
  ...baselines("webshop-think").filter(({ policy }) => policy === "model"),
];
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const row = (cells) => console.log(`| ${cells.join(" | ")} |`);
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
const { episodes, goals, catalogSeed, maxTurns } = lines[0];
console.log(
  `\nn = ${episodes} trips, ${goals} goals of shop ${catalogSeed}, ${maxTurns} turns; the models imitated the expert` +
    ` on some goals of three quarters of the products`,
);
