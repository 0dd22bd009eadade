/** A game of the playground: presses in a row, a refusal among them, the policy playing on by itself. */
import { beforeEach, describe, expect, it } from "vitest";
import {
  GamePlay,
  nextStep,
  type PlayedGame,
  type Turn,
} from "../../src/panels/playground/gamePlay.ts";
import type { PlayAnswer, PlayQuestion } from "../../src/runtime/questions.ts";

interface Asked {
  question: PlayQuestion;
  answer: (changes?: Partial<PlayAnswer>) => void;
  refuse: () => void;
}

let play: GamePlay;
let asked: Asked[];
beforeEach(() => {
  play = new GamePlay();
  asked = [];
  connect("grpo");
});

function connect(method: string) {
  play.connect(method, (question, onAnswer, onRefused) => {
    const answer = (changes: Partial<PlayAnswer> = {}) =>
      onAnswer({ ...answerTo(question), ...changes });
    asked.push({ question, answer, refuse: onRefused });
  });
}

function answerTo({ take }: PlayQuestion): PlayAnswer {
  const taken = take ? { ids: [7] } : null;
  return { taken, over: false } as PlayAnswer;
}

const state = () => play.store.getState();
const said = () => state().game!.turns.map(({ said }) => ("text" in said ? said.text : "policy"));
const begin = () => play.press({ kind: "begin", seed: 3, turns: [] });
const say = (text: string) => play.press({ kind: "say", text });

/** A game with nothing said yet. */
function begun() {
  begin();
  asked.at(-1)!.answer();
}

describe("presses", () => {
  it("wait for the answer to the one before, and build on it", () => {
    begun();
    say("Up");
    say("Left");
    play.press({ kind: "take" });
    expect(asked).toHaveLength(2);
    asked[1]!.answer();
    expect(said()).toEqual(["Up"]);
    expect(asked[2]!.question.said).toEqual([{ text: "Up" }, { text: "Left" }]);
    asked[2]!.answer();
    asked[3]!.answer();
    expect(said()).toEqual(["Up", "Left", "policy"]);
    expect(state().game!.turns.map(({ who }) => who)).toEqual(["you", "you", "policy"]);
    expect(asked).toHaveLength(4);
  });

  it("that mean nothing any more are passed over", () => {
    begun();
    say("Up");
    say("Left");
    play.press({ kind: "takeBack" });
    asked[1]!.answer({ over: true });
    // The game is over after the first: only taking it back is left to do.
    expect(asked).toHaveLength(3);
    expect(asked[2]!.question.said).toEqual([]);
    asked[2]!.answer();
    expect(said()).toEqual([]);
  });

  it("are forgotten where one is refused, and for a new game", () => {
    begun();
    say("Up");
    say("Left");
    asked[1]!.refuse();
    expect(asked).toHaveLength(2);
    expect(said()).toEqual([]);
    say("Down");
    say("Right");
    begin();
    expect(asked).toHaveLength(4);
    asked[3]!.answer();
    expect(asked).toHaveLength(4);
    expect(said()).toEqual([]);
  });

  it("draw other chances for each turn of the policy", () => {
    begun();
    for (let i = 1; i <= 3; i++) {
      play.press({ kind: "take" });
      asked[i]!.answer();
    }
    expect(asked.map(({ question }) => question.draw)).toEqual([0, 0, 1, 2]);
  });
});

describe("the policy playing on by itself", () => {
  it("ends with the game, with a press, and goes on only where nothing is under way", () => {
    begun();
    play.setAuto(true);
    play.goOn("take");
    play.goOn("take");
    expect(asked).toHaveLength(2);
    say("Up");
    expect(state().auto).toBe(false);
    asked[1]!.answer();
    asked[2]!.answer();
    expect(said()).toEqual(["policy", "Up"]);
    play.setAuto(true);
    play.goOn("take");
    asked[3]!.answer({ over: true });
    expect(state().auto).toBe(false);
    play.setAuto(true);
    expect(state().auto).toBe(false);
  });

  it("hands back while its turn is under way: that one counts, and none follows", () => {
    begun();
    play.setAuto(true);
    play.goOn("take");
    play.setAuto(false);
    asked[1]!.answer();
    expect(state().auto).toBe(false);
    expect(said()).toEqual(["policy"]);
    say("Up");
    asked[2]!.answer();
    expect(said()).toEqual(["policy", "Up"]);
    expect(asked).toHaveLength(3);
  });

  it("is not tried again where it is refused", () => {
    begun();
    play.setAuto(true);
    play.goOn("take");
    asked[1]!.refuse();
    expect(state().auto).toBe(false);
  });

  it("hands back when the method is changed, and says so until something is pressed", () => {
    begun();
    play.setAuto(true);
    connect("grpo");
    expect(state()).toMatchObject({ auto: true, swapped: null });
    connect("turn-ppo");
    expect(state()).toMatchObject({ auto: false, swapped: { from: "grpo", to: "turn-ppo" } });
    connect("grpo");
    expect(state().auto).toBe(false);
    play.press({ kind: "take" });
    expect(state().swapped).toBeNull();
    expect(asked.at(-1)!.question.algorithm).toBe("grpo");
    // Nobody is told of a change while the reader plays.
    connect("turn-ppo");
    expect(state().swapped).toBeNull();
  });
});

describe("what a press comes to", () => {
  const turns: Turn[] = [{ who: "you", said: { text: "Up" } }];
  const game = (over: boolean): PlayedGame => ({ seed: 5, turns, answer: { over } as PlayAnswer });

  it("is nothing before there is a game, and nothing more to say once it is over", () => {
    expect(nextStep(null, { kind: "say", text: "Up" })).toBeNull();
    expect(nextStep(null, { kind: "refresh" })).toBeNull();
    expect(nextStep(game(true), { kind: "say", text: "Up" })).toBeNull();
    expect(nextStep(game(true), { kind: "take" })).toBeNull();
    expect(nextStep({ ...game(false), turns: [] }, { kind: "takeBack" })).toBeNull();
    expect(nextStep(game(true), { kind: "takeBack" })).toEqual({ seed: 5, turns: [], take: false });
    expect(nextStep(game(true), { kind: "refresh" })).toEqual({ seed: 5, turns, take: false });
  });
});
