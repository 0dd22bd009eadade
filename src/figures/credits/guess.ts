/** Guess first: by token the truth is hidden until the reader says which turn earned the most. */
import { greatest } from "../../numeric/lists.ts";
import type { EpisodeTruth } from "../../reading/truths.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import type { Act } from "../choices.ts";
import type { BarsBlock } from "../figure.ts";
import { guessWords, whyTurn } from "../truthWords.ts";
import { signOf } from "./truth.ts";
import { words } from "./words.ts";

type GuessTable = Omit<BarsBlock, "current">;

/** Revealed without a guess. */
const SHOWN = "shown";

/** The choice that holds the guess of an episode. */
export function guessOf({ algorithm, iteration, fork }: ResolvedChoice, record: EpisodeRecord) {
  return ["guess", algorithm, iteration, record.trajectory, fork?.number ?? ""].join("|");
}

/** The table with its truth covered, or with the answer. `guess`: as it is held under `id`; `other`: as in `otherPolicy`. */
export function withGuess(
  table: GuessTable,
  { turns }: EpisodeTruth,
  id: string,
  { guess, other }: { guess: string | undefined; other: number | null },
): GuessTable {
  const best = turns.findIndex(
    ({ advantage }) => advantage === greatest(turns.map((turn) => turn.advantage)),
  );
  // With more turns than keys the columns may begin at another one.
  const keyed = (acts: Act[][]) => (turns.length < 10 ? acts : []);
  const goes = table.columns.map(({ to }): Act[] => (to ? [{ to }] : []));
  if (guess !== undefined) {
    const says = answer(turns, best, guess === SHOWN ? null : Number(guess), other);
    return { ...table, guess: { says, keys: keyed(goes), hidden: null } };
  }
  const choose = (value: string): Act => ({ choose: { [id]: value } });
  // The answer speaks of the best turn, so the cursor goes there.
  const goBest = goes[table.columns.findIndex(({ to }) => to?.turn === best)] ?? [];
  const keys = table.columns.map(({ to }) => [choose(String(to!.turn)), ...goBest]);
  const cells = table.columns.map(({ to }, i) => {
    return { value: null, cover: { says: guessWords.guess(to!.turn! + 1), by: keys[i]! } };
  });
  const rows = table.rows.map((row) =>
    row.look === "truth"
      ? { ...row, notes: [guessWords.guessFirst], cells, among: [], size: undefined }
      : row,
  );
  const hidden = { what: guessWords.hides, by: choose(SHOWN) };
  return { ...table, rows, guess: { says: words.ask(turns.length), keys: keyed(keys), hidden } };
}

function answer(
  turns: EpisodeTruth["turns"],
  best: number,
  guess: number | null,
  other: number | null,
): string {
  const { advantageInterval } = turns[best]!;
  const verdict =
    guess === null
      ? []
      : [guess === best ? guessWords.right(best + 1) : guessWords.wrong(guess + 1, best + 1)];
  const doubt = signOf(advantageInterval) === 0 ? [guessWords.unsure(best + 1)] : [];
  return [...verdict, whyTurn(turns, best, { guess: guess ?? best, other }), ...doubt].join(" ");
}
