import { expect, it } from "vitest";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import {
  MissingColumnError,
  requireAnchor,
  requireColumn,
  requireGains,
  requireOfTrajectories,
} from "../../src/method/requireColumn.ts";

const batch = (tokens: object[]) =>
  decodeBatch({ trajectories: [{ turns: [{ tokens }, { tokens }] }] });

/** As of a log that has no tokens. */
const tokenless = { ...batch([{}]), tokenStart: Int32Array.of(0, 0, 0) };

function missing(read: () => unknown) {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(MissingColumnError);
    const { column, message } = error as MissingColumnError;
    return [column, message];
  }
  throw new Error("nothing is missing");
}

it.each([
  ["turnValue", "turns[0].value", () => requireColumn(batch([{}]), "turnValue", "a row")],
  [
    "oldLogprob",
    "turns[0].tokens[0].oldLogprob",
    () => requireColumn(batch([{}]), "oldLogprob", "a row"),
  ],
  ["tokens", "is missing", () => requireColumn(tokenless, "logprob", "a row")],
  [
    "greedyScore",
    "trajectories[0].greedyScore",
    () => requireOfTrajectories(batch([{}]), "greedyScore", "a row"),
  ],
  [
    "success",
    "trajectories[0].success",
    () => requireOfTrajectories(batch([{}]), "success", "a row"),
  ],
  ["anchor", "turns[0].anchor", () => requireAnchor(batch([{}]), "a row")],
  ["turnGain", "turns[0].gain", () => requireGains(batch([{}]), "a row")],
])("%s: the error names the column, its place and who needs it", (column, place, read) => {
  const [named, message] = missing(read)!;
  expect(named).toBe(column);
  expect(message).toContain(place);
  expect(message).toMatch(/is missing; a row needs it$/);
});

it("is not an error where every unit has its number", () => {
  const whole = batch([{ logprob: -1 }]);
  expect(Array.from(requireColumn(whole, "logprob", "a row"))).toEqual([-1, -1]);
});
