/** The truth of one episode's turns, by branches from each of them. */
import { InputError } from "../../spec/inputError.ts";
import { trueValues, type TrueValues } from "../../train/oracle/trueValues.ts";
import { isFork, type Estimate, type TruthAnswer, type TruthQuestion } from "../questions.ts";
import { checkBranches, replay, withPlayerOf, type Asked, type Service } from "./asked.ts";

/** @throws InputError when the episode or a number is not as it must be. */
export function answerTruth(service: Service, question: TruthQuestion): Promise<TruthAnswer> {
  checkBranches(question.branches);
  const { episode } = question;
  if (isFork(episode) && episode.boards.length > 0)
    throw new InputError(
      "the board of this fork was changed, and the truth is found for episodes on a level's own board only",
    );
  return withPlayerOf(service, question, (asked) => truthOf(service, question, asked));
}

async function truthOf(
  { progress, gate, experiment }: Service,
  { episode: record, branches }: TruthQuestion,
  { player, trained, discount }: Asked,
): Promise<TruthAnswer> {
  const { episode } = replay(player, record);
  const key = { seed: experiment.spec.seed, iteration: trained };
  const chunk = Math.max(branches, CHUNK);
  const options = { branches, ...discount, key, chunk, progress, gate };
  const { value, advantage } = await trueValues(player, [episode], options);
  const common = { kind: "truth" as const, trained, branches, ...discount };
  return { ...common, value: estimates(value), advantage: estimates(advantage) };
}

/** Rows at a time: few enough that progress moves and cancelling is quick. */
const CHUNK = 128;

function estimates({ mean, low, high }: TrueValues["value"]): Estimate[] {
  return Array.from(mean, (x, k) => ({ mean: x, low: low[k]!, high: high[k]! }));
}
