/** The terms of the formulas shown: meaning, number, and origin. */
import { memo, useState } from "react";
import { termOf, type Binding } from "../../method/formula/vocabulary.ts";
import { Table } from "../../ui/DataTable.tsx";
import { Tex } from "../../ui/maths/Tex.tsx";
import { brief, type Known } from "./known.ts";
import { rove } from "../../ui/roving.ts";
import type { TermMarker } from "./useMark.ts";
import { useOwnTask } from "./useOwnTask.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

interface TermNumber {
  id: Binding;
  number: Known;
}

interface TermTableProps {
  terms: readonly TermNumber[];
  marked: readonly Binding[];
  held: Binding | null;
  marker: TermMarker;
}

export function TermTable({ terms, marked, held, marker }: TermTableProps) {
  const shown = useOwnTask(terms);
  const [last, setLast] = useState<Binding | null>(null);
  const stop = shown.some(({ id }) => id === last) ? last : shown[0]?.id;
  return (
    <>
      <h4>{words.numbers}</h4>
      <Table
        label={words.numbers}
        className="term-numbers"
        testId="formula-terms"
        head={[words.symbol, words.meaning, words.value, words.origin].map((name) => (
          <th scope="col" key={name}>
            {name}
          </th>
        ))}
        bodyProps={{ onKeyDown: (event) => rove(event, "column") }}
      >
        {shown.map(({ id, number }) => (
          <TermRow
            key={id}
            id={id}
            number={number}
            marker={marker}
            isMarked={marked.includes(id)}
            isHeld={held === id}
            isStop={stop === id}
            onStop={setLast}
          />
        ))}
      </Table>
    </>
  );
}

interface TermRowProps extends TermNumber {
  marker: TermMarker;
  isMarked: boolean;
  isHeld: boolean;
  /** Whether Tab stops at it. */
  isStop: boolean;
  onStop: (id: Binding) => void;
}

/** The panel handles a click anywhere in the row. */
const TermRow = memo(function TermRow(props: TermRowProps) {
  const { id, number, marker, isMarked, isHeld, isStop, onStop } = props;
  const { symbol, name, about } = termOf(id);
  const { value, from } = number;
  return (
    <tr data-binding={id} className={isMarked ? "picked" : undefined}>
      <td>
        <Button
          className="symbol"
          aria-label={name}
          aria-pressed={isHeld}
          tabIndex={isStop ? 0 : -1}
          onFocus={() => {
            onStop(id);
            marker.focus({ term: id, spot: null });
          }}
          onBlur={() => marker.focus(null)}
        >
          <Tex tex={symbol} />
        </Button>
      </td>
      <td title={about}>{name}</td>
      <td className="number" data-value={value ?? undefined}>
        {value === null ? words.unknown : brief(value)}
      </td>
      <td>{from}</td>
    </tr>
  );
});
