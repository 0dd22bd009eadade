/** A row with the reader's own code: its formulas, settings and exports name the code, and its numbers are the code's. */
import { expect, test } from "vitest";
import { mapAlgorithm } from "../../src/interchange/ragen/algorithmKeys.ts";
import { differences } from "../../src/panels/algorithms/differences.ts";
import { filling } from "../../src/panels/formula/filling.ts";
import { numberAt } from "../../src/panels/formula/numbers.ts";
import { answerEstimates } from "../../src/reading/credit/estimates.ts";
import { ownRow } from "../../src/reading/credit/rows.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { rowDoc, rowFormulas } from "../../src/spec/algorithmDocs/docs.ts";
import { usedSettings } from "../../src/spec/algorithmDocs/settingUse.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import { renderTex } from "../../src/ui/maths/katex.ts";
import { definedHost, example, lakeSpec, trained } from "./examples.ts";

const KINDS = {
  estimator: ["turn-ppo@turnPpo", "advantage", "critic"],
  ratio: ["turn-ppo@ratio-root", "ratio"],
  clip: ["turn-ppo@clip-spo", "surrogate"],
  aggregation: ["turn-ppo@aggregation-fading", "loss"],
  filter: ["turn-ppo@filter-mixed_only", "filter"],
  regulariser: ["turn-ppo@regulariser-tether", "loss"],
} as const;
const ALL =
  "turn-ppo@turnPpo@ratio-root@clip-spo@aggregation-fading@filter-mixedOnly@regulariser-tether";

test.each(Object.entries(KINDS))("the formula of a row with its own %s says so", (kind, entry) => {
  const [name, ...places] = entry;
  const config = resolveAlgorithm(name);
  const code = Object.values(config.own!)[0]!;
  const doc = rowDoc(config);
  const marked = doc.formulas.filter(({ tex }) => tex.includes("your code"));
  expect(marked.map(({ id }) => id)).toEqual(places);
  for (const { tex } of doc.formulas) {
    expect(renderTex(tex)).not.toContain("katex-error");
  }
  for (const { tex } of marked) expect(tex).toContain(`\\texttt{${code.replace("_", "\\_")}}`);
  expect(differences(resolveAlgorithm("turn-ppo"), config)).toContainEqual(
    expect.objectContaining({ name: kind, values: expect.arrayContaining([`your code: ${code}`]) }),
  );
  const { differs } = mapAlgorithm({
    ...{ config, target: "verl", context: "turn", formatPenalty: 0, entropyCoef: 0 },
    sizes: { minibatch: 8, groupSize: 4, updates: 1 } as never,
  });
  expect(differs.filter(([axis]) => axis === kind).map(([, says]) => says)).toEqual([
    expect.stringContaining(`the code ${code} does not travel`),
  ]);
});

test("nothing of what code replaces is left in its formulas and settings", () => {
  const own = JSON.stringify(rowFormulas(resolveAlgorithm(ALL, { betaKl: 0.1, dualClip: 3 })));
  expect(own).not.toMatch(/"min"|dualClip|betaKl|lambda\\b.*nextAdvantage|delta/);
  expect(JSON.stringify(rowFormulas(resolveAlgorithm("turn-ppo")))).toMatch(/"min".*|delta/);
  const used = usedSettings(resolveAlgorithm(ALL));
  for (const word of ["clip", "aggregation", "filter"]) expect(used).not.toContain(word);
  expect(used).toContain("epsHigh");
});

test("the formula panel waits for the code's answers, then shows its numbers", async () => {
  const name = "turn-ppo@ratio-root@clip-spo@aggregation-fading";
  const definitions = ["root", "spo", "fading"].map(example);
  const { events } = await trained(
    lakeSpec({ definitions, algorithms: [{ name, set: {} }], recordEpisodes: 4 }),
  );
  const log = new RunLog();
  for (const event of events) log.append(event);
  const { openDefinitions } = await definedHost();
  const codes = await openDefinitions!(definitions);
  const functions: Record<string, string> = { root: "ratio", spo: "clip", fading: "aggregate" };
  answerEstimates(async (definition, input) =>
    codes.get(definition).call(functions[definition.name]!, input),
  );
  const row = ownRow(log, name, 3);
  const episodes = log.episodes(name, 3);
  const wanted = { row, episode: episodes[0]!, episodes, b: 0, turn: 0, token: null };
  const fill = () => {
    const work = filling({ ...wanted, played: null, update: null });
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
    }
  };
  const reasons: string[] = [];
  for (let tries = 0; tries < 50 && fill().content === null; tries++) {
    reasons.push(fill().reason);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(reasons.length).toBeGreaterThan(0);
  const { content, reason } = fill();
  expect(reason).toBe("");
  const { place } = content!;
  const tokens = episodes[0]!.turns[0]!.tokens;
  const d = tokens.map(({ logprob, oldLogprob }) => logprob! - oldLogprob!);
  const w = Math.exp(d.reduce((sum, x) => sum + x, 0) / Math.sqrt(d.length));
  const A = numberAt("turn.advantage", place)!;
  const { epsHigh } = row.config!;
  expect(numberAt("turn.ratio", place)).toBeCloseTo(w, 12);
  expect(numberAt("turn.surrogate", place)).toBeCloseTo(
    w * A - (Math.abs(A) / (2 * epsHigh)) * (w - 1) ** 2,
    12,
  );
  const clip = content!.formulas.find(({ step }) => step === "clip")!;
  expect(clip.tex).toContain("your code");
  expect(clip.tex).toMatch(/turn\.surrogate\}\{-?[\d.]+/);
  answerEstimates(null);
});
