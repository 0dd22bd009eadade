/** A game in progress: presses are handled one after another, each based on the result of the one before. */
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
  /** The result. */
  answer: PlayAnswer;
}

type Press =
  | { kind: "begin"; seed: number; turns: readonly Turn[] }
  | { kind: "say"; text: string }
  /** The policy's turn. */
  | { kind: "take" }
  | { kind: "takeBack" }
  /** The same state with the current policy's predictions. */
  | { kind: "refresh" };

/** The request to the worker. */
interface PlayStep {
  seed: number;
  turns: readonly Turn[];
  take: boolean;
}

/** The effect of a press in the game's current state; null if it has none. */
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
  /** Whether the policy continues playing automatically. */
  auto: boolean;
  /** Methods, if a change of them ended that. */
  swapped: { from: string; to: string } | null;
}

/** Sends a question; one of the two callbacks is called, unless another question replaces it. */
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
  /** Whether an answer is pending. */
  #busy = false;
  /** New randomness each time, the same for the same sequence of presses. */
  #draws = 0;

  /** Sets who is asked from now on. Another method does not continue what this one began. */
  connect(method: string, send: SendQuestion): void {
    const from = this.#method;
    [this.#method, this.#send] = [method, send];
    if (from !== method && this.store.getState().auto)
      this.store.setState({ auto: false, swapped: { from, to: method } });
  }

  /**
   * By the reader: stops the policy's automatic play. Presses during a pending answer are queued.
   */
  press(press: Press): void {
    this.store.setState({ auto: false, swapped: null });
    this.#put(press);
  }

  /** The policy's next turn, or a refresh: nothing that the reader waits for. */
  goOn(kind: "take" | "refresh"): void {
    if (!this.#busy) this.#put({ kind });
  }

  setAuto(on: boolean): void {
    const over = this.store.getState().game?.answer.over ?? true;
    this.store.setState({ auto: on && !over, swapped: null });
  }

  #put(press: Press): void {
    // A new game does not need the old one.
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
      // The presses applied to a state that was not reached.
      () => {
        [this.#waiting, this.#busy] = [[], false];
        this.store.setState({ auto: false });
      },
    );
  }
}
