import { signedScale } from "../../../src/charts/signedScale.ts";
import { describe, expect, it } from "vitest";
import { computeCredit, computeObjective } from "../../../src/algorithm/registry.ts";
import { recordedBatch } from "../../../src/algorithm/recordedBatch.ts";
import { BRIEF, formatSignedBrief } from "../../../src/numeric/format.ts";
import { sharedBatch, withCritics } from "../../../src/reading/credit/batch.ts";
import {
  readAdvantage,
  readClip,
  readRatio,
  readTrained,
} from "../../../src/figures/credits/cells.ts";
import { columnsOf, MOST_CELLS, openTurns } from "../../../src/figures/credits/columns.ts";
import { RECENT_ITERATIONS } from "../../../src/reading/recent.ts";
import { creditOf, isKnown, objectiveOf } from "../../../src/reading/credit/rowCredit.ts";
import {
  rowNames,
  rowOf,
  settingsInUse,
  setWords,
  withChange,
} from "../../../src/reading/credit/rows.ts";
import { formatCell, summarise } from "../../../src/figures/credits/summary.ts";
import { creditRows, type TableInput } from "../../../src/figures/credits/tableModel.ts";
import { agreementOf, agreementWith, truthsOf } from "../../../src/figures/credits/truth.ts";
import { words as reasons } from "../../../src/reading/credit/words.ts";
import { words } from "../../../src/figures/credits/words.ts";
import type { EpisodeRecord, IterationEvent, RunEvent } from "../../../src/record/runEvent.ts";
import { algorithmNames, resolveAlgorithm } from "../../../src/spec/algorithms.ts";
import { ALL } from "../../../src/reading/credit/changes.ts";
import { RunLog } from "../../../src/reading/log/runLog.ts";
import { truthKey, type EpisodeTruth } from "../../../src/reading/truths.ts";
import { shortRun } from "../../fixtures/shortRun.ts";
import { syntheticRun } from "../../fixtures/syntheticRun.ts";
import { tokenEpisodes } from "../../fixtures/tokenRun.ts";

const episodes = tokenEpisodes(8, 3);

function logOf(changes: (event: RunEvent) => RunEvent = (event) => event): RunLog {
  const log = new RunLog();
  for (const event of syntheticRun(shortRun()).slice(0, 5)) log.append(changes(event));
  return log;
}

function input(changes: Partial<TableInput> = {}): TableInput {
  const log = logOf();
  const grain = changes.grain ?? "turn";
  const record = (changes.episodes ?? episodes)[changes.episode ?? 0]!;
  return {
    ...{
      episodes,
      episode: 0,
      iteration: 1,
      algorithm: "turn-ppo",
      method: "Turn-PPO",
      truths: [],
    },
    settings: resolveAlgorithm("turn-ppo"),
    rows: rowNames(log, []).map((name) => rowOf(log, name, {})),
    columns: columnsOf(record, grain, openTurns(record, grain, new Set(), 0)),
    ...{ quantity: "advantage", grain, imported: false, played: null, count: episodes.length },
    grouping: { once: true, methods: ["grpo"] },
    ...changes,
  };
}

describe("rows", () => {
  it("are those of the run, the three, and what is added, in the table's order", () => {
    expect(rowNames(new RunLog(), [])).toEqual(["grpo", "token-ppo", "turn-ppo"]);
    const names = rowNames(logOf(), ["gspo", "reinforce"]);
    expect(names).toEqual(algorithmNames.filter((name) => names.includes(name)));
    expect(names).toContain("gspo");
  });

  it("keep the run's own settings, and take the sliders' where they use them", () => {
    const log = logOf((event) =>
      event.type === "start"
        ? {
            ...event,
            spec: { ...event.spec, algorithms: [{ name: "turn-ppo", set: { gamma: 0.7 } }] },
          }
        : event,
    );
    expect(rowOf(log, "turn-ppo", {}).config?.gamma).toBe(0.7);
    expect(rowOf(log, "turn-ppo", {}).changed).toBe(false);
    const changes = withChange(withChange({}, ALL, "gamma", 0.5), "turn-ppo", "lambda", 0.3);
    expect(rowOf(log, "turn-ppo", changes).config).toMatchObject({ gamma: 0.5, lambda: 0.3 });
    expect(rowOf(log, "token-ppo", changes).config).toMatchObject({ gamma: 0.5, lambda: 1 });
    expect(rowOf(log, "grpo", changes).changed).toBe(false);
    expect(rowOf(log, "grpo", changes).config?.gamma).toBe(1);
    const back = withChange(changes, ALL, "gamma", undefined);
    expect(rowOf(log, "turn-ppo", back).config?.gamma).toBe(0.7);
    expect(setWords(rowOf(log, "turn-ppo", changes).config!)).toEqual(["gamma=0.5", "lambda=0.3"]);
  });

  it("offer the settings that some row uses", () => {
    const log = logOf();
    const grpo = settingsInUse([rowOf(log, "grpo", {})]);
    expect(grpo.first).toEqual(["epsLow", "epsHigh", "whiten"]);
    expect(settingsInUse([rowOf(log, "gigpo", {})]).others).toContain("omega");
  });

  it("say so where the run's own settings are not understood", () => {
    const log = logOf((event) =>
      event.type === "start"
        ? { ...event, spec: { ...event.spec, algorithms: [{ name: "grpo", set: { gamma: 7 } }] } }
        : event,
    );
    expect(rowOf(log, "grpo", {}).problem).toMatch(/gamma is 7/);
  });
});

describe("what a row makes of the episodes", () => {
  it("is what the algorithms make of the whole batch", () => {
    for (const name of ["grpo", "token-ppo", "turn-ppo", "gspo", "gigpo", "bi-level-gae"]) {
      const config = resolveAlgorithm(name);
      const batch = recordedBatch(config, episodes);
      const credit = computeCredit(config, batch);
      const objective = computeObjective({ ...config, betaKl: 0 }, batch, credit);
      const row = creditOf(config, episodes).ok!;
      expect(row.credit).toEqual(credit);
      for (const b of [0, 5]) {
        const one = objectiveOf(config, row, b).ok!;
        const [from, to] = [batch.turnStart[b]!, batch.turnStart[b + 1]!];
        expect(one.turnRatio).toEqual(objective.turnRatio.slice(from, to));
        expect(one.tokenClipped).toEqual(
          objective.tokenClipped.slice(batch.tokenStart[from], batch.tokenStart[to]),
        );
      }
    }
  });

  it("is remembered for each iteration and setting", () => {
    const config = resolveAlgorithm("opo");
    const own = tokenEpisodes(2, 2);
    expect(isKnown(config, own)).toBe(false);
    expect(creditOf(config, own)).toBe(creditOf(config, own));
    expect(isKnown(config, own)).toBe(true);
    expect(isKnown(resolveAlgorithm("opo", { whiten: "turns" }), own)).toBe(false);
  });

  it("is forgotten of iterations that were left behind", () => {
    const config = resolveAlgorithm("opo");
    const iterations = Array.from({ length: 3 * RECENT_ITERATIONS }, () => tokenEpisodes(2, 2));
    const batches = iterations.map((one) => creditOf(config, one).ok!.batch);
    const known = iterations.map((one) => isKnown(config, one));
    expect(known).toEqual(iterations.map((_, i) => i >= 2 * RECENT_ITERATIONS));
    // Coming back to one keeps it; its batch is made again once.
    expect(sharedBatch(config, iterations.at(-1)!)).toBe(batches.at(-1));
    expect(sharedBatch(config, iterations[0]!)).not.toBe(batches[0]);
    expect(creditOf(config, iterations[0]!).ok!.batch).toEqual(batches[0]);
  });

  it("is read from one batch by all rows with the same critics", () => {
    const [turns, tokens, none] = ["turn-ppo", "token-ppo", "grpo"].map((name) =>
      sharedBatch(resolveAlgorithm(name), episodes),
    );
    expect(tokens).toBe(turns);
    expect(none).toBe(turns);
    const cutOff = episodes.map((episode) => ({
      ...episode,
      terminated: false,
      finalValues: { "turn-ppo": 3, "token-ppo": 5 },
    }));
    const ends = ["turn-ppo", "turn-ppo-st", "token-ppo", "grpo"].map(
      (name) => sharedBatch(resolveAlgorithm(name), cutOff).bootstrapValue[1],
    );
    expect(ends).toEqual([3, 5, 5, 0]);
  });

  const reasonFor = (name: string, change: (one: EpisodeRecord) => EpisodeRecord) =>
    creditOf(resolveAlgorithm(name), episodes.map(change)).reason;

  it("has a reason in plain words where something is missing", () => {
    const withoutCritics = (episode: EpisodeRecord): EpisodeRecord => ({
      ...episode,
      turns: episode.turns.map(({ critics: _, ...turn }) => turn),
    });
    expect(reasonFor("turn-ppo", withoutCritics)).toBe(reasons.noTurnValues("Turn-PPO"));
    expect(reasonFor("token-ppo", withoutCritics)).toBe(reasons.noTokenValues("token-PPO"));
    expect(reasonFor("grpo", withoutCritics)).toBe(null);
    expect(reasonFor("remax", (episode) => episode)).toBe(reasons.noGreedy("ReMax"));
    expect(reasonFor("starpo", (episode) => episode)).toBe(reasons.noReference("StarPO"));
    expect(reasonFor("a2tgpo", (episode) => episode)).toBe(reasons.noGains("A²TGPO"));
    const measured = (episode: EpisodeRecord): EpisodeRecord => ({
      ...episode,
      greedyScore: 1,
      turns: episode.turns.map((turn, h) => ({
        ...turn,
        gain: h,
        tokens: turn.tokens.map((token) => ({ ...token, refLogprob: -1 })),
      })),
    });
    for (const name of ["remax", "starpo", "a2tgpo"]) expect(reasonFor(name, measured)).toBe(null);
    const bare = (episode: EpisodeRecord): EpisodeRecord => ({
      ...episode,
      turns: episode.turns.map((turn) => ({ ...turn, tokens: [] })),
    });
    expect(reasonFor("reinforce-pp", bare)).toBe(reasons.noTokens("REINFORCE++"));
    expect(reasonFor("turn-ppo", bare)).toBe(null);
    expect(reasonFor("token-ppo", (one) => bare(withoutCritics(one)))).toBe(
      reasons.noTokens("token-PPO"),
    );
    const silent = episodes.map((episode) => ({
      ...episode,
      turns: episode.turns.map((turn) => ({
        ...turn,
        tokens: turn.tokens.map((token) => ({ ...token, logprob: NaN })),
      })),
    }));
    const config = resolveAlgorithm("grpo");
    const row = creditOf(config, silent).ok!;
    expect(objectiveOf(config, row, 0).reason).toBe(reasons.noLogprobs());
  });

  it("takes an older log's values for those of its own critic", () => {
    const older = episodes.map((episode) => ({
      ...episode,
      turns: episode.turns.map(({ critics, ...turn }) => ({
        ...turn,
        value: critics!["turn-ppo"]![0]!,
      })),
    }));
    const config = resolveAlgorithm("turn-ppo");
    expect(sharedBatch(config, older).turnValue).toEqual(sharedBatch(config, episodes).turnValue);
    expect(creditOf(resolveAlgorithm("token-ppo"), older).ok).toBe(null);
    const ofTokens = episodes.map((episode) => ({
      ...episode,
      turns: episode.turns.map(({ critics, ...turn }) => ({
        ...turn,
        value: 1,
        tokens: turn.tokens.map((token, t) => ({ ...token, value: critics!["token-ppo"]![t]! })),
      })),
    }));
    expect(withCritics(ofTokens)[0]!.turns[0]!.critics).toEqual({
      "token-ppo": episodes[0]!.turns[0]!.critics!["token-ppo"],
    });
  });
});

describe("grains", () => {
  const config = resolveAlgorithm("token-ppo");
  const row = creditOf(config, episodes).ok!;
  const objective = objectiveOf(config, row, 1).ok!;
  const record = episodes[1]!;
  const whole = { id: "all", turn: null, token: null, text: "" };
  const turn = { id: "2", turn: 1, token: null, text: "" };
  const tokens = record.turns[1]!.tokens.map((_, t) => ({ ...turn, token: t }));
  const mean = (x: number[]) => x.reduce((sum, y) => sum + y, 0) / x.length;
  const every = record.turns.flatMap(({ tokens: own }, h) =>
    own.map((_, t) => ({ id: "", turn: h, token: t, text: "" })),
  );

  it("pool advantages by means, ratios by products, clips by shares", () => {
    const adv = readAdvantage(row, 1);
    expect(adv(turn)).toBeCloseTo(mean(tokens.map((one) => adv(one)!)), 12);
    expect(adv(whole)).toBeCloseTo(mean(every.map((one) => adv(one)!)), 12);
    const ratio = readRatio(config, record, objective);
    const product = (columns: typeof every) => columns.reduce((w, one) => w * ratio(one)!, 1);
    expect(ratio(turn)).toBeCloseTo(product(tokens), 12);
    expect(ratio(whole)).toBeCloseTo(product(every), 12);
    const clip = readClip(config, record, objective);
    expect(clip(whole)).toBeCloseTo(mean(every.map((one) => clip(one)!)), 12);
    expect(every.some((one) => clip(one) === 1)).toBe(true);
  });

  it("take the geometric mean where the row does, and nothing where it has no ratio", () => {
    const gspo = resolveAlgorithm("gspo");
    const pooled = readRatio(gspo, record, objective)(whole)!;
    const product = readRatio(config, record, objective)(whole)!;
    expect(pooled).toBeCloseTo(product ** (1 / every.length), 12);
    const plain = resolveAlgorithm("reinforce");
    expect(readRatio(plain, record, objective)(turn)).toBe(null);
    expect(readClip(plain, record, objective)(whole)).toBe(null);
  });

  it("read the log for what training used", () => {
    const turnRecord = record.turns[1]!;
    const training = { record, config, cuts: null };
    expect(readTrained(training, "advantage")(turn)).toBe(turnRecord.advantage);
    const ratio = readTrained(training, "ratio");
    expect(ratio(turn)).toBe(turnRecord.ratio);
    const { logprob, oldLogprob } = turnRecord.tokens[0]!;
    expect(ratio(tokens[0]!)).toBeCloseTo(Math.exp(logprob - oldLogprob), 12);
    expect(ratio(whole)).toBe(readRatio(config, record, objective)(whole));
    const gspo = resolveAlgorithm("gspo");
    const pooled = readTrained({ ...training, config: gspo }, "ratio")(whole);
    expect(pooled).toBe(readRatio(gspo, record, objective)(whole));
    const none = { ...training, config: resolveAlgorithm("reinforce") };
    expect(readTrained(none, "ratio")(whole)).toBe(null);
    const told = { ...record, turns: record.turns.map((one) => ({ ...one, clipped: false })) };
    const clips = readTrained({ ...none, record: told }, "clip");
    expect([turn, whole, tokens[0]!].map(clips)).toEqual([null, null, null]);
    // Product or mean is not known of settings that are not.
    expect(readTrained({ ...training, config: null }, "ratio")(whole)).toBe(null);
    expect(readTrained({ ...training, config: null }, "ratio")(turn)).toBe(turnRecord.ratio);
    const bare = { ...record, turns: record.turns.map((one) => ({ ...one, tokens: [] })) };
    expect(readTrained({ ...training, record: bare }, "ratio")(whole)).toBe(NaN);
  });

  it("tell a clip as done or not where the log has no more of it", () => {
    const clipped = record.turns.map((one, h) => ({ ...one, clipped: h === 1 }));
    const read = (turns: typeof clipped) =>
      readTrained({ record: { ...record, turns }, config, cuts: null }, "clip");
    expect([turn, whole, tokens[0]!].map(read(clipped))).toEqual([1, 1, null]);
    const first = { ...turn, id: "1", turn: 0 };
    expect(read(clipped)(first)).toBe(0);
    const unknown = clipped.with(2, { ...clipped[2]!, clipped: null as unknown as boolean });
    expect(read(unknown.with(1, { ...unknown[1]!, clipped: false }))(whole)).toBe(NaN);
    const yesOrNo = { yesOrNo: true };
    expect(formatCell("clip", turn, 1, yesOrNo)).toBe(words.cut);
    expect(formatCell("clip", turn, 0, yesOrNo)).toBe(words.free);
    expect(formatCell("clip", turn, 1)).toBe("100.0\u00a0%");
  });

  it("make columns of turns, of tokens, or one", () => {
    const ids = (grain: "token" | "turn" | "episode", chosen: number[]) =>
      columnsOf(record, grain, openTurns(record, grain, new Set(chosen), 0)).map(({ id }) => id);
    expect(ids("episode", [0])).toEqual(["all"]);
    expect(ids("turn", [])).toEqual(["1", "2", "3"]);
    expect(ids("turn", [1, 9])).toEqual(["1", "2", ...tokens.map((_, t) => `2.${t + 1}`), "3"]);
    expect(ids("token", [])).toHaveLength(every.length);
    const long = tokenEpisodes(1, MOST_CELLS)[0]!;
    expect([...openTurns(long, "token", new Set(), 4)]).toEqual([4]);
    const texts = columnsOf(tokenEpisodes(2, 2)[1]!, "token", new Set([1])).map(({ text }) => text);
    expect(texts).toContain("⏎");
  });
});

describe("truth", () => {
  const truthOf = (advantages: number[], halfWidth = 0.1): EpisodeTruth => ({
    turns: advantages.map((advantage) => ({
      ...{ value: 0, valueInterval: [0, 0] as const, advantage },
      advantageInterval: [advantage - halfWidth, advantage + halfWidth] as const,
    })),
  });
  const config = resolveAlgorithm("turn-ppo");
  const row = creditOf(config, episodes).ok!;
  const own = Array.from(row.credit.turnAdvantage);

  it("agrees wholly with itself, and not at all with its opposite", () => {
    const known = [truthOf(own.slice(0, 3), 0), null, truthOf(own.slice(6, 9), 0)];
    const same = agreementOf(row, known)!;
    expect(same.correlation).toBeCloseTo(1, 12);
    expect(same).toMatchObject({ right: 6, turns: 6, signed: 6, episodes: 2 });
    const opposite = agreementOf(row, [
      truthOf(
        own.slice(0, 3).map((x) => -x),
        0,
      ),
    ])!;
    expect(opposite.correlation).toBeCloseTo(-1, 12);
    expect(opposite.right).toBe(0);
    const flat = agreementWith(() => 0.1, [truthOf([0.1, 0.2, -0.7])])!;
    expect(flat).toMatchObject({ correlation: NaN, right: 1, signed: 2 });
    expect(agreementWith((_, h) => (h === 0 ? NaN : 0), [truthOf([1, 2])])).toMatchObject({
      ...{ turns: 1, signed: 1, right: 0.5 },
    });
    expect(agreementOf(row, [null])).toBe(null);
  });

  it("counts a sign only where it is certain", () => {
    const unsure = agreementOf(row, [truthOf(own.slice(0, 3), 1e6)])!;
    expect(unsure.signed).toBe(0);
    expect(unsure.right).toBe(0);
  });

  it("says whose it is where another policy played", () => {
    const found = { gamma: 1, steps: "turn" as const, branches: 64 };
    const wordsFor = (trained: number, iteration: number) => {
      const truths = [{ ...truthOf([1, 2, -3]), found: { ...found, trained } }];
      return creditRows(input({ truths, iteration })).find(({ kind }) => kind === "truth")!.whose;
    };
    expect(wordsFor(79, 80)).toBeUndefined();
    expect(wordsFor(100, 80)).toBe("of the policy after 100 iterations");
    expect(wordsFor(0, 80)).toBe("of the initial policy, before any training");
  });

  it("is a row of its own, found by algorithm, iteration and trajectory", () => {
    const truths = { [truthKey("turn-ppo", 4, 0)]: truthOf([1, 2, -3]) };
    expect(truthsOf(truths, "turn-ppo", 5, episodes).every((one) => one === null)).toBe(true);
    const found = truthsOf(truths, "turn-ppo", 4, episodes);
    const rows = creditRows(input({ truths: found }));
    const truth = rows.find(({ kind }) => kind === "truth")!;
    expect(truth.values).toEqual([1, 2, -3]);
    expect(truth.intervals![2]).toEqual([-3.1, -2.9]);
    expect(rows.find(({ id }) => id === "grpo")!.agreement!.turns).toBe(3);
    const trained = rows.find(({ kind }) => kind === "trained")!.agreement!;
    const signs = episodes[0]!.turns.map(
      ({ advantage }, h) => advantage > 0 === [1, 2, -3][h]! > 0,
    );
    expect(trained).toMatchObject({ turns: 3, signed: 3, right: signs.filter(Boolean).length });
    expect(creditRows(input()).some(({ kind }) => kind === "truth")).toBe(false);
    // The oracle's rounding is not credit: it is written, drawn and judged as 0.
    const rounded = creditRows(input({ truths: [truthOf([3e-15, -4e-16, 0.0004], 1e-16)] }));
    const row = rounded.find(({ kind }) => kind === "truth")!;
    for (const value of row.values) {
      expect(BRIEF.signed(value, row.size)).toBe("0.00");
      expect(signedScale(row.among, row.size)(value!)).toEqual({ sign: "zero", strength: 0 });
    }
    expect(rounded.find(({ id }) => id === "grpo")!.agreement!.signed).toBeLessThanOrEqual(1);
    // Of another length: it is about another episode.
    expect(truthsOf({ [truthKey("a", 1, 0)]: truthOf([1]) }, "a", 1, episodes)[0]).toBe(null);
  });
});

describe("the table", () => {
  it("has the rewards, the rows, and what was trained beside its own", () => {
    const rows = creditRows(input());
    expect(rows.map(({ id }) => id)).toEqual([
      "reward",
      "grpo",
      "token-ppo",
      "turn-ppo",
      "trained",
    ]);
    expect(rows[0]!.values).toEqual(episodes[0]!.turns.map(({ reward }) => reward));
    const ratios = creditRows(input({ quantity: "ratio" }));
    expect(ratios.map(({ id }) => id)).not.toContain("reward");
  });

  it("says what each row compares the episode with, in its numbers", () => {
    const grouped = episodes.map((episode) => ({ ...episode, task: "one" }));
    const rows = creditRows(input({ episodes: grouped }));
    const why = (id: string) => rows.find((row) => row.id === id)!.why;
    const total = ({ turns }: EpisodeRecord) => turns.reduce((sum, { reward }) => sum + reward, 0);
    const mean = grouped.reduce((sum, one) => sum + total(one), 0) / grouped.length;
    const [own, ofGroup] = [formatSignedBrief(total(grouped[0]!)), formatSignedBrief(mean)];
    expect(why("grpo")).toBe(words.whyGroup("GRPO", own, ofGroup, grouped.length));
    const values = rows.find(({ id }) => id === "turn-ppo")!.values as number[];
    const [most, least] = [Math.max(...values), Math.min(...values)].map((value) =>
      words.turnWorth(values.indexOf(value) + 1, formatSignedBrief(value)),
    );
    expect(why("turn-ppo")).toBe(words.whyCritic("Turn-PPO", true, most!, least!));
    expect(why("reward")).toBeUndefined();
    // The mean of the others and the length-weighted mean are other numbers.
    const others = ["dr-grpo", "rloo", "opo"].map((name) => rowOf(logOf(), name, {}));
    const named = creditRows(input({ episodes: grouped, rows: others }));
    const whyOther = (id: string) => named.find((row) => row.id === id)!.why;
    expect(whyOther("dr-grpo")).toContain("mean");
    expect(["rloo", "opo"].map(whyOther)).toEqual([null, null]);
    const alone = episodes.map((episode, b) => ({ ...episode, task: `task ${b}` }));
    const ofNone = creditRows(input({ episodes: alone }));
    expect(ofNone.find(({ id }) => id === "grpo")!.why).toBeNull();
    expect(creditRows(input({ quantity: "ratio" }))[0]!.why).toBeUndefined();
  });

  it("says what a correction of the clip's bias leaves as it is", () => {
    const rows = ["st-ppo", "turn-ppo"].map((name) => rowOf(logOf(), name, {}));
    for (const quantity of ["advantage", "clip"] as const) {
      const [corrected, plain] = creditRows(input({ rows, quantity })).filter(
        ({ kind }) => kind === "algorithm",
      );
      expect(corrected!.notes).toContain(words.clipBias);
      expect(plain!.notes).not.toContain(words.clipBias);
    }
  });

  it("says that a weight of KL would adapt", () => {
    const tableRowOf = (klTarget: number | null) => {
      const row = rowOf(logOf(), "starpo", withChange({}, ALL, "klTarget", klTarget));
      const list = episodes.map((one) => ({
        ...one,
        turns: one.turns.map((turn) => ({
          ...turn,
          tokens: turn.tokens.map((token) => ({ ...token, refLogprob: -1 })),
        })),
      }));
      return creditRows(input({ rows: [row], episodes: list })).find(({ id }) => id === row.name)!;
    };
    expect(tableRowOf(0.02).notes).toContain(words.adaptiveKl);
    expect(tableRowOf(null).notes).not.toContain(words.adaptiveKl);
  });

  it("takes the weight of KL that training used, where the log tells it", () => {
    const set = { klTarget: 0.02, betaKlReward: 0.001 };
    const log = logOf((event) =>
      event.type === "start"
        ? { ...event, spec: { ...event.spec, algorithms: [{ name: "starpo", set }] } }
        : event,
    );
    const played = syntheticRun(shortRun()).find(({ type }) => type === "iteration");
    const metrics = { "actor/reward_kl_penalty_coeff": 0.125 };
    log.append({ ...(played as IterationEvent), algorithm: "starpo", metrics });
    const [iteration] = log.series("starpo", "actor/reward_kl_penalty_coeff").x;
    const row = rowOf(log, "starpo", {}, iteration);
    expect(row.config!.betaKlReward).toBe(0.125);
    expect([row.changed, row.ownAdvantages, row.klRecorded]).toEqual([false, true, true]);
    expect(setWords(row.config!)).toContain("betaKlReward=0.125");
    // A slider has the last word, and an iteration without the metric the configured weight.
    const moved = rowOf(log, "starpo", withChange({}, ALL, "betaKlReward", 0.5), iteration);
    expect([moved.config!.betaKlReward, moved.klRecorded]).toEqual([0.5, false]);
    const other = rowOf(log, "starpo", {}, iteration! + 99);
    expect([other.config!.betaKlReward, other.klRecorded]).toEqual([0.001, false]);
    const list = episodes.map((one) => ({
      ...one,
      turns: one.turns.map((turn) => ({
        ...turn,
        tokens: turn.tokens.map((token) => ({ ...token, refLogprob: -1 })),
      })),
    }));
    const notes = (of: typeof row) =>
      creditRows(input({ rows: [of], episodes: list })).find(({ id }) => id === "starpo")!.notes;
    expect(notes(row)).toContain(words.recordedKl);
    expect(notes(other)).toContain(words.adaptiveKl);
  });

  it("says where the credit is, and where there is none", () => {
    const { columns } = input();
    const text = summarise(creditRows(input()), columns, "advantage");
    expect(text).toMatch(/Turn-PPO: highest in Turn \d \(\+?.*\), lowest in Turn \d/);
    const bare = episodes.map((one) => ({
      ...one,
      turns: one.turns.map((turn) => ({ ...turn, critics: {} })),
    }));
    const rows = creditRows(input({ episodes: bare }));
    const turnPpo = rows.find(({ id }) => id === "turn-ppo")!;
    expect(turnPpo.reason).toBe(reasons.noTurnValues("Turn-PPO"));
    expect(summarise(rows, columns, "advantage")).toContain(turnPpo.reason);
  });

  it("marks what cannot be compared", () => {
    const truths = episodes.map(({ turns }) => ({
      turns: turns.map(() => ({
        ...{ value: 0, valueInterval: [0, 0] as const },
        ...{ advantage: 1, advantageInterval: [0.5, 1.5] as const },
      })),
    }));
    const rowIn = (list: readonly EpisodeRecord[], id: string, episode = 0) =>
      creditRows(input({ episodes: list, episode, truths, rows: [rowOf(logOf(), id, {})] })).find(
        (row) => row.id === id,
      )!;
    const alone = episodes.map((one, i) => ({ ...one, task: `t${i}` }));
    const grpo = rowIn(alone, "grpo");
    expect(grpo.notes).toContain(reasons.playedOnce("GRPO"));
    expect(grpo.methods).toEqual(["grpo"]);
    // As verl has it: the score itself, over a spread of 1. It is a reward, and so told in the environment's units.
    grpo.values.forEach((value) => expect(value).toBeCloseTo(10.9 - 0.1 - 0.1, 4));
    expect(grpo.agreement).toBe(null);
    expect(rowIn(episodes, "grpo").notes).not.toContain(reasons.playedOnce("GRPO"));
    expect(rowIn(episodes, "grpo").methods).toBe(undefined);
    const clips = creditRows(
      input({ episodes: alone, quantity: "clip", rows: [rowOf(logOf(), "grpo", {})] }),
    );
    expect(clips.find(({ id }) => id === "grpo")!.values).not.toContain(null);
    expect(rowIn(alone, "gigpo").notes).toContain(words.alone);
    expect(rowIn(alone, "turn-ppo").values).not.toContain(null);
    // One of a pair is moved to a task of its own: neither has a group to agree with the truth, the others do.
    const mixed = episodes.map((one, i) => (i === 0 ? { ...one, task: "its own" } : one));
    expect(rowIn(mixed, "grpo").notes).toContain(reasons.playedOnce("GRPO"));
    expect(rowIn(mixed, "grpo", 3).notes).not.toContain(reasons.playedOnce("GRPO"));
    expect(rowIn(mixed, "grpo", 3).agreement!.episodes).toBe(episodes.length - 2);
  });

  it("says of a method without a ratio that nothing of it could be cut", () => {
    const told = episodes.map((one) => ({
      ...one,
      turns: one.turns.map((turn) => ({ ...turn, clipped: false })),
    }));
    const trainedBy = (settings: TableInput["settings"]) =>
      creditRows(input({ episodes: told, quantity: "clip", settings })).find(
        ({ kind }) => kind === "trained",
      )!;
    const none = trainedBy(resolveAlgorithm("reinforce"));
    expect(none.values).toEqual([null, null, null]);
    expect(none.yesOrNo).toBe(undefined);
    expect(none.notes).toEqual([words.trainedHint, words.noRatio]);
    const unknown = trainedBy(null);
    expect(unknown).toMatchObject({ values: [0, 0, 0], yesOrNo: true });
    expect(unknown.notes).toContain(words.cutOrNot);
  });

  it("finds the tokens that training's clip cut with the credit that its rows have already", () => {
    const own = tokenEpisodes(4, 2);
    const settings = resolveAlgorithm("turn-ppo");
    const rowsBy = (changes: Parameters<typeof rowOf>[2]) => {
      const rows = [rowOf(logOf(), "turn-ppo", changes)];
      creditRows(input({ rows, settings, episodes: own, quantity: "clip", played: "turn-ppo" }));
      return rows[0]!;
    };
    const { rewardScale } = rowsBy({ "turn-ppo": { epsHigh: 0.5 } });
    const trained = { trained: true, rewardScale };
    expect(isKnown(settings, own, trained)).toBe(false);
    expect(isKnown(settings, own)).toBe(false);
    // Where sliders have changed its advantages, the method's own are made once.
    rowsBy({ "turn-ppo": { gamma: 0.5 } });
    expect(isKnown(settings, own, trained)).toBe(true);
  });

  it("tells what a file lacks from what is not a number", () => {
    const lacking = episodes.map((one) => ({
      ...one,
      turns: one.turns.map((turn, h) => ({
        ...turn,
        ...{ advantage: null as unknown as number, clipped: null as unknown as boolean },
        ...(h > 0 && { reward: null as unknown as number }),
      })),
    }));
    const rowIn = (changes: Partial<TableInput>) => {
      const rows = creditRows(input({ episodes: lacking, ...changes }));
      return (kind: string) => rows.find((row) => row.kind === kind)!;
    };
    const imported = rowIn({ imported: true });
    expect(imported("trained").reason).toBe(words.noneInFile);
    const { reason, missing, values } = imported("reward");
    expect(reason).toBe(null);
    const column = { id: "2", turn: 1, token: null, text: "" };
    expect(formatCell("advantage", column, values[1]!, { missing: missing! })).toBe(
      words.notInFile,
    );
    const own = rowIn({})("trained");
    expect(own.reason).toBe(null);
    expect(formatCell("advantage", column, own.values[0]!, own)).toBe("not a number");
    expect(rowIn({ imported: true, quantity: "clip" })("trained").reason).toBe(words.noneInFile);
  });
});
