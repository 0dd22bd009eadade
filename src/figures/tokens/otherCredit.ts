/** The credit that another method would give the tokens of an episode. */
import { finite } from "../../numeric/finite.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import { computed } from "../../reading/credit/computed.ts";
import { creditOf } from "../../reading/credit/rowCredit.ts";
import { howOf, ownRow, rowNames, rowRequest } from "../../reading/credit/rows.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { readAdvantage } from "../credits/cells.ts";
import { noNumbersOf } from "../credits/choices.ts";
import type { Conversation } from "./conversation.ts";

const PREFIX = "other:";

/** The option of a method's credit. */
export const optionOf = (method: string) => `${PREFIX}${method}`;

/** The methods whose credit can colour the tokens, apart from the one that played. */
export const otherMethods = (log: RunLog, algorithm: string) =>
  rowNames(log, []).filter((name) => name !== algorithm);

/** The chosen method; null if it is the one that played, or its own numbers are shown. */
export function otherMethod(option: string | undefined, algorithm: string): string | null {
  if (!option?.startsWith(PREFIX)) return null;
  const name = option.slice(PREFIX.length);
  return name === algorithm ? null : name;
}

type PlayedPlace = Pick<
  ResolvedChoice,
  "algorithm" | "iteration" | "episodes" | "episode" | "fork"
>;

/** The conversation with that credit, over the recorded episodes of the iteration. */
export function* withOtherCredit(
  conversation: Conversation,
  log: RunLog,
  { algorithm, iteration, episodes, episode, fork }: PlayedPlace,
  name: string,
): Sliced<Conversation> {
  const row = ownRow(log, name, iteration);
  const played = fork === null ? algorithm : null;
  yield* computed({ asked: rowRequest([row], played), episodes });
  const count = log.episodesPerIteration;
  const reason = row.config ? noNumbersOf(row, { episodes, played, count }) : row.problem;
  const credit =
    row.config && reason === null ? creditOf(row.config, episodes, howOf(row, played)).ok : null;
  const read = credit && readAdvantage(credit, episode);
  const tokens = conversation.tokens.map((token) => ({
    ...token,
    other: read ? finite(read({ ...token, id: "" })) : null,
  }));
  return { ...conversation, tokens, other: { name, reason } };
}
