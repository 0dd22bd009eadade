/** A step's episodes in pieces: none is long, and together they are the episodes. */
import { expect, it } from "vitest";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { addPiece, stepPieces } from "../../src/reading/log/stepPieces.ts";

const episode = (trajectory: number, lengths: number[], text = "") =>
  ({
    trajectory,
    turns: lengths.map((length) => ({
      ...{ observation: "", text, reward: NaN },
      tokens: Array.from({ length }, (_, id) => ({ id, text: "", logprob: NaN })),
    })),
  }) as unknown as EpisodeRecord;

it("has short pieces that make the same episodes, also of a long turn", () => {
  const all = [
    ...[episode(0, [2, 3]), episode(1, [600, 300]), episode(2, [5])],
    ...[episode(3, [10, 2500, 0, 1]), episode(4, [1]), episode(5, [], ""), episode(6, [999, 1])],
    ...Array.from({ length: 5 }, (_, i) => episode(7 + i, [1, 1], "x".repeat(60_000))),
  ];
  const pieces = [...stepPieces(all)];
  const tokensIn = (some: readonly EpisodeRecord[]) =>
    some.reduce((n, { turns }) => n + turns.reduce((m, one) => m + one.tokens.length, 0), 0);
  for (const piece of pieces) {
    const sizes = "tokens" in piece ? piece.tokens.length : tokensIn(piece.episodes);
    expect(sizes).toBeLessThanOrEqual(1000);
    expect(JSON.stringify(piece).length).toBeLessThan(400_000);
  }
  expect(pieces.length).toBeGreaterThan(6);
  const read: EpisodeRecord[] = [];
  for (const piece of structuredClone(pieces)) addPiece(read, piece);
  expect(read).toEqual(all);
});
