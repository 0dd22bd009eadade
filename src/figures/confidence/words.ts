/** Words of the confidence panel. */
import { counted } from "../../numeric/counted.ts";
import { formatFixed } from "../../numeric/format.ts";

/** From here on, of all pairs, confidence is said to tell. */
const TELLS = 0.6;

export const words = {
  about:
    "Confidence: the geometric mean of a response's token probabilities. It is not a forecast of success.",
  none: (method: string) => `No turns of ${method} here have log-probabilities and an outcome.`,
  span: "Iterations",
  spans: (n: number) => (n === 1 ? "this one" : `last ${n}`),
  iterations: (first: number, last: number) =>
    first === last ? `iteration ${first}` : `iterations ${first} to ${last}`,
  where: (method: string, iterations: string, n: number) =>
    `${method}, ${iterations}, ${counted(n, "turn")}.`,
  means: (sure: string, solved: string) =>
    `Mean confidence ${sure}; ${solved} of the turns are of solved episodes.`,
  tells: (area: number | null) =>
    area === null
      ? "All episodes ended alike, so confidence has nothing to tell apart."
      : `In ${formatFixed(100 * area, 0)} of 100 pairs the turn of the solved episode is surer (50 is chance): confidence ${
          area >= TELLS
            ? "tells them apart"
            : area <= 1 - TELLS
              ? "points the wrong way"
              : "hardly tells them apart"
        }.`,
  chart: "Confidence and outcome",
  chartHint: "Dots: equal numbers of turns, with 95 % intervals. Dashed: a perfect forecast.",
  x: "Confidence of a turn",
  y: "Solved",
  off: (error: string) =>
    `Shares differ from confidence by ${error} on average (expected calibration error).`,
  few: "Too few turns for a picture: at least 20 are needed.",
  without: (n: number) => `Left out: ${counted(n, "turn")} without log-probabilities or outcome.`,
  byTurn: "By turn",
  byTurnNote:
    "Tells: of a turn of a solved and one of an unsolved episode, how often the first is surer.",
  turnHeads: ["turn", "turns", "mean confidence", "solved", "tells"],
  bins: "By confidence",
  dependent: "Turns of one episode share its outcome, so the intervals are too narrow.",
  binHeads: ["mean confidence", "solved", "from", "to", "turns"],
  points: "All turns",
  pointHeads: ["iteration", "episode", "turn", "confidence", "solved"],
  save: "Save all turns as CSV",
};
