import { describe, expect, it } from "vitest";
import {
  describeColours,
  describePart,
  describeTokens,
} from "../../src/figures/tokens/describe.ts";
import { MOST_TOKENS, pageAt, pagesOf } from "../../src/figures/tokens/pages.ts";
import {
  measured,
  shownTokens,
  tokenCritic,
  visibleToken,
  withChanges,
} from "../../src/figures/tokens/shownTokens.ts";
import {
  colouringIn,
  colouringOf,
  conversationAt,
  conversationOf,
  firstMeasure,
  standingIn,
} from "../../src/figures/tokens/conversation.ts";
import { tokensPanel } from "../../src/figures/tokens/tokens.ts";
import { words } from "../../src/figures/tokens/words.ts";
import type { Figure } from "../../src/figures/figure.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import type { ForkedEpisode } from "../../src/record/forkedEpisode.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import type { Fork } from "../../src/store/forkTypes.ts";
import type { Sliced } from "../../src/numeric/sliced.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { LATEST, resolveChoice } from "../../src/store/turnChoice.ts";
import { creditEpisodes, creditEvents, creditSpec } from "../fixtures/creditRun.ts";
import { shippedLog } from "../fixtures/shippedRun.ts";
import { chained } from "../fixtures/syntheticRun.ts";

const spec = creditSpec();
const log = new RunLog();
for (const event of chained(creditEvents())) log.append(event);
const [episode] = creditEpisodes("turn-ppo");
/** Without a pause. */
function whole<T>(job: Sliced<T>): T {
  for (;;) {
    const { done, value } = job.next();
    if (done) return value;
  }
}
const tokensOf = (of: EpisodeRecord, critic: string | null) => whole(shownTokens(of, critic));
const conversation = (algorithm: string, of: EpisodeRecord = episode!) =>
  whole(conversationOf(spec, algorithm, of));

describe("tokens", () => {
  it("show their whitespace, and that there is no text", () => {
    expect(visibleToken(" a\tb\n")).toBe("·a⇥b↵");
    expect(visibleToken("")).toBe("∅");
  });

  it("have the numbers that were recorded, and the ratio of the two log-probs", () => {
    const [first, second] = tokensOf(episode!, null);
    expect(first).toMatchObject({ turn: 0, token: 0, text: "Left", oldLogprob: -0.5, value: null });
    expect(first!.logRatio).toBeCloseTo(0.2, 12);
    expect(second!.logRatio).toBeCloseTo(-0.3, 12);
    const [shown] = conversation("turn-ppo").tokens;
    expect(measured(shown!, "ratio")).toBe(first!.logRatio);
    expect(measured(shown!, "logprob")).toBe(-0.5);
    expect(measured(shown!, "entropy")).toBe(0.4);
  });

  it("have the change of V to the next token", () => {
    const { tokens } = conversation("token-ppo");
    const next = tokens.slice(1);
    const valued = tokens.filter(({ value }) => value !== null);
    expect(valued.length).toBeGreaterThan(4);
    next.forEach(({ value }, i) => {
      const now = tokens[i]!.value;
      const change = now === null || value === null ? null : value - now;
      expect(tokens[i]!.valueChange).toBe(change);
    });
    expect(tokens.at(-1)!.valueChange).toBeNull();
    const ofClip = (list: typeof tokens) =>
      describeColours(colouringOf(list, "cut"), conversation("token-ppo"));
    expect(ofClip([{ ...tokens[0]!, cut: 1 }])).toBe(words.legendClip);
    expect(ofClip([{ ...tokens[0]!, cut: 0 }])).toBe(words.legendNoClip);
  });

  it("have none where none is recorded", () => {
    const [turn] = episode!.turns;
    const bare = { id: 3, text: "x", oldLogprob: "?", logprob: NaN } as never;
    const strange = { ...episode!, turns: [{ ...turn!, tokens: [bare] }] };
    const [token] = tokensOf(strange, null);
    expect(token).toMatchObject({ oldLogprob: null, logRatio: null, entropy: null, value: null });
    expect(describeTokens(conversation("turn-ppo", strange))).toBe("1 token in 1 turn.");
  });

  it("are valued by the method's own critic of tokens, else by another one", () => {
    expect(tokenCritic(spec, "turn-ppo", episode!)).toBe("token-ppo");
    expect(
      tokensOf(episode!, "token-ppo")
        .slice(0, 4)
        .map(({ value }) => value),
    ).toEqual([1.5, 1.75, 2, 2.25]);
    const [own] = creditEpisodes("token-ppo");
    expect(tokenCritic(spec, "token-ppo", own!)).toBe("token-ppo");
    const turns = episode!.turns.map(({ critics: _, ...turn }) => turn);
    expect(tokenCritic(spec, "turn-ppo", { ...episode!, turns })).toBeNull();
  });
});

describe("the clip", () => {
  const [turn] = episode!.turns;
  const [token] = tokensOf(episode!, null);
  const tokenOf = (advantage: number, ratio: number) => ({
    ...{ ...token!, advantage, turn: 0 },
    ...{ oldLogprob: -9, logprob: -9 + Math.log(ratio), logRatio: Math.log(ratio) },
  });
  const shown = (
    name: string,
    advantage: number,
    ratio: number,
    clipped: boolean | null = true,
  ) => {
    const of = { ...episode!, turns: [{ ...turn!, clipped, advantage, ratio }] };
    return whole(withChanges([tokenOf(advantage, ratio)], of, resolveAlgorithm(name)))[0]!;
  };

  it.each([
    ["grpo", 1, 1.3, "cut", 1],
    ["grpo", 1, 0.5, "kept", 0],
    ["grpo", -1, 0.5, "cut", -1],
    ["grpo", -1, 1.3, "kept", 0],
    ["grpo", 1, 1.1, "kept", 0],
    ["grpo", 0, 0.5, "kept", 0],
    ["token-ppo", -0.685, 3.4, "dual", -1],
    ["token-ppo", -0.685, 2.9, "kept", 0],
    // GMPO's range is one of log-ratios of tokens, GSPO's is of the whole episode.
    ["gmpo", 1, Math.exp(0.41), "cut", 1],
    ["gmpo", 1, Math.exp(0.39), "kept", 0],
    ["gmpo", -1, Math.exp(-0.41), "cut", -1],
    ["gspo", 1, 1.01, "episodeCut", 1],
    ["cispo", -1, 1.3, "held", -1],
    ["cispo", 1, 1.1, "kept", 0],
    ["turn-ppo", 1, 1.3, "turnCut", 1],
    ["turn-ppo", -1, 3.4, "turnDual", -1],
  ] as const)("of %s makes of A = %f at ratio %f: %s", (name, advantage, ratio, clip, cut) => {
    expect(shown(name, advantage, ratio)).toMatchObject({ clip, cut });
  });

  it("cuts of the shipped run's turns just those that its log says", () => {
    const log = shippedLog(["token-ppo", 21]);
    const told = log.episodes("token-ppo", 21).flatMap((of) => {
      const { tokens } = whole(conversationOf(log.start!.spec, "token-ppo", of));
      return of.turns.map(({ clipped }, h) => {
        const own = tokens.filter(({ turn }) => turn === h);
        expect(own.some(({ cut }) => cut !== 0)).toBe(clipped);
        return own.some(({ clip }) => clip === "dual");
      });
    });
    expect(told).toContain(true);
  });

  it("is told by the file, or not known", () => {
    expect(shown("turn-ppo", 1, 1, false)).toMatchObject({ clip: "turn", cut: 0 });
    expect(shown("gspo", 1, 1, false)).toMatchObject({ clip: "episode", cut: 0 });
    expect(shown("turn-ppo", 1, 1, null)).toMatchObject({ clip: "noData", cut: null });
    expect(shown("reinforce", 1, 3)).toMatchObject({ clip: "unknown", cut: null });
    const one = (change: object, name: string | null = "grpo") =>
      whole(
        withChanges(
          [{ ...tokenOf(1, 2), ...change }],
          episode!,
          name === null ? null : resolveAlgorithm(name),
        ),
      )[0]!.clip;
    expect(one({ clipped: false })).toBe("fileKept");
    expect(one({ clipped: true })).toBe("fileCut");
    expect(one({ logprob: null })).toBe("unknown");
    expect(one({ advantage: null })).toBe("unknown");
    expect(one({}, null)).toBe("unknown");
  });
});

describe("a long conversation", () => {
  it("is drawn in parts of whole turns", () => {
    expect(pagesOf([3, 4])).toEqual([{ fromTurn: 0, toTurn: 2, tokens: null }]);
    const third = Math.floor(MOST_TOKENS / 3);
    const pages = pagesOf(Array.from({ length: 10 }, () => third));
    expect(pages.map(({ fromTurn, toTurn }) => [fromTurn, toTurn])).toEqual([
      [0, 3],
      [3, 6],
      [6, 9],
      [9, 10],
    ]);
    expect(pageAt(pages, 5, third - 1)).toBe(1);
    expect(pagesOf(Array.from({ length: 120 }, () => 1)).map(({ toTurn }) => toTurn)).toEqual([
      50, 100, 120,
    ]);
    expect(describePart(pages, 1)).toBe("Long conversation: part 2 of 4, turns 4 to 6.");
    expect(describePart(pagesOf([3]), 0)).toBe("");
  });

  it("and in stretches of a turn that is too long", () => {
    const pages = pagesOf([5, MOST_TOKENS + 1, 5]);
    expect(pages).toHaveLength(4);
    expect(pageAt(pages, 1, MOST_TOKENS)).toBe(2);
    expect(pageAt(pages, 1, MOST_TOKENS - 1)).toBe(1);
    expect(pageAt(pages, 2, 0)).toBe(3);
    expect(describePart(pages, 2)).toContain(
      `tokens ${MOST_TOKENS + 1} to ${MOST_TOKENS + 1} of turn 2`,
    );
  });

  it("covers every token once", () => {
    const counts = [0, MOST_TOKENS - 1, 2, 4 * MOST_TOKENS, 0, MOST_TOKENS + 100, 1];
    const drawn = pagesOf(counts).flatMap(({ fromTurn, toTurn, tokens }) =>
      counts.slice(fromTurn, toTurn).map((count) => (tokens ? tokens.to - tokens.from : count)),
    );
    expect(drawn.reduce((sum, n) => sum + n)).toBe(counts.reduce((sum, n) => sum + n));
    expect(Math.max(...drawn)).toBeLessThanOrEqual(MOST_TOKENS);
  });
});

describe("in words", () => {
  it("tells the least likely token and where the model was least sure", () => {
    const text = describeTokens(conversation("turn-ppo"));
    expect(text).toContain(
      `${4 * episode!.turns.length} tokens in ${episode!.turns.length} turns.`,
    );
    expect(text).toContain("Least likely: “<|im_end|>” in turn 1 (probability 0.287");
    expect(text).toContain("Highest entropy: before “<|im_end|>” in turn 1 (0.700)");
  });

  it("tells how to read the colours, and whose V it is", () => {
    const of = (algorithm: string, measure: "value" | "ratio" | "advantage") => {
      const whole = conversation(algorithm);
      return describeColours(colouringOf(whole.tokens, measure), whole);
    };
    expect(of("turn-ppo", "value")).toContain("V is from the critic of token-PPO");
    expect(of("turn-ppo", "ratio")).toContain("Full colour from a factor of 1.350 on");
    expect(of("turn-ppo", "advantage")).toContain("Full colour from ±");
    expect(of("turn-ppo", "advantage")).toContain("All tokens of a turn have the same credit");
    const [turn] = episode!.turns;
    const tokens = turn!.tokens.map((token, t) => ({ ...token, advantage: t }));
    const apart = conversation("token-ppo", { ...episode!, turns: [{ ...turn!, tokens }] });
    const text = describeColours(colouringOf(apart.tokens, "advantage"), apart);
    expect(text).not.toContain("the same credit");
    const turns = episode!.turns.map(({ critics: _, ...turn }) => ({ ...turn, tokens: [] }));
    const bare = conversation("turn-ppo", { ...episode!, turns });
    expect(describeColours(colouringOf([], "value"), bare)).toMatch(/^No critic/);
    expect(describeColours(colouringOf([], "entropy"), bare)).toMatch(/^Nothing to colour/);
  });
});

it("knows where the cursor is among all tokens", () => {
  const choice = { ...LATEST, algorithm: "turn-ppo", turn: 1 };
  const at = (token: number | null) =>
    standingIn(conversation("turn-ppo"), resolveChoice(log, { ...choice, token }));
  expect(at(2)).toEqual({ turn: 1, token: 2, flat: 6 });
  expect(at(null)).toEqual({ turn: 1, token: null, flat: 4 });
});

describe("a fork", () => {
  const kept: ForkedEpisode = {
    ...{ ...episode!, origin: "fork" as const, turn: 0, boards: [], branch: 0 },
    turns: episode!.turns.map((turn) => ({
      ...turn,
      tokens: turn.tokens.map((token, t) => ({
        ...token,
        advantage: NaN,
        oldLogprob: token === episode!.turns[0]!.tokens[1] ? -5 : -0.1 * (t + 1),
      })),
    })),
  };
  const forked = (response: string | null) => {
    const fork = { number: 1, question: { turn: 0, response } } as Fork;
    return whole(conversationOf(spec, "turn-ppo", kept, fork));
  };

  it("does not say of the reader's own words that they were sampled", () => {
    expect(describeTokens(forked("Up"))).toContain("your text; the policy's probability is");
    expect(describeTokens(forked(null))).toContain("at sampling");
    expect(describeTokens(conversation("turn-ppo"))).toContain("at sampling");
  });

  it("is coloured by what there is: it has no credit", () => {
    expect(firstMeasure(forked("Up").tokens)).toBe("logprob");
    expect(firstMeasure(conversation("turn-ppo").tokens)).toBe("advantage");
    expect(firstMeasure([])).toBe("advantage");
  });
});

it("is made once, however the cursor moves in it", () => {
  const needs = (algorithm: string, changes: object) => {
    const at = resolveChoice(log, { ...LATEST, algorithm, turn: 0, token: null, ...changes });
    const seen = { view: { log }, at, held: {} };
    return tokensPanel.reads!.needs(seen as Parameters<typeof tokensPanel.figure>[0]);
  };
  const first = needs("turn-ppo", {});
  expect(needs("turn-ppo", { turn: 1, token: 2 })).toEqual(first);
  expect(needs("token-ppo", {})).not.toEqual(first);
  expect(needs("turn-ppo", { episode: 1 })).not.toEqual(first);
  const made = conversation("turn-ppo");
  expect(colouringIn(made, "ratio")).toBe(colouringIn(made, "ratio"));
  expect(colouringIn(made, "cut").measure).toBe("cut");
});

describe("the figure", () => {
  const figure = (changes: object, held: Record<string, string> = {}) => {
    const at = resolveChoice(log, { ...LATEST, algorithm: "turn-ppo", ...changes });
    const seen = { view: { log }, at, held } as unknown as Parameters<typeof tokensPanel.figure>[0];
    return tokensPanel.figure(seen, whole(conversationAt({ log }, at)));
  };
  const table = (blocks: Figure) =>
    blocks.flatMap((block) => (block.kind === "numbers" ? [...block.rows()] : []));
  const facts = (blocks: Figure) =>
    blocks.flatMap((block) => (block.kind === "facts" ? [block] : []))[0]!;

  it("has all numbers of the token at the cursor, and a row for each token that is drawn", () => {
    const shown = facts(figure({ turn: 0, token: 1 }));
    const value = (id: string) => shown.rows.find((row) => row.id === id)!.value;
    expect(value("text")).toBe("·||");
    expect(value("ratio")).toBeCloseTo(Math.exp(-0.3), 12);
    expect(shown.note).toBe("token 2 of 4 in turn 1");
    const { turns } = creditEpisodes("turn-ppo").at(-1)!;
    expect(table(figure({ turn: 0 }))).toHaveLength(4 * turns.length);
    expect(facts(figure({ turn: 0, token: null })).rows).toEqual([]);
  });

  it("is coloured by the number that was chosen, else by the advantage", () => {
    const colour = (blocks: Figure) =>
      blocks.flatMap((block) => (block.kind === "choices" ? [block.choices[0]!.value] : []));
    expect(colour(figure({}))).toEqual(["advantage"]);
    expect(colour(figure({}, { measure: "entropy" }))).toEqual(["entropy"]);
  });
});
