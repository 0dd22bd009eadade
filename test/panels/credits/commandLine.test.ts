/** The table's ratios and clips are those of `turnbook objective` on the batch that the panel hands out. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { sharedBatch } from "../../../src/reading/credit/batch.ts";
import { readClip, readRatio, type Reader } from "../../../src/figures/credits/cells.ts";
import { creditOf, objectiveOf } from "../../../src/reading/credit/rowCredit.ts";
import { encodeBatch } from "../../../src/record/encodeBatch.ts";
import { resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { tokenEpisodes } from "../../fixtures/tokenRun.ts";

const episodes = tokenEpisodes(8, 3);
const folder = mkdtempSync(join(tmpdir(), "turnbook-credits-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Said {
  dLogprob: number[][][];
  metrics: Record<string, number>;
}

async function commandLine(name: string, set: Record<string, number>): Promise<Said> {
  const file = join(folder, `${name}.json`);
  const batch = sharedBatch(resolveAlgorithm(name, set), episodes);
  writeFileSync(file, JSON.stringify(encodeBatch(batch)));
  const said: unknown[] = [];
  const out = { json: (value: unknown) => void said.push(value), progress: () => {} };
  const settings = Object.entries(set).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
  expect(await main(["objective", "--algorithm", name, "--batch", file, ...settings], out)).toBe(0);
  return said[0] as Said;
}

/** All cells of tokens and of turns, as the table reads them. */
function cells(name: string, set: Record<string, number>) {
  const config = resolveAlgorithm(name, set);
  const row = creditOf(config, episodes).ok!;
  const all = episodes.flatMap((record, b) => {
    const objective = objectiveOf(config, row, b).ok!;
    const read = (reader: Reader) =>
      record.turns.map(({ tokens }, turn) => ({
        whole: reader({ id: "", turn, token: null, text: "" })!,
        tokens: tokens.map((_, token) => reader({ id: "", turn, token, text: "" })!),
      }));
    const [ratio, clip] = [readRatio, readClip].map((of) => read(of(config, record, objective)));
    return ratio!.map((one, h) => ({ b, h, ratio: one, clip: clip![h]! }));
  });
  return { all, tokenAdvantage: row.credit.tokenAdvantage };
}

const mean = (x: readonly number[]) => x.reduce((sum, one) => sum + one, 0) / x.length;

it.each([
  ["grpo", { betaKl: 0 }],
  ["token-ppo", {}],
  ["turn-ppo", {}],
  ["gspo", { betaKl: 0 }],
])("of %s", async (name, set: Record<string, number>) => {
  const { dLogprob, metrics } = await commandLine(name, set);
  const { all, tokenAdvantage } = cells(name, set);
  const tokenClips = all.flatMap(({ clip }) => clip.tokens);
  expect(new Set(tokenClips).size).toBe(2);
  expect(mean(tokenClips)).toBeCloseTo(metrics["actor/pg_clipfrac"]!, 10);
  // A token whose gradient is gone was cut, and the others were not.
  const gradients = dLogprob.flat(2);
  gradients.forEach((d, t) => {
    if (tokenAdvantage[t] !== 0) expect(tokenClips[t]).toBe(Number(d === 0));
  });
  for (const { b, h, clip } of all) {
    const own = dLogprob[b]![h]!.filter((d) => d === 0).length / clip.tokens.length;
    const hasCredit = dLogprob[b]!.flat().some((d) => d !== 0);
    if (hasCredit) expect(clip.whole).toBeCloseTo(own, 10);
  }
  const turnRatios = all.map(({ ratio }) => ratio.whole);
  const tokenRatios = all.flatMap(({ ratio }) => ratio.tokens);
  for (const [of, ratios] of [
    ["actor/ratio", tokenRatios],
    ["actor/turn_ratio", turnRatios],
  ] as const) {
    expect(Math.max(...ratios)).toBeCloseTo(metrics[`${of}/max`]!, 10);
    expect(Math.min(...ratios)).toBeCloseTo(metrics[`${of}/min`]!, 10);
    expect(mean(ratios)).toBeCloseTo(metrics[`${of}/mean`]!, 10);
  }
});
