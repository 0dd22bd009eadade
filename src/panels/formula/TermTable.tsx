/** The terms of the formulas shown: what each means, its number, and where that comes from. */
import { termOf, type Binding } from "../../spec/algorithmDocs/vocabulary.ts";
import { Tex } from "../maths/Tex.tsx";
import { brief } from "./known.ts";
import { findNumber } from "./numbers.ts";
import type { Place } from "./place.ts";
import { words } from "./words.ts";

interface TermTableProps {
  terms: readonly Binding[];
  place: Place;
  marked: Binding | null;
  onMark: (id: Binding | null) => void;
}

export function TermTable({ terms, place, marked, onMark }: TermTableProps) {
  return (
    <>
      <h4>{words.numbers}</h4>
      <p className="note">{words.numbersNote}</p>
      <div className="table-scroll" tabIndex={0} role="group" aria-label={words.numbers}>
        <table className="term-numbers" data-testid="formula-terms">
          <thead>
            <tr>
              <th scope="col">{words.symbol}</th>
              <th scope="col">{words.meaning}</th>
              <th scope="col">{words.value}</th>
              <th scope="col">{words.origin}</th>
            </tr>
          </thead>
          <tbody>
            {terms.map((id) => (
              <TermRow key={id} {...{ id, place, onMark }} isMarked={marked === id} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface TermRowProps {
  id: Binding;
  place: Place;
  isMarked: boolean;
  onMark: (id: Binding | null) => void;
}

function TermRow({ id, place, isMarked, onMark }: TermRowProps) {
  const { symbol, name, about } = termOf(id);
  const { value, from } = findNumber(id, place);
  return (
    <tr data-binding={id} className={isMarked ? "picked" : undefined}>
      <td>
        <button
          type="button"
          className="symbol"
          aria-label={name}
          aria-pressed={isMarked}
          onFocus={() => onMark(id)}
          onClick={() => onMark(id)}
        >
          <Tex tex={symbol} />
        </button>
      </td>
      <td title={about}>{name}</td>
      <td className="number" data-value={value ?? undefined}>
        {value === null ? words.unknown : brief(value)}
      </td>
      <td>{from}</td>
    </tr>
  );
}
