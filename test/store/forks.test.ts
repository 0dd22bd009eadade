/** A fork in the place of the episode that it left: where the cursor shows it, and when it is left. */
import { beforeEach, describe, expect, it } from "vitest";
import type { EpisodeRecord, RunEvent } from "../../src/record/runEvent.ts";
import type { ForkAnswer, ForkedEpisode, ForkQuestion } from "../../src/runtime/questions.ts";
import { createExperimentStore, type ExperimentStore } from "../../src/store/experimentStore.ts";
import {
  addFork,
  dropFork,
  forkNumber,
  isHeld,
  showFork,
  switchFork,
} from "../../src/store/forks.ts";
import { RunLog } from "../../src/store/runLog.ts";
import { forkRecording } from "../../src/store/forkRecording.ts";
import { readImport } from "../../src/store/readImport.ts";
import { logOf } from "../../src/store/recording.ts";
import { addTruths, truthKey } from "../../src/store/truths.ts";
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

/** A fork at the second turn of an episode, with one turn more than was recorded. */
function forkOf(episode: EpisodeRecord) {
  const kept: ForkedEpisode = {
    ...structuredClone(episode),
    ...{ origin: "fork", turn: 1, boards: [] },
    turns: [...episode.turns, episode.turns[0]!],
  };
  const rest = { turn: 1, branches: 8, response: "Up", board: null };
  const question: ForkQuestion = { kind: "fork", ...PLACE, episode, ...rest };
  return addFork(store, { question, answer: { kept } as ForkAnswer });
}

const recorded = () => log.episodes(PLACE.algorithm, PLACE.iteration);
const here = () => resolveChoice(log, store.getState().choice);
const move = (step: (log: RunLog, choice: TurnChoice) => TurnChoice) =>
  store.setState(({ choice }) => ({ choice: step(log, choice) }));

describe("a fork in all panels", () => {
  it("stands in the place of its episode, among the others as they were", () => {
    const fork = forkOf(recorded()[1]!);
    showFork(store, fork);
    expect(here()).toMatchObject({ ...PLACE, episode: 1, turn: 1, fork });
    expect(here().episodes[1]).toBe(fork.answer.kept);
    expect(here().episodes.filter((one, i) => one === recorded()[i])).toHaveLength(
      recorded().length - 1,
    );
    // What was derived of the list stays good.
    expect(here().episodes).toBe(here().episodes);
    expect(forkNumber(here().episodes[1]!)).toBe(1);
  });

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
    const key = (number?: number) => truthKey("turn-ppo", 1, episode.trajectory, number);
    addTruths(store, { [key(first.number)]: { turns: [] }, [key()]: { turns: [] } });
    dropFork(store, first.number);
    expect(Object.keys(store.getState().truths)).toEqual([key()]);
    expect(forkOf(episode).number).toBe(first.number + 1);
    // Another run counts anew.
    store.setState({ view: { log: new RunLog(), origin: "live" } as never });
    expect(forkOf(episode).number).toBe(1);
  });

  it("cannot stand among episodes that are no longer held, and says so", () => {
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
    expect(truthKey("grpo", 1, 0, 2)).not.toBe(truthKey("grpo", 1, 0));
    expect(truthKey("grpo", 1, 0, 2)).not.toBe(truthKey("grpo", 1, 0, 3));
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
    expect(facts.command).toContain("no training saw");
    expect(again.start!.spec).toEqual(log.start!.spec);
    const episodes = again.episodes("turn-ppo", 1);
    expect(episodes).toHaveLength(recorded().length);
    expect(episodes[0]).toEqual(recorded()[0]);
    expect(episodes[1]!.turns).toEqual(fork.answer.kept.turns);
    expect(forkNumber(episodes[1]!)).toBeUndefined();
    for (const name of ["origin", "boards", "number", "turn"])
      expect(episodes[1]).not.toHaveProperty(name);
  });

  it("holds the fork alone where the others are gone, and nulls for what no training made", async () => {
    const fork = forkOf(recorded()[1]!);
    const [turn] = fork.answer.kept.turns;
    Object.assign(turn!, { advantage: NaN, ratio: NaN });
    const old = { ...fork, question: { ...fork.question, iteration: 7 } };
    const { log: again } = await read(forkRecording(log, old));
    const [only, ...others] = again.episodes("turn-ppo", 7);
    expect(others).toEqual([]);
    expect(only!.turns[0]).toMatchObject({ advantage: null, ratio: null, text: turn!.text });
  });
});
