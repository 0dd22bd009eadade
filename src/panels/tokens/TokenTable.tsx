/** The tokens that are drawn, as a table; made only for those who look. */
import { useState } from "react";
import { pageAt } from "./pages.ts";
import { exp, plain, signed } from "./TokenNumbers.tsx";
import type { Conversation, Standing } from "./tokensView.ts";
import { words } from "./words.ts";

interface TokenTableProps {
  conversation: Conversation;
  standing: Standing;
}

export function TokenTable(props: TokenTableProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="chart-data"
      data-testid="tokens-data"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{words.table}</summary>
      {open && <Table {...props} />}
    </details>
  );
}

function Table({ conversation: { tokens, start, pages }, standing }: TokenTableProps) {
  const page = pages[pageAt(pages, standing.turn, standing.token ?? 0)]!;
  const first = start[page.fromTurn]!;
  const shown = page.tokens
    ? tokens.slice(first + page.tokens.from, first + page.tokens.to)
    : tokens.slice(first, start[page.toTurn]);
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label={words.table}>
      <table data-testid="tokens-table">
        <thead>
          <tr>
            {words.columns.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((token) => (
            <tr key={`${token.turn}-${token.token}`}>
              <td>{token.turn + 1}</td>
              <td>{token.token + 1}</td>
              <td>{token.text}</td>
              <td className="number">{signed(token.oldLogprob)}</td>
              <td className="number">{exp(token.logRatio)}</td>
              <td className="number">{plain(token.entropy)}</td>
              <td className="number">{signed(token.advantage)}</td>
              <td className="number">{signed(token.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
