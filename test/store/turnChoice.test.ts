import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { shortRun } from "../fixtures/shortRun.ts";
import type { EpisodeRecord, RunEvent } from "../../src/record/runEvent.ts";
import { RunLog, viewOf } from "../../src/reading/log/runLog.ts";
import {
  cycleAlgorithm,
  iterationShown,
  LATEST,
  missedOf,
  moveEpisode,
  moveIteration,
  moveToken,
  moveTurn,
  readChoice,
  resolveChoice,
  setFollow,
  startChoice,
  writeChoice,
} from "../../src/store/turnChoice.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";

const spec = shortRun();
const events = syntheticRun(spec);
const log = new RunLog();
for (const event of events) log.append(event);

/** The beginning of the recorded run: its episodes have tokens. */
function recordedLog(): RunLog {
  const file = new URL("../fixtures/runs/nano.jsonl", import.meta.url);
  const lines = readFileSync(file, "utf8").split("\n").slice(1, 16);
  const log = new RunLog();
  for (const line of lines) log.append(JSON.parse(line) as RunEvent);
  return log;
}

it("the iteration that the page says is the one that the cursor was put at, of a live run too", () => {
  const live = viewOf(log, "live");
  expect(iterationShown(live, LATEST)).toBe(log.finishedIterations);
  const [early] = resolveChoice(log, LATEST).iterations;
  expect(early).toBeLessThan(log.finishedIterations);
  expect(iterationShown(live, { ...LATEST, iteration: early! })).toBe(early);
});

describe("choosing a turn", () => {
  it("starts at the newest iteration of Turn-PPO and follows it", () => {
    const growing = new RunLog();
    const seen = new Set<number>();
    for (const event of events) {
      growing.append(event);
      seen.add(resolveChoice(growing, LATEST).iteration);
    }
    expect([...seen]).toEqual(Array.from({ length: 21 }, (_, i) => i));
    expect(resolveChoice(log, LATEST)).toMatchObject({ algorithm: "turn-ppo", follow: true });
  });

  it("tells what of a link's place the run does not have", () => {
    const missed = (at: string) => {
      const choice = readChoice(at)!;
      return missedOf(choice, resolveChoice(log, choice));
    };
    expect(missedOf(LATEST, resolveChoice(log, LATEST))).toBeNull();
    expect(missed("grpo,20,1,1")).toBeNull();
    expect(missed("nope,20,1,1")).toEqual({ part: "method", meant: "nope", shown: "turn-ppo" });
    expect(missed("grpo,999,1,1")).toEqual({ part: "iteration", meant: "999", shown: "20" });
    expect(missed("grpo,20,77,1")).toMatchObject({ part: "episode", meant: "77" });
    expect(missed("grpo,20,1,77")).toMatchObject({ part: "turn", meant: "77" });
    expect(missedOf(readChoice("nope,1,1,1")!, resolveChoice(new RunLog(), LATEST))).toBeNull();
  });

  it("begins with the first episode that has a second turn", () => {
    expect(startChoice(new RunLog())).toBe(LATEST);
    const short = (turns: number) => (episode: EpisodeRecord) => ({
      ...episode,
      turns: episode.turns.slice(0, turns),
    });
    const begun = (change: (episode: EpisodeRecord, b: number) => EpisodeRecord) => {
      const log = new RunLog();
      for (const event of events)
        log.append(
          event.type === "iteration" ? { ...event, episodes: event.episodes.map(change) } : event,
        );
      return startChoice(log);
    };
    const longFrom = (first: number) => (episode: EpisodeRecord, b: number) =>
      b < first ? short(1)(episode) : { ...episode, turns: [...episode.turns, ...episode.turns] };
    expect(begun(longFrom(3))).toEqual({ ...LATEST, episode: 3 });
    const first = begun(short(1));
    expect(first).toEqual(LATEST);
    expect(first).not.toBe(LATEST);
  });

  it("begins with an episode that another rollout of its task can be compared with, where there is one", () => {
    const twice = ({ turns }: EpisodeRecord) => [...turns, ...turns];
    const begun = (methods: string[], reward: (b: number) => number, short = -1) => {
      const log = new RunLog();
      for (const event of events) {
        if (event.type !== "iteration") {
          log.append(event);
          continue;
        }
        // Two rollouts to a task of these methods, one of the others.
        const size = methods.includes(event.algorithm) ? 2 : 1;
        const episodes = event.episodes.map((one, b) => {
          const turns = b === short ? one.turns.slice(0, 1) : twice(one);
          return { ...one, turns, task: `t${Math.floor(b / size)}`, reward: reward(b) };
        });
        log.append({ ...event, episodes });
      }
      return startChoice(log);
    };
    const last = (b: number) => Number(b === 7);
    expect(begun(["grpo"], last)).toEqual({ ...LATEST, algorithm: "grpo", episode: 6 });
    expect(begun(["grpo"], last, 6)).toEqual({ ...LATEST, algorithm: "grpo", episode: 7 });
    expect(begun(["grpo", "turn-ppo"], last)).toEqual({ ...LATEST, episode: 6 });
    expect(begun([], last)).toEqual(LATEST);
    expect(begun(["grpo"], () => 1)).toEqual(LATEST);
    // A file may lack rewards.
    expect(begun(["grpo"], (b) => (b === 7 ? NaN : 1))).toEqual(LATEST);
  });

  it("stays where the reader is when following is switched off", () => {
    const stay = setFollow(log, LATEST, false);
    expect(stay.iteration).toBe(20);
    expect(setFollow(log, stay, true).iteration).toBeNull();
  });

  it("stops at both ends", () => {
    expect(moveEpisode(log, LATEST, -1).episode).toBe(0);
    expect(moveEpisode(log, LATEST, 99).episode).toBe(7);
    expect(moveTurn(log, LATEST, -1).turn).toBe(0);
    expect(moveIteration(log, LATEST, 1).iteration).toBe(20);
    expect(moveIteration(log, LATEST, -1).iteration).toBe(19);
  });

  it("begins each episode at its first turn", () => {
    const second = moveTurn(log, LATEST, 1);
    expect(second.turn).toBe(1);
    expect(moveEpisode(log, second, 1)).toMatchObject({ episode: 1, turn: 0 });
  });

  it("goes round the methods", () => {
    const names = [0, 1, 2].reduce<string[]>((done) => {
      const choice = cycleAlgorithm(log, { ...LATEST, algorithm: done.at(-1) ?? null });
      return [...done, choice.algorithm!];
    }, []);
    expect(names).toEqual(["grpo", "token-ppo", "turn-ppo"]);
  });

  it("is never out of range, not even of an empty run", () => {
    const wild = { algorithm: "sarsa", iteration: 99, episode: 99, turn: -4, token: null };
    expect(resolveChoice(log, wild)).toMatchObject({
      algorithm: "turn-ppo",
      iteration: 20,
      episode: 7,
      turn: 0,
    });
    expect(resolveChoice(new RunLog(), wild)).toMatchObject({
      iteration: 0,
      episode: 0,
      episodes: [],
    });
    expect(moveIteration(new RunLog(), LATEST, 1)).toBe(LATEST);
  });

  it("goes through the tokens of turn after turn, and stops at either end", () => {
    const log = recordedLog();
    const turns = resolveChoice(log, LATEST).episodes[0]!.turns;
    const count = turns.reduce((sum, { tokens }) => sum + tokens.length, 0);
    let choice = moveToken(log, LATEST, 1);
    expect(choice).toMatchObject({ turn: 0, token: 0 });
    expect(moveToken(log, choice, -1)).toBe(choice);
    const seen = new Set([writeChoice(choice)]);
    for (let i = 0; i < 2 * count; i++) seen.add(writeChoice((choice = moveToken(log, choice, 1))));
    expect(seen.size).toBe(count);
    expect(choice).toMatchObject({
      turn: turns.length - 1,
      token: turns.at(-1)!.tokens.length - 1,
    });
    expect(moveTurn(log, choice, -1).token).toBeNull();
  });

  it("is written into a link and read again", () => {
    expect(writeChoice(LATEST)).toBe("");
    for (const choice of [
      { ...LATEST, turn: 2 },
      { algorithm: "grpo", iteration: 12, episode: 0, turn: 3, token: null },
      { algorithm: "turn-ppo", iteration: null, episode: 7, turn: 0, token: 5 },
      // A row with a code cell's estimator.
      { algorithm: "turn-ppo@mine", iteration: 5, episode: 0, turn: 1, token: null },
    ])
      expect(readChoice(writeChoice(choice))).toEqual(choice);
    for (const odd of ["", ",", "a,b,c,d", "grpo,1,2", "x,1,1,1,1,1", "<b>,1,1,1"])
      expect(readChoice(odd)).toBeNull();
    // From one on; nothing is before the first.
    expect(readChoice("grpo,3,0,0,0")).toMatchObject({ episode: 0, turn: 0, token: 0 });
  });
});
