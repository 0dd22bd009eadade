/** A run as columns: what a cell computes from them is what the log says. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { episodeColumns, runColumns } from "../../src/reading/cellInputs.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import type { RunEvent } from "../../src/record/runEvent.ts";
import { runCell } from "../../src/runtime/sandbox/cells.ts";
import { nodeQuickJs } from "../../src/runtime/sandbox/node.ts";

const file = resolve(import.meta.dirname, "../fixtures/runs/nano.jsonl");
const log = new RunLog();
for (const line of readFileSync(file, "utf8").trim().split("\n").slice(1, -1))
  log.append(JSON.parse(line) as RunEvent);

const [algorithm] = log.algorithms as [string];
const iteration = log.iterationsWithEpisodes(algorithm)[0]!;
const episodes = log.episodes(algorithm, iteration);

async function valueOf(source: string, inputs: Record<string, unknown>): Promise<unknown> {
  const output = await runCell(await nodeQuickJs(), { name: "mine", source }, inputs);
  expect(output).toMatchObject({ ok: true });
  return output.ok ? output.value : null;
}

test("metrics of a run are columns over iterations", async () => {
  const run = runColumns(log);
  expect(run.algorithms).toEqual(log.algorithms);
  const { x, y } = log.series(algorithm, "critic/rewards/mean");
  const source = `run.metrics["${algorithm}"]["critic/rewards/mean"]`;
  const columns = (await valueOf(source, { run })) as Record<string, ArrayLike<number>>;
  expect(Array.from(columns["iteration"]!)).toEqual([...x]);
  expect(Array.from(columns["value"]!)).toEqual([...y]);
});

test("turns and tokens of episodes point at the rows that they are part of", async () => {
  const data = episodeColumns(episodes);
  const source = `episodes.reward.map((_, b) =>
    turns.reward.reduce((sum, r, k) => (turns.episode[k] === b ? sum + r : sum), 0))`;
  const sums = (await valueOf(source, { ...data })) as Float64Array;
  episodes.forEach(({ reward }, b) => expect(sums[b]).toBeCloseTo(reward, 9));
  const lengths = episodes.flatMap(({ turns }) => turns.map(({ tokens }) => tokens.length));
  lengths.forEach((length, k) =>
    expect(data.tokens["turn"]!.filter((turn) => turn === k)).toHaveLength(length),
  );
});
