/** The truth of one episode's turns, by branches from each of them. */
import { trueValuesAround, type TrueValues } from "../../train/oracle/trueValues.ts";
import type { BranchEstimate, TruthAnswer, TruthQuestion } from "../questions.ts";
import { checkBranches, replay, withPlayerOf, type AskedLearner, type Service } from "./asked.ts";
import { firstDrawFor } from "./draws.ts";

/** @throws InputError if the episode or a number is invalid. */
export function answerTruth(service: Service, question: TruthQuestion): Promise<TruthAnswer> {
  checkBranches(question.branches);
  return withPlayerOf(service, question, (asked) => truthOfEpisode(service, question, asked));
}

async function truthOfEpisode(
  { progress, gate, experiment }: Service,
  { episode: record, branches }: TruthQuestion,
  { player, trained, discount }: AskedLearner,
): Promise<TruthAnswer> {
  const { episode, states, led } = replay(player, record);
  const { turns } = episode;
  const after = led.map((state, h) => (h + 1 < turns.length ? state : null));
  const played = { turns, before: states.slice(0, turns.length), after };
  const key = { seed: experiment.spec.seed, iteration: trained };
  const chunk = Math.max(branches, CHUNK);
  const firstDraw = firstDrawFor(player);
  const options = { branches, ...discount, key, firstDraw, chunk, work: progress, gate };
  const { value, advantage, solved } = await trueValuesAround(player, [played], options);
  const common = { kind: "truth" as const, trained, branches, ...discount };
  const shares = turns.map((_, h): TruthAnswer["solved"][number] => {
    const end = h + 1 < turns.length ? solved.after[h]! : record.success;
    return end === null ? null : [solved.before[h]!, Number(end)];
  });
  return { ...common, value: estimates(value), advantage: estimates(advantage), solved: shares };
}

/** Rows per batch: few enough that progress moves and cancelling is quick. */
const CHUNK = 128;

function estimates({ mean, low, high }: TrueValues["value"]): BranchEstimate[] {
  return Array.from(mean, (x, k) => ({ mean: x, low: low[k]!, high: high[k]! }));
}
