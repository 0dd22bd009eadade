/** Questions to a live run's models, from the page's side: answers, refusals, and what a dropped run does to them. */
import { describe, expect, it } from "vitest";
import type { FromWorker, ToWorker } from "../../src/runtime/protocol.ts";
import type { TruthAnswer } from "../../src/runtime/questions.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { Refused } from "../../src/store/asking.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { findTruth } from "../../src/store/findTruth.ts";
import { addFork, dropFork } from "../../src/store/forks.ts";
import { noRun } from "../../src/reading/log/runLog.ts";
import { createSession } from "../../src/store/session.ts";
import { truthKey } from "../../src/reading/truths.ts";
import { creditEpisodes } from "../fixtures/creditRun.ts";

function setUp() {
  const sent: ToWorker[] = [];
  let say!: (message: FromWorker) => void;
  const store = createExperimentStore(presetSpec("nano"));
  const session = createSession(store, {
    connect: (listener) => {
      say = listener;
      return { send: (message) => sent.push(message), close: () => undefined };
    },
  });
  session.load();
  say({ type: "state", state: "paused" });
  const id = () => sent.flatMap((one) => (one.type === "ask" ? [one.id] : [])).at(-1)!;
  return { store, session, sent, say: (message: FromWorker) => say(message), id };
}

const episode = creditEpisodes("turn-ppo")[0]!;
const place = { algorithm: "turn-ppo", iteration: 1, episode, branches: 8 };

const answer: TruthAnswer = {
  ...{ kind: "truth", trained: 2, branches: 8, gamma: 1, steps: "turn" },
  value: [{ mean: 1, low: 0, high: 2 }],
  advantage: [{ mean: -1, low: -2, high: 0.5 }],
  solved: [[0.5, 0.25]],
};

describe("asking", () => {
  it("loads the models without training", () => {
    const { sent } = setUp();
    expect(sent.find(({ type }) => type === "start")).toMatchObject({ paused: true });
  });

  it("brings the truth beside the log, with the policy it is of", async () => {
    const { store, session, say, id } = setUp();
    const progress: number[] = [];
    const asking = findTruth({ id: "x", store, session }, place, (done) => progress.push(done));
    say({ type: "asked", id: id(), done: 4, total: 8 });
    say({ type: "answer", id: id(), answer });
    await asking.answer;
    expect(progress).toEqual([4]);
    const kept = store.getState().truths[truthKey("turn-ppo", 1, episode.trajectory)]!;
    expect(kept.turns).toEqual([
      {
        ...{ value: 1, valueInterval: [0, 2], advantage: -1, advantageInterval: [-2, 0.5] },
        solved: [0.5, 0.25],
      },
    ]);
    expect(kept.found).toEqual({ trained: 2, branches: 8, gamma: 1, steps: "turn" });
  });

  it("keeps nothing of another run", async () => {
    const { store, session, say, id } = setUp();
    const asking = findTruth({ id: "x", store, session }, place, () => undefined);
    store.setState({ view: noRun() });
    say({ type: "answer", id: id(), answer });
    await asking.answer;
    expect(store.getState().truths).toEqual({});
  });

  it("hears refusals, and ends all questions when the run is dropped", async () => {
    const { store, session, sent, say, id } = setUp();
    const first = session.ask({
      kind: "truth",
      algorithm: "grpo",
      iteration: 1,
      episode,
      branches: 8,
    });
    first.withdraw();
    expect(sent.at(-1)).toEqual({ type: "withdraw", id: id() });
    say({ type: "refused", id: id(), message: "The question was cancelled." });
    await expect(first.answer).rejects.toThrow("cancelled");
    first.withdraw();
    expect(sent.filter(({ type }) => type === "withdraw")).toHaveLength(1);
    const second = session.ask({
      kind: "truth",
      algorithm: "grpo",
      iteration: 1,
      episode,
      branches: 8,
    });
    session.reset();
    say({ type: "state", state: "idle" });
    await expect(second.answer).rejects.toBeInstanceOf(Refused);
    expect(store.getState().state).toBe("idle");
  });

  it("numbers forks, drops them, and forgets them with their run", () => {
    const { store } = setUp();
    const fork = { question: place, answer: { kept: [] } } as unknown as Parameters<
      typeof addFork
    >[1];
    addFork(store, fork);
    addFork(store, fork);
    dropFork(store, 1);
    expect(store.getState().forks.map(({ number }) => number)).toEqual([2]);
    store.setState({ view: noRun() });
    expect(store.getState().forks).toEqual([]);
  });
});
