/** All numbers of the token at the cursor. */
import { formatNumber, formatSigned } from "../../numeric/format.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { Meanings } from "../../ui/Meanings.tsx";
import type { ShownToken } from "./tokens.ts";
import type { Conversation, TokenStanding } from "./tokensView.ts";
import { words } from "./words.ts";

interface TokenNumbersProps {
  conversation: Conversation;
  standing: TokenStanding;
}

export function TokenNumbers({ conversation, standing }: TokenNumbersProps) {
  const { tokens, episode } = conversation;
  const token = standing.token === null ? undefined : tokens[standing.flat];
  return (
    <aside className="tokens-side" aria-label={words.numbers} data-testid="tokens-numbers">
      <h4>{words.numbers}</h4>
      {!token && <p className="note">{words.choose}</p>}
      {token && (
        <>
          <p className="note">
            {words.place(token.token, episode.turns[token.turn]!.tokens.length, token.turn)}
          </p>
          <DataTable
            headless
            columns={NUMBER_COLUMNS}
            rows={rowsOf(token, conversation)}
            keyOf={({ id }) => id}
            rowProps={({ id, hint }) => ({ "data-number": id, title: hint })}
          />
          <Meanings title={words.meanings} meanings={MEANINGS} />
        </>
      )}
    </aside>
  );
}

const MEANINGS = Object.values(words.rows).filter((row) => typeof row !== "string");

interface NumberLine {
  id: string;
  name: string;
  hint?: string;
  text: string;
}

const NUMBER_COLUMNS: readonly TableColumn<NumberLine>[] = [
  { id: "name", head: null, kind: "name", cell: ({ name }) => name },
  { id: "text", head: null, kind: "number", cell: ({ text }) => text },
];

function rowsOf(token: ShownToken, { episode }: Conversation): NumberLine[] {
  const { rows, clip } = words;
  const { oldLogprob, logRatio } = token;
  return [
    { id: "text", name: rows.text, text: token.text },
    { id: "id", name: rows.id, text: String(token.id) },
    { id: "oldLogprob", ...rows.oldLogprob, text: signed(oldLogprob) },
    { id: "probability", ...rows.probability, text: exponential(oldLogprob) },
    { id: "logprob", ...rows.logprob, text: signed(token.logprob) },
    { id: "ratio", ...rows.ratio, text: exponential(logRatio) },
    { id: "clip", ...rows.clip, text: clip[isFork(episode) ? "fork" : token.clip] },
    { id: "entropy", ...rows.entropy, text: plain(token.entropy) },
    { id: "advantage", ...rows.advantage, text: signed(token.advantage) },
    { id: "value", ...rows.value, text: signed(token.value) },
  ];
}

export const signed = (x: number | null) => (x === null ? words.absent : formatSigned(x));
export const plain = (x: number | null) => (x === null ? words.absent : formatNumber(x));
/** For a logarithm: the number itself. */
export const exponential = (x: number | null) =>
  x === null ? words.absent : formatNumber(Math.exp(x));
