/** A game under way: presses are taken one after another, each built on where the one before has led. */
import { createStore } from "zustand/vanilla";
import type { PlayAnswer, PlayQuestion, GivenResponse } from "../../runtime/questions.ts";

type Who = "you" | "policy" | "recorded";

export interface Turn {
  who: Who;
  said: GivenResponse;
}

export interface PlayedGame {
  seed: number;
  turns: readonly Turn[];
  /** Where that leads. */
  answer: PlayAnswer;
}

type Press =
  | { kind: "begin"; seed: number; turns: readonly Turn[] }
  | { kind: "say"; text: string }
  /** The policy's turn. */
  | { kind: "take" }
  | { kind: "takeBack" }
  /** The same place, seen by the policy as it is now. */
  | { kind: "refresh" };

/** What the worker is asked. */
interface PlayStep {
  seed: number;
  turns: readonly Turn[];
  take: boolean;
}

/** What a press comes to where the game stands now; null where it means nothing. */
export function nextStep(game: PlayedGame | null, press: Press): PlayStep | null {
  if (press.kind === "begin") return { seed: press.seed, turns: press.turns, take: false };
  if (!game) return null;
  const { seed, turns, answer } = game;
  switch (press.kind) {
    case "say": {
      const mine: Turn = { who: "you", said: { text: press.text } };
      return answer.over ? null : { seed, turns: [...turns, mine], take: false };
    }
    case "take":
      return answer.over ? null : { seed, turns, take: true };
    case "takeBack":
      return turns.length === 0 ? null : { seed, turns: turns.slice(0, -1), take: false };
    case "refresh":
      return { seed, turns, take: false };
  }
}

interface GameState {
  game: PlayedGame | null;
  /** Whether the policy plays on by itself. */
  auto: boolean;
  /** Methods, where a change of them ended that. */
  swapped: { from: string; to: string } | null;
}

/** Sends a question; one of the two is called, unless another question takes its place. */
type SendQuestion = (
  question: PlayQuestion,
  onAnswer: (answer: PlayAnswer) => void,
  onRefused: () => void,
) => void;

export class GamePlay {
  readonly store = createStore<GameState>(() => ({ game: null, auto: false, swapped: null }));
  #method = "";
  #send: SendQuestion = () => {};
  #waiting: Press[] = [];
  /** Whether an answer is awaited. */
  #busy = false;
  /** Other chances each time, the same ones for the same sequence of presses. */
  #draws = 0;

  /** Who is asked from now on. Another method does not go on with what this one began. */
  connect(method: string, send: SendQuestion): void {
    const from = this.#method;
    [this.#method, this.#send] = [method, send];
    if (from !== method && this.store.getState().auto)
      this.store.setState({ auto: false, swapped: { from, to: method } });
  }

  /** By the reader: the policy hands back. What is pressed while an answer is awaited waits for it. */
  press(press: Press): void {
    this.store.setState({ auto: false, swapped: null });
    this.#put(press);
  }

  /** The policy's next turn, or another look at the board: nothing that the reader waits for. */
  goOn(kind: "take" | "refresh"): void {
    if (!this.#busy) this.#put({ kind });
  }

  setAuto(on: boolean): void {
    const over = this.store.getState().game?.answer.over ?? true;
    this.store.setState({ auto: on && !over, swapped: null });
  }

  #put(press: Press): void {
    // A new game needs nothing of the old one.
    if (press.kind === "begin") [this.#waiting, this.#busy] = [[], false];
    this.#waiting.push(press);
    this.#next();
  }

  #next(): void {
    while (!this.#busy && this.#waiting.length > 0) {
      const step = nextStep(this.store.getState().game, this.#waiting.shift()!);
      if (step) this.#ask(step);
    }
  }

  #ask({ seed, turns, take }: PlayStep): void {
    this.#busy = true;
    const said = turns.map((turn) => turn.said);
    const draw = take ? this.#draws++ : 0;
    this.#send(
      { kind: "play", algorithm: this.#method, seed, said, take, draw },
      (answer) => {
        const more: Turn[] = answer.taken ? [{ who: "policy", said: answer.taken }] : [];
        this.store.setState({ game: { seed, turns: [...turns, ...more], answer } });
        if (answer.over) this.store.setState({ auto: false });
        this.#busy = false;
        this.#next();
      },
      // What was pressed meant a place that is not reached.
      () => {
        [this.#waiting, this.#busy] = [[], false];
        this.store.setState({ auto: false });
      },
    );
  }
}
