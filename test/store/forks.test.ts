/** A fork in the place of the episode that it left: where the cursor shows it, and when it is left. */
import { beforeEach, describe, expect, it } from "vitest";
import type { EpisodeRecord, RunEvent } from "../../src/record/runEvent.ts";
import type { ForkAnswer, ForkQuestion } from "../../src/runtime/questions.ts";
import type { ForkedEpisode } from "../../src/record/forkedEpisode.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { type ExperimentStore } from "../../src/store/experimentState.ts";
import {
  addFork,
  dropFork,
  forkKey,
  isHeld,
  MOST_EPISODES,
  showFork,
  switchFork,
  truthOfEpisode,
} from "../../src/store/forks.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { forkRecording } from "../../src/store/forkRecording.ts";
import { readImport } from "../../src/reading/log/readImport.ts";
import { logOf } from "../../src/reading/log/recording.ts";
import { truthKey, type EpisodeTruth, type Truths } from "../../src/reading/truths.ts";
import { addTruths } from "../../src/store/truths.ts";
import { moveEpisode, moveIteration, moveTurn, resolveChoice } from "../../src/store/turnChoice.ts";
import { cycleAlgorithm, writeChoice, type TurnChoice } from "../../src/store/turnChoice.ts";
import { creditEvents, creditSpec } from "../fixtures/creditRun.ts";

let store: ExperimentStore;
let log: RunLog;
beforeEach(() => {
  log = new RunLog();
  for (const event of creditEvents()) log.append(event as RunEvent);
  store = createExperimentStore(creditSpec());
  store.setState({ view: { log, origin: "recorded" } as never });
});

const PLACE = { algorithm: "turn-ppo", iteration: 1 };

/** A fork at the second turn of an episode, with one turn more than was recorded, in its second episode two more. */
function forkOf(episode: EpisodeRecord, branches = 2) {
  const kept = Array.from({ length: branches }, (_, branch): ForkedEpisode => ({
    ...structuredClone(episode),
    ...{ origin: "fork", turn: 1, boards: [], branch },
    turns: [...episode.turns, ...episode.turns.slice(0, branch + 1)],
  }));
  const rest = { turn: 1, branches: 8, response: "Up", board: null };
  const question: ForkQuestion = { kind: "fork", ...PLACE, episode, ...rest };
  return addFork(store, { question, answer: { kept } as ForkAnswer });
}

const recorded = () => log.episodes(PLACE.algorithm, PLACE.iteration);
const here = () => resolveChoice(log, store.getState().choice);
const move = (step: (log: RunLog, choice: TurnChoice) => TurnChoice) =>
  store.setState(({ choice }) => ({ choice: step(log, choice) }));

describe("a fork in all panels", () => {
  it("takes the place of its episode, among the unchanged others", () => {
    const fork = forkOf(recorded()[1]!);
    showFork(store, fork);
    expect(here()).toMatchObject({ ...PLACE, episode: 1, turn: 1, fork });
    expect(here().episodes[1]).toBe(fork.answer.kept[0]);
    expect(here().episodes.filter((one, i) => one === recorded()[i])).toHaveLength(
      recorded().length - 1,
    );
    // What was derived of the list stays good.
    expect(here().episodes).toBe(here().episodes);
    expect(forkKey(here().episodes[1]!)).toBe("1.0");
  });

  it("shows any of its episodes, each with a truth of its own, and the first again when it is switched on", () => {
    const fork = forkOf(recorded()[1]!);
    showFork(store, fork);
    store.setState(({ choice }) => ({ choice: { ...choice, branch: 1, turn: 99 } }));
    const second = fork.answer.kept[1]!;
    expect(here()).toMatchObject({ fork, branch: 1, turn: second.turns.length - 1 });
    expect(here().episodes[1]).toBe(second);
    expect(here().episodes).toBe(here().episodes);
    expect(fork.answer.kept.map(forkKey)).toEqual(["1.0", "1.1"]);
    const known: Truths = { [truthKey("turn-ppo", 1, second.trajectory, "1.1")]: truthOf(second) };
    expect(truthOfEpisode(known, PLACE, second)).not.toBeNull();
    expect(truthOfEpisode(known, PLACE, fork.answer.kept[0]!)).toBeNull();
    store.setState(switchFork);
    store.setState(switchFork);
    expect(here()).toMatchObject({ fork, branch: 0 });
    store.setState(({ choice }) => ({ choice: { ...choice, branch: 9 } }));
    expect(here().branch).toBe(1);
  });

  const interval = [0, 0] as const;
  const turn = { value: 0, valueInterval: interval, advantage: 0, advantageInterval: interval };
  const truthOf = ({ turns }: EpisodeRecord): EpisodeTruth => ({ turns: turns.map(() => turn) });

  it("has turns of its own, and a link leads to the record", () => {
    showFork(store, forkOf(recorded()[1]!));
    const last = recorded()[1]!.turns.length;
    for (let i = 0; i < last; i++) move((log, choice) => moveTurn(log, choice, 1));
    expect(here().turn).toBe(last);
    expect(here().fork).not.toBeNull();
    expect(writeChoice(store.getState().choice)).toBe(`turn-ppo,1,2,${last + 1}`);
  });

  it.each([
    ["episode", (log: RunLog, choice: TurnChoice) => moveEpisode(log, choice, 1)],
    ["iteration", (log: RunLog, choice: TurnChoice) => moveIteration(log, choice, 1)],
    ["method", cycleAlgorithm],
  ])("is left for another %s, for good", (_, step) => {
    showFork(store, forkOf(recorded()[1]!));
    move(step);
    expect(store.getState().choice.fork).toBeNull();
    store.setState(({ choice }) => ({ choice: { ...choice, ...PLACE, episode: 1 } }));
    expect(here().fork).toBeNull();
    expect(here().episodes).toBe(recorded());
  });

  it("is left when it is dropped, and when another run is shown", () => {
    showFork(store, forkOf(recorded()[1]!));
    dropFork(store, 1);
    expect(here().episodes).toBe(recorded());
    showFork(store, forkOf(recorded()[1]!));
    expect(here().fork).not.toBeNull();
    store.setState({ view: { log: new RunLog(), origin: "live" } as never });
    expect(store.getState().choice.fork).toBeNull();
  });

  it("is switched on and off with its episode, the newest first", () => {
    const episode = recorded()[1]!;
    forkOf(episode);
    const second = forkOf(episode);
    const before = { ...PLACE, episode: 1, turn: 0, token: null };
    store.setState({ choice: before });
    store.setState(switchFork);
    expect(here()).toMatchObject({ episode: 1, turn: 0, fork: second });
    store.setState(switchFork);
    expect(here()).toMatchObject({ episode: 1, turn: 0, fork: null });
    move((log, choice) => moveEpisode(log, choice, 1));
    expect(switchFork(store.getState())).toEqual({});
  });

  it("never gets a number that another one of the run had, nor its truth", () => {
    const episode = recorded()[1]!;
    const first = forkOf(episode);
    const key = (fork?: string) => truthKey("turn-ppo", 1, episode.trajectory, fork);
    const keys = [key(), ...first.answer.kept.map((one) => key(forkKey(one)))];
    addTruths(store, Object.fromEntries(keys.map((one) => [one, { turns: [] }])));
    dropFork(store, first.number);
    expect(Object.keys(store.getState().truths)).toEqual([key()]);
    expect(forkOf(episode).number).toBe(first.number + 1);
    // Another run counts from the start.
    store.setState({ view: { log: new RunLog(), origin: "live" } as never });
    expect(forkOf(episode).number).toBe(1);
  });

  it("keeps no more episodes than there is room for: of older ones the first, and its truth", () => {
    const episode = recorded()[1]!;
    const MANY = 64;
    const key = (fork?: string) => truthKey("turn-ppo", 1, episode.trajectory, fork);
    const [first, second] = [forkOf(episode, MANY), forkOf(episode, MANY)];
    const keys = [first.answer.kept[0]!, first.answer.kept[1]!, second.answer.kept[1]!];
    addTruths(store, Object.fromEntries(keys.map((one) => [key(forkKey(one)), { turns: [] }])));
    showFork(store, second);
    store.setState(({ choice }) => ({ choice: { ...choice, branch: 1 } }));
    const whole = MOST_EPISODES / MANY;
    for (let i = 0; i < whole; i++) forkOf(episode, MANY);
    const [old, atCursor, ...newer] = store.getState().forks;
    expect(old).toMatchObject({ number: 1, released: MANY - 1 });
    expect(old!.answer.kept).toEqual([first.answer.kept[0]]);
    for (const fork of newer) {
      expect(fork.answer.kept).toHaveLength(MANY);
      expect(fork.released).toBeUndefined();
    }
    // What the cursor is at stays as it is, until it has gone.
    expect(atCursor).toBe(second);
    expect(here()).toMatchObject({ fork: second, branch: 1 });
    expect(Object.keys(store.getState().truths)).toEqual([key("1.0"), key("2.1")]);
    store.setState(switchFork);
    const last = forkOf(episode, 1);
    expect(last.released).toBeUndefined();
    expect(store.getState().forks.map(({ released }) => released)).toEqual([
      ...[MANY - 1, MANY - 1, MANY - 1],
      ...Array<undefined>(whole).fill(undefined),
    ]);
    expect(Object.keys(store.getState().truths)).toEqual([key("1.0")]);
    // One that has lost some still takes its episode's place.
    expect(showFork(store, store.getState().forks[0]!)).toBe(true);
    store.setState(({ choice }) => ({ choice: { ...choice, branch: 9 } }));
    expect(here()).toMatchObject({ branch: 0, fork: { number: 1 } });
    expect(here().episodes[1]).toBe(first.answer.kept[0]);
  });

  it("cannot be shown among episodes that are no longer in memory, and says so", () => {
    const fork = forkOf(recorded()[1]!);
    expect(isHeld(log, fork)).toBe(true);
    expect(showFork(store, fork)).toBe(true);
    const old = { ...fork, question: { ...fork.question, iteration: 999 } };
    const before = store.getState().choice;
    expect(isHeld(log, old)).toBe(false);
    expect(showFork(store, old)).toBe(false);
    expect(store.getState().choice).toBe(before);
  });

  it("has a truth of its own", () => {
    expect(truthKey("grpo", 1, 0, "2.0")).not.toBe(truthKey("grpo", 1, 0));
    expect(truthKey("grpo", 1, 0, "2.0")).not.toBe(truthKey("grpo", 1, 0, "3.0"));
  });
});

describe("a fork as a file", () => {
  const read = async (text: string) => {
    const { isOwn, bytes, index, facts } = await readImport([
      { name: "fork.jsonl", bytes: new TextEncoder().encode(text) },
    ]);
    expect(isOwn).toBe(true);
    return { facts, log: logOf(bytes, index.events) };
  };

  it("is opened again as a run with the fork in the place of its episode", async () => {
    const fork = forkOf(recorded()[1]!);
    const { log: again, facts } = await read(forkRecording(log, fork));
    expect(facts.warnings).toEqual([]);
    expect(facts.command).toMatch(/^Counterfactual fork 1: episode 2 of turn-ppo, iteration 1,/);
    expect(facts.command).toContain("not trained on");
    expect(again.start!.spec).toEqual(log.start!.spec);
    const episodes = again.episodes("turn-ppo", 1);
    expect(episodes).toHaveLength(recorded().length);
    expect(episodes[0]).toEqual(recorded()[0]);
    expect(episodes[1]!.turns).toEqual(fork.answer.kept[0]!.turns);
    const { log: second } = await read(forkRecording(log, fork, 1));
    expect(second.episodes("turn-ppo", 1)[1]!.turns).toEqual(fork.answer.kept[1]!.turns);
    expect(forkKey(episodes[1]!)).toBeUndefined();
    for (const name of ["origin", "boards", "branch", "number", "turn"])
      expect(episodes[1]).not.toHaveProperty(name);
  });

  it("holds the fork alone where the others are gone, and nulls for what no training made", async () => {
    const fork = forkOf(recorded()[1]!);
    const [turn] = fork.answer.kept[0]!.turns;
    Object.assign(turn!, { advantage: NaN, ratio: NaN });
    const old = { ...fork, question: { ...fork.question, iteration: 7 } };
    const { log: again } = await read(forkRecording(log, old));
    const [only, ...others] = again.episodes("turn-ppo", 7);
    expect(others).toEqual([]);
    expect(only!.turns[0]).toMatchObject({ advantage: null, ratio: null, text: turn!.text });
  });
});
