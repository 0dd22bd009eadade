import { describe, expect, it } from "vitest";
import type { RunEvent, TokenRecord } from "../../../src/record/runEvent.ts";
import { changedSpec } from "../../../src/spec/specChanges.ts";
import { presetSpec } from "../../../src/spec/presets.ts";
import { CAUSE_NAMES, type CauseName } from "../../../src/reading/story/causeNames.ts";
import { CAUSES } from "../../../src/reading/story/causeTable.ts";
import { storiesOf } from "../../../src/reading/story/story.ts";
import {
  causeEvents,
  episodesWithCredit,
  fewLevels,
  grouped,
  PLANTS,
} from "../../fixtures/causePlants.ts";
import {
  falls,
  logOfEvents,
  madeEpisode,
  PLANTED,
  plantedEvents,
  type Plant,
} from "../../fixtures/plantedLog.ts";

const storyOf = (plant: Plant) => storiesOf(logOfEvents(plantedEvents(plant)))[0]!;

const told = (cause: CauseName) => storiesOf(logOfEvents(causeEvents(cause)))[0]!;

describe.each(CAUSE_NAMES)("%s, planted", (name) => {
  const story = told(name);

  it("is the likeliest, with when it set in and its numbers", () => {
    const [cause] = story.causes;
    expect(cause).toMatchObject({ cause: name, onset: story.onset });
    // Stale batches are seen in the few iterations that are opened.
    const slack = name === "stale-batch" ? 10 : 5;
    const begins = name === "too-hard" ? 1 : PLANTED;
    expect(Math.abs(cause!.onset - begins)).toBeLessThanOrEqual(slack);
    expect(cause!.between[0]).toBeLessThanOrEqual(cause!.onset);
    expect(cause!.between[1]).toBeGreaterThanOrEqual(cause!.onset);
    const said = cause!.because.map(({ says }) => says).join(" ");
    expect(said).toContain(`iteration ${cause!.between[1]}`);
    const { from, to } = cause!.because[0]!;
    if (begins > 1) expect(from).not.toBe(to);
  });

  it("proposes one change that the experiment takes, or none", () => {
    const [cause] = story.causes;
    const changes = Object.entries(cause!.test?.set ?? {});
    expect(changes.length).toBeLessThanOrEqual(1);
    const spec = { ...presetSpec("nano"), algorithms: [{ name: story.algorithm, set: {} }] };
    for (const [path, value] of changes)
      expect(() => changedSpec(spec, [[path, String(value)]])).not.toThrow();
  });
});

it("a method that learns has no cause, with a critic and without", () => {
  for (const algorithm of ["turn-ppo", "grpo"]) {
    const story = storyOf({ algorithm });
    expect(story).toMatchObject({ verdict: "learned", causes: [] });
    expect(story.says).toMatch(/^Learned: held-out success went from /);
  }
});

it("speaks of critics and groups only where there are any", () => {
  const train = () => ({ "critic/vf_explained_var": -2, frac_reward_zero_std: 0.95 });
  const causes = (algorithm: string) =>
    storyOf({ algorithm, heldOut: falls, train }).causes.map(({ cause }) => cause);
  expect(causes("turn-ppo")).toEqual(["critic-failure"]);
  expect(causes("grpo")).toEqual(["silent-groups"]);
});

it("does not blame a divisor that the method does not have", () => {
  const plant = PLANTS["cheap-failures"];
  const story = storyOf({
    ...plant,
    changes: { algorithms: [{ name: "grpo", set: { std: "none" } }] },
  });
  expect(story.causes.map(({ cause }) => cause)).not.toContain("cheap-failures");
});

const successOf = (type: "iteration" | "eval") =>
  type === "eval" ? "val-env/sokoban/success" : "sokoban/success";
const firstOf = (plant: Plant) => storyOf(plant).causes[0]?.cause ?? null;

describe("signs that look alike are told apart", () => {
  it("answers cut off though no longer than before have lost their format; longer ones have grown", () => {
    const cut = { "response_length/clip_ratio": 0.9, "response_length/mean": 2 };
    expect(firstOf({ heldOut: falls, train: () => cut })).toBe("format-loss");
    expect(firstOf({ heldOut: falls, train: () => ({ ...cut, "response_length/mean": 7 }) })).toBe(
      "length-growth",
    );
  });

  it("a KL of exactly 0 is that of an only step, which says nothing of its size", () => {
    const kl = (value: number) => () => ({ "actor/ppo_kl_k3": value });
    expect(firstOf({ heldOut: () => 0.2, train: kl(1e-6) })).toBe("small-steps");
    expect(firstOf({ heldOut: () => 0.2, train: kl(0) })).not.toBe("small-steps");
  });

  it("an entropy that falls within one iteration is the sampling's, not an answer that was learned", () => {
    const silent = { frac_reward_zero_std: 0.9, "rollout/in_group_reward_std": 0.05 };
    const entropy = (at: (since: number) => number) =>
      firstOf({
        ...grouped,
        train: (i) => ({ ...silent, "actor/entropy": at(i), "rollout/top_first_response": 0.6 }),
      });
    expect(entropy(() => 0.05)).toBe("silent-groups");
    expect(entropy((i) => 0.55 - 0.02 * i)).toBe("echo-trap");
  });

  it("many steps along an ordinary gradient make a policy guess; a larger gradient is pushed there", () => {
    const guessing = (gradient: number) =>
      firstOf({
        heldOut: falls,
        train: (i) => ({
          ...{ "actor/entropy": Math.min(4, 1.6 + 0.3 * i), "actor/ppo_kl_k3": 0.9 },
          "actor/grad_norm": gradient,
        }),
      });
    expect(guessing(1)).toBe("large-steps");
    expect(guessing(20)).toBe("entropy-blow-up");
  });

  it("likelier tokens than the policy has are drawn by a colder sampler", () => {
    const drawn = (logprob: number) => (i: number) => {
      const episode = madeEpisode(i);
      const colder = (token: TokenRecord) => ({ ...token, entropy: 0.7, oldLogprob: logprob });
      const turns = episode.turns.map((turn) => ({
        ...turn,
        tokens: Array(100).fill(turn.tokens[0]!).map(colder),
      }));
      return [{ ...episode, turns }];
    };
    const story = (after: number) =>
      firstOf({ heldOut: falls, episodes: (i) => drawn(i < PLANTED ? -0.7 : after)(i) });
    expect(story(-0.1)).toBe("entropy-crash");
    expect(story(-0.7)).toBeNull();
    const { sampling } = presetSpec("nano");
    const narrow = (set: Partial<typeof sampling>) =>
      storyOf({
        ...{ heldOut: falls, episodes: drawn(-0.4) },
        changes: { sampling: { ...sampling, ...set } },
      }).causes[0]!.test!.set;
    expect(narrow({ topP: 0.2 })).toEqual({ "turn-ppo.sampling.topP": 1 });
    expect(narrow({ topK: 1 })).toEqual({ "turn-ppo.sampling.topK": 0 });
    // From the start, too: nothing to compare with is needed.
    expect(firstOf({ heldOut: falls, episodes: drawn(-0.4) })).toBe("entropy-crash");
  });

  it("a clip range that holds every token keeps the policy; ratios that leave an ordinary one move it", () => {
    const clipped = (kl: number) =>
      firstOf({
        heldOut: () => 0.2,
        train: () => ({ "actor/pg_clipfrac": 0.8, "actor/ppo_kl_k3": kl }),
      });
    expect(clipped(0.001)).toBe("small-steps");
    expect(clipped(0.04)).toBe("large-steps");
  });

  it("many clipped tokens at a small KL are those of a narrow clip, except of mean ratios", () => {
    const clipped = (share: number, ratio = "token") => {
      const set = { ratio, epsLow: 1e-3, epsHigh: 1e-3 };
      return storyOf({
        ...{ algorithm: "token-ppo", heldOut: () => 0.2 },
        train: () => ({ "actor/pg_clipfrac": share, "actor/ppo_kl_k3": 0.0005 }),
        changes: { algorithms: [{ name: "token-ppo", set }] },
      }).causes;
    };
    // eps is at most the square root of 2 * 0.0005 / 0.25, 0.063.
    expect(clipped(0.25)[0]).toMatchObject({
      ...{ cause: "small-steps", test: { set: { "token-ppo.epsHigh": 0.2 } } },
    });
    expect(clipped(0.02)).toEqual([]);
    expect(clipped(0.25, "sequence-geomean")).toEqual([]);
  });

  it("a KL penalty larger than the policy loss holds the policy, a small one does not", () => {
    const held = (betaKl: number) =>
      storyOf({
        ...{ algorithm: "token-ppo", heldOut: () => 0.2 },
        train: () => ({
          ...{ "actor/kl_loss": 0.003, "actor/pg_loss": 0.01, "actor/ppo_kl_k3": 0.0004 },
        }),
        changes: { algorithms: [{ name: "token-ppo", set: { betaKl } }] },
      }).causes;
    expect(held(50)[0]).toMatchObject({
      ...{ cause: "small-steps", test: { set: { "token-ppo.betaKl": 0.01 } } },
    });
    expect(held(0.1)).toEqual([]);
  });

  it("a rate that falls to 0 before the run's end leaves the policy where it is", () => {
    const rate = (lr: number) =>
      firstOf({ heldOut: () => 0.2, train: () => ({ "actor/lr": lr, "actor/ppo_kl_k3": 0 }) });
    expect(rate(0)).toBe("small-steps");
    expect(rate(5e-5)).toBeNull();
  });

  it("raw pay that spreads as the reward does is trained for instead of success, pay by a potential is not", () => {
    const paid = (shaping: "raw" | "potential", processReward: number) => {
      const { processReward: process } = presetSpec("webshop-progress");
      const episodes = (i: number) =>
        [0, 1, 2, 3].map((k) => {
          const episode = madeEpisode(4 * i + k, { reward: k === 0 ? 1 : -0.5 });
          const turns = episode.turns.map((turn) => ({
            ...turn,
            processReward: processReward * (k % 2),
          }));
          return { ...episode, turns };
        });
      return firstOf({
        heldOut: () => 0.2,
        episodes,
        changes: { processReward: { ...process!, shaping } },
      });
    };
    expect(paid("raw", 2)).toBe("reward-hacking");
    expect(paid("raw", 0.1)).toBeNull();
    expect(paid("potential", 2)).toBeNull();
  });

  it("a success that earns less than a failure is not what is learned", () => {
    const earns = (won: number) =>
      firstOf({
        heldOut: () => 0.2,
        episodes: () =>
          [0, 1, 2, 3].map((k) =>
            madeEpisode(k, { success: k === 0, reward: k === 0 ? won : -0.5 }),
          ),
      });
    expect(earns(-5)).toBe("reward-hacking");
    expect(earns(5)).toBeNull();
  });

  it("an entropy as among twenty tokens is guessing from the start, and explains a lost format", () => {
    const events = (entropy: number) =>
      plantedEvents({ heldOut: () => 0.2 }).map((event) => {
        if (event.type !== "iteration") return event;
        const guess = { "actor/entropy": entropy, "response_length/clip_ratio": 0.6 };
        return { ...event, metrics: { ...event.metrics, ...guess, "sokoban/success": 0.2 } };
      });
    const story = (entropy: number) => storiesOf(logOfEvents(events(entropy)))[0]!.causes;
    expect(story(3.5)[0]).toMatchObject({ cause: "entropy-blow-up", onset: 1 });
    expect(story(2).map(({ cause }) => cause)).toEqual(["format-loss"]);
    const hot = storyOf({
      ...{ heldOut: falls, train: () => ({ "actor/entropy": 3.5 }) },
      changes: { sampling: { ...presetSpec("nano").sampling, temperature: 2 } },
    });
    expect(hot.causes[0]!.test!.set).toEqual({ "turn-ppo.sampling.temperature": 1 });
  });

  it("values that no episode has earned are a critic's that misleads", () => {
    const values = (most: number) => () => ({
      ...{ "critic/values/max": most, "critic/values/min": -1 },
      ...{ "critic/score/max": 10, "critic/score/min": -1.5, "critic/vf_explained_var": 0.1 },
    });
    expect(firstOf({ heldOut: falls, train: values(25) })).toBe("critic-failure");
    expect(firstOf({ heldOut: falls, train: values(11) })).toBeNull();
  });

  it("a first turn whose credit does not go with the episode's reward hears nothing of its end", () => {
    const credit = (degree: number) =>
      firstOf({
        heldOut: falls,
        episodes: (i) => episodesWithCredit(i < PLANTED ? 1 : degree),
      });
    expect(credit(-0.2)).toBe("short-sight");
    expect(credit(0.5)).toBeNull();
  });

  it("settings that are off from the start are seen, though nothing changes", () => {
    const { sampling, optimisation } = presetSpec("nano");
    const from = (changes: NonNullable<Plant["changes"]>, entropy = 0.7) => {
      const train = () => ({ "actor/entropy": entropy });
      return firstOf({ heldOut: () => 0.2, train, changes });
    };
    const temperature = (value: number) => from({ sampling: { ...sampling, temperature: value } });
    expect(temperature(0.2)).toBe("entropy-crash");
    expect(temperature(0.8)).toBeNull();
    const batch = (tasksPerIteration: number) =>
      from({ optimisation: { ...optimisation, tasksPerIteration, groupSize: 2, minibatch: 4 } });
    expect(batch(2)).toBe("low-signal");
    expect(batch(4)).toBeNull();
    const bonus = (entropyCoef: number) =>
      from({ optimisation: { ...optimisation, entropyCoef } }, 2.5);
    expect(bonus(4)).toBe("entropy-blow-up");
  });

  it("steps are large because sampling is cold, or because a bonus pushes", () => {
    const { sampling, optimisation } = presetSpec("nano");
    const leap = (changes: NonNullable<Plant["changes"]>) =>
      storyOf({ heldOut: falls, train: () => ({ "actor/ppo_kl_k3": 0.9 }), changes }).causes.find(
        ({ cause }) => cause === "large-steps",
      )?.weight ?? 0;
    const plain = leap({});
    expect(leap({ sampling: { ...sampling, temperature: 0.2 } })).toBeLessThan(plain);
    expect(leap({ optimisation: { ...optimisation, entropyCoef: 4 } })).toBeLessThan(plain);
  });

  it("a reward that rises at once while success halves is not of the task", () => {
    const pay = (reward: (i: number) => number, success: (i: number) => number) =>
      logOfEvents(
        plantedEvents({ heldOut: falls }).map((event) => {
          if (event.type !== "iteration") return event;
          const { iteration: i } = event;
          const own = { "critic/score/mean": reward(i), "sokoban/success": success(i) };
          return { ...event, metrics: { ...event.metrics, ...own } };
        }),
      );
    const rises = (i: number) => -30 * Math.exp(-i / 4);
    const told = (success: (i: number) => number) =>
      storiesOf(pay(rises, success))[0]!.causes.map(({ cause }) => cause);
    expect(told((i) => 0.3 * Math.exp(-i / 4))).toContain("reward-hacking");
    expect(told(() => 0.3)).not.toContain("reward-hacking");
  });

  it("few tasks in a batch are little signal", () => {
    const tasks = (count: (iteration: number) => number) => ({
      heldOut: falls,
      episodes: (i: number) =>
        Array.from({ length: count(i) }, (_, k) => ({ ...madeEpisode(i), task: `task ${k}` })),
    });
    expect(firstOf(tasks((i) => (i < PLANTED ? 8 : 1)))).toBe("low-signal");
    expect(firstOf(tasks(() => 1))).toBeNull();
  });

  it("fewer rollouts of as many tasks are little signal, and explain groups that fall silent", () => {
    const rollouts = (count: (iteration: number) => number) => ({
      ...grouped,
      iterations: 30,
      train: () => ({ frac_reward_zero_std: 0.7 }),
      episodes: (i: number) =>
        Array.from({ length: count(i) }, (_, k) => ({
          ...madeEpisode(i),
          task: `task ${k % 4}`,
        })),
    });
    expect(firstOf(rollouts((i) => (i < PLANTED ? 16 : 4)))).toBe("low-signal");
    expect(firstOf(rollouts(() => 16))).toBe("silent-groups");
  });

  it("tasks that were hardly ever solved are too hard, those that were are not", () => {
    const rare = (heldOut: (since: number) => number) =>
      firstOf({ heldOut, train: () => ({ "sokoban/success": 0.03 }) });
    expect(rare(falls)).toBeNull();
    const events = plantedEvents({ heldOut: () => 0.03 }).map((event) =>
      event.type === "iteration" || event.type === "eval"
        ? { ...event, metrics: { ...event.metrics, [successOf(event.type)]: 0.03 } }
        : event,
    );
    const [hard] = storiesOf(logOfEvents(events as RunEvent[]));
    expect(hard!.causes[0]).toMatchObject({ cause: "too-hard", onset: 1 });
    expect(hard!.causes[0]!.test!.set).toEqual({ "optimisation.tasksPerIteration": 64 });
  });

  it("what came before a cause explains it, what came after does not", () => {
    const critic = (i: number) => ({ "critic/vf_explained_var": -2, "critic/grad_norm": 20 + i });
    const guessing = (from: number) => (i: number) => ({
      ...critic(i),
      "actor/entropy": i >= from ? 3 : 0.6,
    });
    expect(firstOf({ heldOut: falls, train: guessing(12) })).toBe("critic-failure");
    expect(firstOf({ heldOut: falls, train: guessing(0) })).toBe("entropy-blow-up");
  });

  it("success that rises in training alone is learned by heart, not success that falls slower there", () => {
    const apart = (train: number) =>
      firstOf({ ...fewLevels, heldOut: () => 0.02, train: () => ({ "sokoban/success": train }) });
    expect(apart(0.9)).toBe("memorised");
    expect(apart(0.2)).not.toBe("memorised");
    const fresh = { heldOut: () => 0.02, train: () => ({ "sokoban/success": 0.9 }) };
    expect(firstOf(fresh)).not.toBe("memorised");
  });
});

it("a critic that gives all states one value explains nothing, and is to learn faster", () => {
  const events = (slow: boolean) =>
    plantedEvents({
      heldOut: () => 0.21,
      ...(slow && { changes: { critic: { ...presetSpec("nano").critic, lr: 1e-8 } } }),
    }).map((event) => {
      if (event.type === "eval") return { ...event, metrics: { "val-env/sokoban/success": 0.21 } };
      if (event.type !== "iteration") return event;
      const { iteration, metrics } = event;
      const explained = 1e-6 * Math.sin(iteration) + (slow ? 0 : 0.004);
      return {
        ...event,
        metrics: { ...metrics, "sokoban/success": 0.2, "critic/vf_explained_var": explained },
      };
    });
  const [constant, other] = [true, false].map((slow) => storiesOf(logOfEvents(events(slow)))[0]!);
  const actorLr = presetSpec("nano").optimisation.actorLr;
  expect(constant!.causes[0]).toMatchObject({
    ...{ cause: "critic-failure", onset: 1 },
    test: { set: { "turn-ppo.critic.lr": actorLr } },
  });
  expect(other!.causes).toEqual([]);
});

it("answers that are still found from their prompts do not ignore the task", () => {
  const train = (accuracy: number) => () => ({
    "collapse_first_turn_sample/mi_seq_estimate": 0.05,
    "collapse_first_turn_sample/retrieval_accuracy": accuracy,
    "collapse_first_turn_sample/retrieval_chance_level": 0.125,
  });
  const names = (accuracy: number) =>
    storyOf({ heldOut: falls, train: train(accuracy) }).causes.map(({ cause }) => cause);
  expect(names(0.125)).toEqual(["template-collapse"]);
  expect(names(0.4)).toEqual([]);
});

it("what training that goes well shows, too, is a cause where the score fell, else a note", () => {
  const silent = (share: number, heldOut: (since: number) => number) =>
    storyOf({ ...grouped, heldOut, train: () => ({ frac_reward_zero_std: share }) });
  const fell = silent(0.65, falls);
  expect(fell.causes.map(({ cause }) => cause)).toEqual(["silent-groups"]);
  expect(fell.noted).toEqual([]);
  const kept = silent(0.65, () => 0.3);
  expect(kept.causes).toEqual([]);
  expect(kept.noted).toMatchObject([{ cause: "silent-groups", onset: PLANTED }]);
  expect(kept.noted[0]!.because[0]!.says).toMatch(/^Groups without spread: .* iteration 20/);
  // Sure signs do not keep a score from rising, either; they are said all the same.
  const still = storyOf({ train: () => ({ "actor/ppo_kl_k3": 1e-9 }) });
  expect(still).toMatchObject({ verdict: "learned", causes: [] });
  expect(still.noted).toMatchObject([{ cause: "small-steps", onset: PLANTED }]);
  // Without spread in nearly all groups there is nothing to learn from, whatever the score says.
  expect(silent(0.85, () => 0.2).causes[0]).toMatchObject({ cause: "silent-groups" });
});

it("every cause has words, and says what would measure it", () => {
  for (const { title, says, measuredBy } of Object.values(CAUSES)) {
    expect(title.length).toBeLessThan(32);
    expect(says).toMatch(/^[A-Z].*\.$/);
    expect(measuredBy.length).toBeGreaterThan(10);
  }
});
