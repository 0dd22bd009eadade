import { describe, expect, it } from "vitest";
import { shortRun } from "../fixtures/shortRun.ts";
import { RunLog } from "../../src/store/runLog.ts";
import {
  cycleAlgorithm,
  LATEST,
  moveEpisode,
  moveIteration,
  moveTurn,
  resolveChoice,
  setFollow,
} from "../../src/store/turnChoice.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";

const spec = shortRun();
const events = syntheticRun(spec);
const log = new RunLog();
for (const event of events) log.append(event);

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
    const wild = { algorithm: "sarsa", iteration: 99, episode: 99, turn: -4 };
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
});
