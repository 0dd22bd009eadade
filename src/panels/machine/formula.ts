/** How the expected seconds are computed, with numbers. */
import {
  FORWARD_SHARE,
  trainRate,
  type ExpectedTime,
  type MachineReport,
} from "../../runtime/machineReport.ts";
import { rateWords, secondsWords } from "./words.ts";

export const FORMULA =
  "turns × answer ÷ sampled tokens/s + turns × (query + answer) × (epochs + ¼) × networks ÷ trained tokens/s";

/** The formula of one preset in numbers, e.g. "640 × 6 ÷ 9,000/s + 640 × 46 × 2.25 ÷ 25,000/s = 3.1 s". */
export function timeFormula(expectation: ExpectedTime, { timings }: MachineReport): string {
  const { turns, query, answer, epochs, networks = 1, seconds } = expectation;
  const { name, backend, model } = expectation;
  const timing = timings.find(
    (one) => one.name === name && one.backend === backend && one.model === model,
  )!;
  const sampling = `${turns} × ${answer} ÷ ${rateWords(timing.decodeRate)}`;
  const training = `${turns} × ${query + answer} × ${epochs + FORWARD_SHARE}${networks > 1 ? ` × ${networks}` : ""} ÷ ${rateWords(trainRate(timing))}`;
  return `${sampling} + ${training} = ${secondsWords(seconds)}`;
}
