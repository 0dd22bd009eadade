/** Earlier and later turns of an episode that is too long to show whole. */
import { stretchAt } from "../numeric/stretch.ts";
import { textBlock, type Block } from "./figure.ts";

const stretchWords = {
  stretch: (from: number, to: number, count: number) => `Turns ${from} to ${to} of ${count}.`,
  earlier: "Earlier turns",
  later: "Later turns",
};

interface TurnPlace {
  episode: number;
  turn: number;
}

/** Which of `count` turns are shown, and moves to the others; nothing if all are. */
export function turnStretch(
  id: string,
  { episode, turn }: TurnPlace,
  count: number,
  most: number,
): Block[] {
  const { from, to } = stretchAt(turn, count, most);
  if (to - from === count) return [];
  const step = (name: string, turn: number) => ({
    name,
    to: { episode, turn, token: null },
    disabled: turn < 0 || turn >= count,
  });
  const said = stretchWords.stretch(from + 1, to, count);
  const go = [step(stretchWords.earlier, from - 1), step(stretchWords.later, to)];
  return [{ ...textBlock(said, undefined, id), go }];
}
