/** The tokens drawn, as a table; built only when opened. */
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { Folded } from "../../ui/Folded.tsx";
import { pageAt } from "./pages.ts";
import { exponential, plain, signed } from "./TokenNumbers.tsx";
import type { ShownToken } from "./tokens.ts";
import type { Conversation, TokenStanding } from "./tokensView.ts";
import { words } from "./words.ts";

interface TokenTableProps {
  conversation: Conversation;
  standing: TokenStanding;
}

export function TokenTable(props: TokenTableProps) {
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
