import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { firstKeyOf } from "../../src/app/actions.ts";
import { computeCredit } from "../../src/algorithm/registry.ts";
import { recordedBatch } from "../../src/algorithm/recordedBatch.ts";
import { generateCatalogue } from "../../src/env/webshop/generate/generateCatalogue.ts";
import { criticFor, turnValue, type Critic } from "../../src/reading/critics.ts";
import {
  describeChart,
  describeClips,
  describeNoClip,
  describeNoError,
  describeCritic,
  describeSurprise,
  lineNames,
} from "../../src/figures/ribbon/describe.ts";
import { jumps } from "../../src/figures/ribbon/jumps.ts";
import { ribbonAxis, ribbonPanel, shownOf } from "../../src/figures/ribbon/ribbon.ts";
import { meaningsOf, numberRows } from "../../src/figures/ribbon/rows.ts";
import { ribbonOf, ribbonView, type RibbonView } from "../../src/figures/ribbon/view.ts";
import { words } from "../../src/figures/ribbon/words.ts";
import { newLines, pageLines, type PageLine } from "../../src/panels/ribbon/page.ts";
import { RibbonTable } from "../../src/panels/ribbon/RibbonTable.tsx";
import { indexOfLargest, tdErrors } from "../../src/reading/tdErrors.ts";
import { stripTarget } from "../../src/ui/useStrip.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import type { WebShopSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { RunLog, viewOf } from "../../src/reading/log/runLog.ts";
import { truthKey, type Truths } from "../../src/reading/truths.ts";
import { LATEST, resolveChoice, type TurnChoice } from "../../src/store/turnChoice.ts";
import { creditEpisodes, creditEvents, creditSpec } from "../fixtures/creditRun.ts";
import { shippedLog } from "../fixtures/shippedRun.ts";
import { shopRecord } from "../fixtures/shopRecord.ts";
import { chained, syntheticRun } from "../fixtures/syntheticRun.ts";
import { shortRun } from "../fixtures/shortRun.ts";

const spec = creditSpec();
const drawn = (view: RibbonView) =>
  renderToStaticMarkup(
    createElement(RibbonTable, { given: shownOf(view, 0), does: () => undefined }),
  );
const logOf = (events = chained(creditEvents())) => {
  const log = new RunLog();
  for (const event of events) log.append(event);
  return log;
};
const log = logOf();
const critic = (algorithm: string) => criticFor(spec, algorithm, creditEpisodes(algorithm))!;
const flat = (episodes: EpisodeRecord[], whose: Critic) =>
  episodes.flatMap((episode) => tdErrors(episode, whose));

describe("TD errors", () => {
  it("are those of Turn-PPO itself, turn by turn", () => {
    const episodes = creditEpisodes("turn-ppo");
    const config = resolveAlgorithm("turn-ppo");
    const { delta } = computeCredit(config, recordedBatch(config, episodes));
    expect(flat(episodes, critic("turn-ppo"))).toEqual([...delta!]);
    expect(delta!.some((d) => Math.abs(d) > 1)).toBe(true);
  });

  it("of a token critic are the discounted sums of its tokens'", () => {
    const config = { ...resolveAlgorithm("token-ppo"), gamma: 0.9 };
    const episodes = creditEpisodes("token-ppo");
    const { delta } = computeCredit(config, recordedBatch(config, episodes));
    const tokens = 4;
    const sums = Array.from({ length: delta!.length / tokens }, (_, k) =>
      [0, 1, 2, 3].reduce((sum, i) => sum + 0.9 ** i * delta![k * tokens + i]!, 0),
    );
    const found = flat(episodes, { ...critic("token-ppo"), gamma: 0.9 });
    expect(found).toHaveLength(sums.length);
    found.forEach((d, k) => expect(d).toBeCloseTo(sums[k]!, 10));
  });

  it.each(["turn-ppo", "token-ppo"])("count what %s put after the last turn", (name) => {
    const cutOff = creditEpisodes(name).map((episode) => ({
      ...episode,
      ...{ terminated: false, truncated: true, finalValues: { [name]: -6 } },
    }));
    const config = resolveAlgorithm(name);
    const { delta } = computeCredit(config, recordedBatch(config, cutOff));
    const last = flat(cutOff.slice(0, 1), critic(name)).at(-1)!;
    const plain = flat(creditEpisodes(name).slice(0, 1), critic(name)).at(-1)!;
    const steps = name === "turn-ppo" ? 1 : 4;
    expect(last - plain).toBeCloseTo(critic(name).gamma ** steps * -6, 10);
    if (steps === 1) expect(flat(cutOff, critic(name))).toEqual([...delta!]);
  });

  it("are read with the method's own critic, else with a critic of turns", () => {
    expect(critic("turn-ppo")).toMatchObject({ name: "turn-ppo", own: true, gamma: 0.99 });
    expect(critic("token-ppo")).toMatchObject({ name: "token-ppo", own: true, steps: "token" });
    expect(critic("grpo")).toMatchObject({ name: "turn-ppo", own: false, steps: "turn" });
  });

  it("come from the recorded values where a log has nothing of critics", () => {
    const [episode] = creditEpisodes("turn-ppo");
    const old = { ...episode!, turns: episode!.turns.map(({ critics: _, ...turn }) => turn) };
    const found = criticFor(spec, "turn-ppo", [old])!;
    expect(tdErrors(old, found)).toEqual(tdErrors(episode!, critic("turn-ppo")));
    expect(criticFor(spec, "grpo", creditEpisodes("grpo").map(bare))).toBeNull();
    expect(ribbonOf(bare(episode!), null, 1)).toMatchObject({ peak: null, critic: null });
  });

  it("are missing where a value is, and on both sides of it", () => {
    const episode = creditEpisodes("turn-ppo").find(({ turns }) => turns.length === 5);
    const turns = episode!.turns.map((turn, h) =>
      h === 1 ? { ...turn, value: NaN, critics: {} } : turn,
    );
    const found = tdErrors({ ...episode!, turns }, critic("turn-ppo"));
    expect(found.slice(0, 2)).toEqual([null, null]);
    expect(found.slice(2).every((d) => d !== null)).toBe(true);
    expect(found).toHaveLength(5);
  });
});

const bare = (episode: EpisodeRecord): EpisodeRecord => ({
  ...episode,
  turns: episode.turns.map(({ critics: _, ...turn }) => ({ ...turn, value: null, return: null })),
});

describe("values and returns", () => {
  it("are read where the method reads them", () => {
    const [turn] = creditEpisodes("token-ppo")[0]!.turns;
    const whose = critic("token-ppo");
    expect(turnValue(turn!, whose)).toBe(1.5);
    expect(turnValue(turn!, { ...whose, valueAt: "turn-end" })).toBe(2.25);
    expect(turnValue(turn!, { ...whose, valueAt: "turn-mean" })).toBe(1.875);
  });

  it("are the rewards still to come where there is no critic to train", () => {
    const [episode] = creditEpisodes("grpo");
    const { turns, hasTargets } = ribbonOf(episode!, null, 0.5);
    expect(hasTargets).toBe(false);
    expect(turns.map((turn) => turn.return)).toEqual([-0.1 + 0.5 * -0.2, -0.2]);
    // What process rewards add is paid too.
    const more = episode!.turns.map((turn) => ({ ...turn, processReward: 1 }));
    const paid = ribbonOf({ ...episode!, turns: more }, null, 0.5).turns;
    expect(paid.map((turn) => turn.return)).toEqual([0.9 + 0.5 * 0.8, 0.8]);
  });
});

const at = (changes: Partial<TurnChoice>): TurnChoice => ({ ...LATEST, ...changes });

describe("jumps", () => {
  const { episodes } = resolveChoice(log, LATEST);
  const deltas = episodes.map((episode) => tdErrors(episode, critic("turn-ppo")));

  it("go to the largest surprise of the episode and of the iteration", () => {
    const here = jumps.largestError(log, at({ episode: 2, token: 1 }));
    expect(here).toMatchObject({ episode: 2, turn: indexOfLargest(deltas[2]!), token: null });
    const all = jumps.largestErrorOfAll(log, LATEST);
    const most = Math.max(...deltas.flat().map((d) => Math.abs(d!)));
    expect(Math.abs(deltas[all.episode]![all.turn]!)).toBe(most);
  });

  it("go round the clipped turns, each once", () => {
    const clipped = episodes.flatMap(({ turns }) => turns.filter((turn) => turn.clipped)).length;
    expect(clipped).toBeGreaterThan(1);
    const seen = new Set<string>();
    let choice = LATEST;
    for (let i = 0; i < clipped; i++) {
      choice = jumps.nextClipped(log, choice);
      expect(episodes[choice.episode]!.turns[choice.turn]!.clipped).toBe(true);
      seen.add(`${choice.episode},${choice.turn}`);
    }
    expect(seen.size).toBe(clipped);
  });

  it("go to the turn that was clipped most: by tokens where they are known, else by its ratio", () => {
    const clipsOf = (place: (b: number, h: number) => { tokens: number; ratio: number } | null) =>
      logOf(
        chained(
          creditEvents((episode) => ({
            ...episode,
            turns: episode.turns.map((turn, h) => {
              const clip = place(episode.trajectory, h);
              const tokens = turn.tokens.map((token, t) => ({
                ...token,
                ...(clip && clip.tokens > 0 && { clipped: t < clip.tokens }),
              }));
              return { ...turn, tokens, clipped: clip !== null, ratio: clip?.ratio ?? 1 };
            }),
          })),
        ),
      );
    const at = (b: number, h: number) => (x: number, y: number) => b === x && h === y;
    const byRatio = clipsOf((b, h) => ({ tokens: 0, ratio: at(1, 1)(b, h) ? 0.2 : 1.3 }));
    expect(jumps.mostClipped(byRatio, LATEST)).toMatchObject({ episode: 1, turn: 1, token: null });
    const byTokens = clipsOf((b, h) =>
      at(1, 1)(b, h) ? { tokens: 1, ratio: 0.2 } : at(0, 1)(b, h) ? { tokens: 2, ratio: 1 } : null,
    );
    expect(jumps.mostClipped(byTokens, LATEST)).toMatchObject({ episode: 0, turn: 1 });
  });

  it("never take a turn whose clip is not told for a clipped one, nor say that nothing was cut", () => {
    const clips = (of: (h: number) => boolean | null) =>
      logOf(
        chained(
          creditEvents((episode) => ({
            ...episode,
            turns: episode.turns.map((turn, h) => ({ ...turn, clipped: of(h) })),
          })),
        ),
      );
    const viewOfLog = (of: RunLog) =>
      ribbonView(viewOf(of, "imported"), resolveChoice(of, LATEST), {});
    const unknown = clips(() => null);
    expect(jumps.nextClipped(unknown, LATEST)).toBe(LATEST);
    const view = viewOfLog(unknown);
    expect(describeClips(view)).toBe(words.clipsUnknown);
    expect(describeNoClip(view.clippedAll)).toBe(words.clipsUnknown);
    expect(drawn(view)).toContain(words.clipUnknown);
    const partly = viewOfLog(clips((h) => (h === 0 ? false : null)));
    const { known, turns } = partly.clippedAll;
    expect(known).toBe(episodes.length);
    expect(describeClips(partly)).toBe(
      `${words.clippedTurns(0, 0)} ${words.clipsPartly(known, turns)}`,
    );
    expect(describeNoClip(partly.clippedAll)).toBe(words.noneKnown(known, turns));
    expect(describeNoClip(viewOfLog(clips(() => false)).clippedAll)).toBe(words.noneClipped);
    expect(describeNoClip({ cut: 0, known: 1, turns: 4 })).toMatch(/^The only turn .* other 3/);
  });

  it("say and go nowhere where the critic has learned nothing yet, or was never surprised", () => {
    const made = (value: number, reward: number) =>
      logOf(
        chained(
          creditEvents((episode) => ({
            ...episode,
            turns: episode.turns.map(({ critics: _, ...turn }) => ({ ...turn, value, reward })),
          })),
        ),
      );
    const buttons = (of: RunLog) => {
      const view = ribbonView(viewOf(of, "recorded"), resolveChoice(of, LATEST), {});
      return { view, why: describeNoError(view) };
    };
    const zero = made(0, -0.1);
    expect(describeSurprise(buttons(zero).view)).toBe(words.untrained);
    expect(buttons(zero).why).toBe(words.untrained);
    for (const jump of [jumps.largestError, jumps.largestErrorOfAll])
      expect(jump(zero, LATEST)).toBe(LATEST);
    // The recorded values of the fixture's critic are none of them 0.
    expect(buttons(log).why).toBe(false);
    expect(describeSurprise(buttons(log).view)).not.toBe(words.untrained);
    const calm = buttons(log).view;
    const still = { ...calm, turns: calm.turns.map((turn) => ({ ...turn, delta: 0 })) };
    expect(describeSurprise(still)).toBe(words.noSurprise);
    expect(describeNoError(still)).toBe(words.noSurprise);
  });

  it("are the actions of the table of keys", () => {
    for (const name of Object.keys(words.jumps)) expect(firstKeyOf(name)).not.toBeNull();
    expect([firstKeyOf("nextClipped"), firstKeyOf("nowhere")]).toEqual(["x", null]);
  });

  it("go to either end, and nowhere where there is nothing", () => {
    const last = jumps.lastTurn(log, at({ episode: 1 }));
    expect(last.turn).toBe(episodes[1]!.turns.length - 1);
    expect(jumps.firstTurn(log, last)).toMatchObject({ episode: 1, turn: 0 });
    const empty = new RunLog();
    for (const jump of [
      jumps.largestError,
      jumps.largestErrorOfAll,
      jumps.nextClipped,
      jumps.mostClipped,
    ])
      expect(jump(empty, LATEST)).toBe(LATEST);
    const calm = logOf(
      chained(
        creditEvents((episode) => ({
          ...bare(episode),
          turns: bare(episode).turns.map((turn) => ({ ...turn, clipped: false })),
        })),
      ),
    );
    for (const jump of [jumps.largestError, jumps.largestErrorOfAll, jumps.nextClipped])
      expect(jump(calm, LATEST)).toBe(LATEST);
  });
});

describe("the ribbon", () => {
  const viewAt = (of: RunLog, choice: TurnChoice, truths = {}) =>
    ribbonView(viewOf(of, "recorded"), resolveChoice(of, choice), truths);

  it("says where the critic changed its mind, and whose critic it is", () => {
    const view = viewAt(log, at({ episode: 1 }));
    expect(describeSurprise(view)).toMatch(/^Largest TD error: turn \d, δ = /);
    expect(describeCritic(view)).toMatch(/the critic of Turn-PPO itself; γ = 0\.99/);
    const grpo = describeCritic(viewAt(log, at({ algorithm: "grpo" })));
    expect(grpo).toMatch(/^GRPO has no critic; V is from the critic of Turn-PPO/);
    const token = describeCritic(viewAt(log, at({ algorithm: "token-ppo" })));
    expect(token).toMatch(/steps are tokens/);
    const old = logOf(syntheticRun(shortRun()));
    expect(describeCritic(viewAt(old, at({ algorithm: "grpo" })))).toMatch(/^No critic valued/);
    expect(describeSurprise(viewAt(old, at({ algorithm: "grpo" })))).toBe("");
    expect(describeChart(viewAt(old, at({ algorithm: "grpo" })))).not.toMatch(/NaN|null|undefined/);
  });

  it("says of a file without settings what is not in it, and what was computed here", () => {
    const bareLog = logOf(chained(creditEvents(bare)).filter(({ type }) => type !== "start"));
    const of = (origin: "imported" | "recorded") =>
      ribbonView(viewOf(bareLog, origin), resolveChoice(bareLog, LATEST), {});
    expect(describeCritic(of("imported"))).toBe(words.valuesNotInFile);
    expect(describeCritic(of("recorded"))).toBe(words.noValues);
    const html = (origin: "imported" | "recorded") => drawn(of(origin));
    expect(html("imported")).toContain(words.rows.returnComputed.name);
    expect(html("imported")).not.toContain(words.noCritic);
    expect(html("recorded")).not.toContain("computed here");
    expect(html("recorded")).toContain(words.noCritic);
  });

  it("calls dual clip by its name", () => {
    const config = { dualClip: 3 };
    const cut = (ratio: number, advantage: number) =>
      creditEvents(
        (episode) => ({
          ...episode,
          turns: episode.turns.map((turn) => ({ ...turn, ratio, advantage, clipped: true })),
        }),
        { ...spec, algorithms: [{ name: "turn-ppo", set: config }] },
      );
    const html = (ratio: number, advantage: number) => {
      const of = logOf(chained(cut(ratio, advantage)));
      return drawn(viewAt(of, LATEST));
    };
    expect(html(12, -1)).toContain(`>${words.tags.dual.name}<`);
    expect(html(12, -1)).not.toContain(`>${words.tags.clipped.name}<`);
    for (const [ratio, advantage] of [
      [0.5, -1],
      [12, 1],
    ] as const) {
      expect(html(ratio, advantage)).toContain(`>${words.tags.clipped.name}<`);
      expect(html(ratio, advantage)).not.toContain(`>${words.tags.dual.name}<`);
    }
  });

  it("goes through the iteration once, however often the cursor moves", () => {
    const first = viewAt(log, at({ episode: 0 }));
    const moved = viewAt(log, at({ episode: 1, turn: 1 }));
    expect(moved.deltas).toBe(first.deltas);
    expect(moved.advantages).toBe(first.advantages);
    expect(moved.critic).toBe(first.critic);
    expect(moved.episode).not.toBe(first.episode);
    const other = viewAt(log, at({ algorithm: "grpo" }));
    expect(other.critic).not.toEqual(first.critic);
  });

  it("says why the turn at the cursor earned what it did, where that is known", () => {
    const where = resolveChoice(log, at({ episode: 1 }));
    const turn = { value: 9, valueInterval: [8, 10], advantage: -0.5, advantageInterval: [-1, 0] };
    const why = (solved?: readonly [number, number]) => {
      const turns = where.episodes[1]!.turns.map(() => ({ ...turn, ...(solved && { solved }) }));
      const truths = { [truthKey("turn-ppo", where.iteration, 1)]: { turns } } as unknown as Truths;
      const seen = { view: viewOf(log, "recorded"), at: where, set: {}, held: {}, brush: null };
      return (known: Truths = truths) =>
        ribbonPanel
          .figure({ ...seen, truths: known }, null)
          .flatMap((one) => (one.kind === "text" && one.id === "ribbon-why" ? one.text : []))
          .map((text) => text.replaceAll("\u00a0", " "));
    };
    expect(why([0.31, 0.74])()).toEqual([
      "Before turn 1, 31.0 % of continuations solve the task, after it 74.0 %.",
    ]);
    expect(why()()).toEqual(["Turn 1 changed the expected reward by −0.50."]);
    expect(why()({})).toEqual([]);
  });

  it("moves the truth by pay for progress, and leaves it out where no potential gives the pay", () => {
    const choice = at({ episode: 1 });
    const { iteration, episodes } = resolveChoice(log, choice);
    const paid = episodes.map((one) => ({
      ...one,
      turns: one.turns.map((turn) => ({ ...turn, processReward: -0.5 })),
    }));
    const turn = { value: 9, valueInterval: [8, 10], advantage: 0, advantageInterval: [0, 0] };
    const found = { gamma: 1, steps: "turn", trained: 1, branches: 8 };
    const truths = {
      [truthKey("turn-ppo", iteration, 1)]: { turns: paid[1]!.turns.map(() => turn), found },
    } as unknown as Truths;
    const shapedBy = (shaping: string) => {
      const view = viewOf(log, "recorded");
      const { start } = log;
      const spec = { ...start!.spec, processReward: { shaping } };
      const shaped = Object.create(log, { start: { value: { ...start, spec } } }) as RunLog;
      const where = { ...resolveChoice(log, choice), episodes: paid };
      return ribbonView({ ...view, log: shaped }, where, truths);
    };
    const potential = shapedBy("potential");
    expect(potential.unpaidTruth).toBe(false);
    expect(potential.truth!.at(-1)!.value).toBe(8.5);
    expect(potential.truth!.at(-1)!.valueInterval).toEqual([7.5, 9.5]);
    expect(describeCritic(potential)).toContain("TD error, and the true values, include process");
    const raw = shapedBy("raw");
    expect([raw.truth, raw.unpaidTruth]).toEqual([null, true]);
    expect(describeCritic(raw)).toContain("True values are not shown");
  });

  it("has the truth of just this episode", () => {
    const choice = at({ episode: 1 });
    const { iteration, episodes } = resolveChoice(log, choice);
    const turn = { value: 9, valueInterval: [8, 10], advantage: 0, advantageInterval: [0, 0] };
    const truth = episodes[1]!.turns.map(() => turn);
    const truths = { [truthKey("turn-ppo", iteration, 1)]: { turns: truth } };
    expect(viewAt(log, choice, truths).truth).toBe(truth);
    expect(viewAt(log, at({ episode: 0 }), truths).truth).toBeNull();
    // With another number of turns it is about another episode.
    const other = { [truthKey("turn-ppo", iteration, 1)]: { turns: [...truth, turn] } };
    expect(viewAt(log, choice, other).truth).toBeNull();
    // Under another discount than the critic's it is shown all the same: both then say which they have.
    const foundAt = (
      gamma: number,
      steps: "turn" | "token" = "turn",
      trained: number = iteration - 1,
    ) => {
      const found = { gamma, steps, trained, branches: 8 };
      const of = { [truthKey("turn-ppo", iteration, 1)]: { turns: truth, found } };
      return viewAt(log, choice, of);
    };
    expect(foundAt(0.99)).toMatchObject({ truth, otherTruth: null });
    expect(describeCritic(foundAt(0.99))).not.toContain("true values");
    expect(foundAt(1)).toMatchObject({ truth, otherTruth: { gamma: 1 } });
    expect(foundAt(0.99, "token")).toMatchObject({ truth, otherTruth: { steps: "token" } });
    expect(describeCritic(foundAt(1))).toMatch(/True values use discount γ = 1\b.* γ = 0\.99/);
    expect(lineNames(foundAt(0.99))).toEqual({
      value: "V(s), Turn-PPO’s critic",
      truth: "true V, 95 % interval",
    });
    expect(lineNames(foundAt(1))).toEqual({
      value: "V(s), Turn-PPO’s critic, γ = 0.99 per turn",
      truth: "true V, γ = 1, 95 % interval",
    });
    // Of another policy than the one that played: the legend says whose, and the table where it is heard or saved.
    expect(foundAt(0.99).truthBy).toBeNull();
    const later = foundAt(0.99, "turn", iteration + 20);
    expect(later.truthBy).toBe(iteration + 20);
    const whose = `of the policy after ${iteration + 20} iterations`;
    expect(lineNames(later).truth).toBe(`true V ${whose}, 95 % interval`);
    const table = drawn(later);
    expect(table).toContain(whose);
    const { ticks } = ribbonAxis(viewAt(log, at({ episode: 1 }), truths));
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(10);
  });

  it.each([
    [-2.2, 2.6],
    [-0.5, 10.9],
    [-4, 11],
    [-11, 0.1],
    [0, 0],
  ])("has ticks that lie apart, 0 among them, from %d to %d", (low, high) => {
    const turn = { value: low, delta: high, reward: 0, return: 0 };
    const view = { turns: [turn], truth: null } as unknown as RibbonView;
    const { ticks, low: bottom, high: top } = ribbonAxis(view);
    expect(ticks).toContain(0);
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    // Of a line of type.
    ticks
      .slice(1)
      .forEach((tick, i) => expect((tick - ticks[i]!) / (top - bottom)).toBeGreaterThan(1 / 6));
  });

  it("draws the truth with its interval, on the axis of V and in the table", () => {
    const { iteration, episodes } = resolveChoice(log, LATEST);
    const truth = { value: 9, valueInterval: [8, 10], advantage: 0, advantageInterval: [0, 0] };
    const truths = {
      [truthKey("turn-ppo", iteration, 0)]: { turns: episodes[0]!.turns.map(() => truth) },
    };
    const html = (of: object) => {
      const view = viewAt(log, LATEST, of);
      return drawn(view);
    };
    const known = html(truths);
    expect(known).toMatch(/\+9\.00<.*?> \(\+8\.00 to \+10\.00\)</);
    expect(known.match(/<g class="ribbon-truth"/g)).toHaveLength(episodes[0]!.turns.length);
    const { low, high } = ribbonAxis(viewAt(log, LATEST, truths));
    const y = (value: number) => `${+((100 * (high - value)) / (high - low)).toFixed(3)}%`;
    expect(known).toContain(`y1="${y(8)}" y2="${y(10)}"`);
    expect(html({})).not.toMatch(/ribbon-truth|True V/);
    // Return and reward make room for it in the picture; in the table they stay.
    expect(known).not.toMatch(/ribbon-return|ribbon-reward/);
    expect(known).toMatch(/data-row="return"/);
    expect(html({})).toMatch(/ribbon-return.*/);
    expect(html({})).toContain("ribbon-reward");
  });

  it("draws 50 turns of a long episode, and always the one at the cursor", () => {
    const turns = Array.from({ length: 120 }, () => viewAt(log, LATEST).episode.turns[0]!);
    const long = viewAt(
      logOf(chained(creditEvents((episode) => ({ ...episode, turns })))),
      at({ turn: 119 }),
    );
    expect(shownOf(long, 0).part).toEqual({ from: 100, to: 120 });
    expect(drawn(long).match(/data-strip/g)).toHaveLength(20);
  });

  it("shows of a page what is new in it", () => {
    expect(newLines("Goal\nA page\n\nBuy", "Goal\nBack")).toBe("… A page\nBuy");
    expect(newLines("Goal\nA", undefined)).toBe("Goal\nA");
    expect(newLines("Goal", "Goal")).toBe("Goal");
  });

  it("breaks a line where a number is missing", () => {
    const view = viewAt(log, LATEST);
    const lines = (of: RibbonView) => drawn(of).match(/x2="150%"[^>]*ribbon-value-line/g)!.length;
    const turns = view.turns.map((turn, h) => (h === 0 ? { ...turn, value: null } : turn));
    expect(lines(view)).toBe(view.turns.length - 1);
    expect(lines({ ...view, turns: [...view.turns, ...turns] })).toBe(2 * view.turns.length - 3);
  });

  it("keeps 0 and all numbers on its axis", () => {
    const { turns, ...rest } = viewAt(log, LATEST);
    const { low, high } = ribbonAxis({ turns, ...rest });
    for (const { reward, value } of turns)
      for (const x of [0, reward!, value!]) {
        expect(x).toBeGreaterThan(low);
        expect(x).toBeLessThan(high);
      }
  });
});

describe("a strip", () => {
  it("moves along itself and stops at its ends", () => {
    expect(
      ["ArrowRight", "ArrowLeft", "Home", "End", "j"].map((key) => stripTarget(key, 2, 4)),
    ).toEqual([3, 1, 0, 3, null]);
    expect(stripTarget("ArrowRight", 3, 4)).toBe(3);
    expect(stripTarget("ArrowLeft", 0, 4)).toBe(0);
  });
});

it("says what every row and tag means", () => {
  const log = shippedLog(["token-ppo", 21]);
  const choice = resolveChoice(log, { ...LATEST, algorithm: "token-ppo", episode: 6 });
  const view = ribbonView(viewOf(log, "recorded"), choice, {});
  const html = drawn(view);
  const meanings = meaningsOf(numberRows(view));
  const told = meanings.map(({ name }) => name);
  const heads = [...html.matchAll(/<th scope="row" title="[^"]*">(.*?)<\/th>/g)];
  const rows = heads.map(([, head]) => head!.replace(/<[^>]*>/g, "").trim());
  expect(rows.length).toBeGreaterThan(6);
  for (const name of rows) expect(told).toContain(name);
  for (const [, tag] of html.matchAll(/tag-clipped" title="([^"]*)/g)) expect(told).toContain(tag);
  expect(meanings.every(({ hint }) => hint !== "")).toBe(true);
});

describe("a page of the shop", () => {
  const environment = presetSpec("webshop-class").environment as WebShopSpec;
  const pages = (observation: WebShopSpec["observation"]) => {
    const { turns, finalObservation } = shopRecord({ ...environment, observation }, 3);
    return [...turns.map((turn) => turn.observation), finalObservation].map(pageLines);
  };
  const [rich, plain] = [pages("text_rich"), pages("text")];
  const kind = (page: PageLine[] | null) => page![0]!.text;
  const { page: say } = words;

  it("is read back from its text, in either mode", () => {
    const kinds = rich.map(kind);
    expect(kinds).toEqual(expect.arrayContaining([say.search, say.item, say.done]));
    expect(kinds.some((name) => /^Page 1 \(Total results: \d+\)$/.test(name))).toBe(true);
    plain.forEach((page, i) => {
      const own = rich[i]!.filter(({ look }) => look !== "option" && look !== "chosen");
      expect(page).toEqual(own.map((one) => ({ ...one, text: one.text.replace(/^✓ /, "") })));
    });
  });

  it("has what its shop has", () => {
    const catalogue = generateCatalogue(environment.catalogSeed);
    const found = rich.find((page) => page!.some(({ look }) => look === "product"))!;
    expect(found.filter(({ look }) => look === "product")).toHaveLength(3);
    expect(found.some(({ text }) => /^and \d+ more$/.test(text))).toBe(true);
    const items = rich.filter((page) => kind(page) === say.item).map((page) => page!);
    const product = catalogue.products.find(({ title }) => title === items[0]![1]!.text)!;
    expect(items[0]![2]!.text).toBe(product.priceText);
    const texts = (page: PageLine[], of: PageLine["look"]) =>
      page.flatMap(({ look, text }) => (look === of ? [text] : []));
    expect(texts(items[0]!, "option")).toEqual(
      product.options.map(({ name, values }) => say.option(name, values.length, null)),
    );
    expect(texts(items.at(-1)!, "chosen").length).toBeGreaterThan(0);
    expect(texts(items[0]!, "button")).toContain("Buy Now");
    expect(Number(rich.at(-1)![1]!.text.replace("score ", ""))).toBeGreaterThan(0);
  });

  it("is none where the text is another one", () => {
    for (const text of ["", "####\n#P_#", "You are asked: 2 + 2", "[button] x [button_]"])
      expect(pageLines(text)).toBeNull();
  });
});
