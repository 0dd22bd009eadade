/** The conversation token by token: the environment's text in grey, the model's tokens coloured by a number. */
import { useMemo, useState } from "react";
import { saysWhere } from "../../spec/experiment.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { useCursor } from "../shared/useCursor.ts";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { useSlicedRedraw } from "../shared/useSlicedRedraw.ts";
import { tokens } from "./manifest.ts";
import { ConversationView } from "./ConversationView.tsx";
import { describeColours, describeTokens } from "./describe.ts";
import {
  tokensShown,
  type Shown,
  type TokensWanted,
  type Conversation,
  type TokenStanding,
} from "./tokensView.ts";
import { words, type Measure } from "./words.ts";
import type { GoToken } from "./goToken.ts";
import { Empty } from "../../ui/Empty.tsx";
import { InlineField } from "../../ui/Field.tsx";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { Folded } from "../../ui/Folded.tsx";
import { pageAt } from "./pages.ts";
import type { ShownToken } from "./tokens.ts";
import { formatNumber, formatSigned } from "../../numeric/format.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import { Meanings } from "../../ui/Meanings.tsx";

export function TokensPanel() {
  const { view, at, episode, move } = useCursor();
  const [measure, setMeasure] = useState<Measure | null>(null);
  const { spec } = view.log.start ?? {};
  const { algorithm, fork, turn, token } = at;
  const wanted = useMemo<TokensWanted>(
    () => ({ spec, algorithm, episode, fork, turn, token, measure }),
    [spec, algorithm, episode, fork, turn, token, measure],
  );
  const { ref, shown } = useSlicedRedraw(wanted, view.log, tokensShown);
  const go: GoToken = (turn, token) => move({ episode: at.episode, turn, token });
  return (
    <PanelFrame panel={tokens}>
      <div ref={ref}>
        {shown?.content && (
          <Body shown={shown.content} measure={measure} setMeasure={setMeasure} go={go} />
        )}
        {shown?.content === null && <NoEpisodes panel={tokens} />}
        {!shown && <Empty>{words.coming}</Empty>}
      </div>
    </PanelFrame>
  );
}

interface BodyProps {
  shown: Shown;
  /** Null until the reader chooses. */
  measure: Measure | null;
  setMeasure: (measure: Measure) => void;
  go: GoToken;
}

function Body({ shown, measure, setMeasure, go }: BodyProps) {
  const { conversation, standing, colouring } = shown;
  const { spec, tokens } = conversation;
  const hasTokens = tokens.length > 0;
  return (
    <>
      <p className="tokens-line prose-note" data-testid="tokens-summary">
        {hasTokens ? describeTokens(conversation) : words.noTokens}
      </p>
      {hasTokens && (
        <div className="tokens-colour">
          <MeasureChoice value={measure ?? colouring.measure} onChange={setMeasure} />
          <p className="note prose-note" data-testid="tokens-legend">
            {describeColours(colouring, conversation)}
          </p>
        </div>
      )}
      <div className="tokens-columns">
        <ConversationView
          conversation={conversation}
          standing={standing}
          colouring={colouring}
          go={go}
        />
        {hasTokens && <TokenNumbers conversation={conversation} standing={standing} />}
      </div>
      <p className="note prose-note">
        {words.environmentNote} {spec && words.contexts[spec.context]} {words.whitespace}
      </p>
      {saysWhere(spec) && <p className="note prose-note">{words.promptMade}</p>}
      <p className="note prose-note">{words.keys}</p>
      {hasTokens && <TokenTable conversation={conversation} standing={standing} />}
    </>
  );
}

interface MeasureChoiceProps {
  value: Measure;
  onChange: (measure: Measure) => void;
}

function MeasureChoice({ value, onChange }: MeasureChoiceProps) {
  return (
    <InlineField label={words.colour}>
      <select
        value={value}
        data-testid="tokens-measure"
        onChange={({ target }) => onChange(target.value as Measure)}
      >
        {Object.entries(words.measures).map(([id, { name }]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </InlineField>
  );
}

// The tokens drawn, as a table; built only when opened.

interface TokenTableProps {
  conversation: Conversation;
  standing: TokenStanding;
}

function TokenTable(props: TokenTableProps) {
  return (
    <Folded className="chart-data" testId="tokens-data" title={words.table}>
      <DrawnTokens {...props} />
    </Folded>
  );
}

function DrawnTokens({ conversation: { tokens, start, pages }, standing }: TokenTableProps) {
  const page = pages[pageAt(pages, standing.turn, standing.token ?? 0)]!;
  const first = start[page.fromTurn]!;
  const shown = page.tokens
    ? tokens.slice(first + page.tokens.from, first + page.tokens.to)
    : tokens.slice(first, start[page.toTurn]);
  return (
    <DataTable
      label={words.table}
      testId="tokens-table"
      columns={COLUMNS}
      rows={shown}
      keyOf={({ turn, token }) => `${turn}-${token}`}
    />
  );
}

const CELLS: readonly Pick<TableColumn<ShownToken>, "cell" | "kind" | "value">[] = [
  { cell: ({ turn }) => turn + 1 },
  { cell: ({ token }) => token + 1 },
  { cell: ({ text }) => text },
  {
    kind: "number",
    cell: ({ oldLogprob }) => signed(oldLogprob),
    value: ({ oldLogprob }) => oldLogprob,
  },
  {
    kind: "number",
    cell: ({ logRatio }) => exponential(logRatio),
    value: ({ logRatio }) => (logRatio === null ? null : Math.exp(logRatio)),
  },
  { kind: "number", cell: ({ entropy }) => plain(entropy), value: ({ entropy }) => entropy },
  {
    kind: "number",
    cell: ({ advantage }) => signed(advantage),
    value: ({ advantage }) => advantage,
  },
  { kind: "number", cell: ({ value }) => signed(value), value: ({ value }) => value },
];

const COLUMNS: readonly TableColumn<ShownToken>[] = CELLS.map((column, i) => ({
  ...column,
  id: String(i),
  head: words.columns[i],
}));

// All numbers of the token at the cursor.

interface TokenNumbersProps {
  conversation: Conversation;
  standing: TokenStanding;
}

function TokenNumbers({ conversation, standing }: TokenNumbersProps) {
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

const signed = (x: number | null) => (x === null ? words.absent : formatSigned(x));
const plain = (x: number | null) => (x === null ? words.absent : formatNumber(x));
/** For a logarithm: the number itself. */
const exponential = (x: number | null) => (x === null ? words.absent : formatNumber(Math.exp(x)));
