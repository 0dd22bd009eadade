/** What came of the iteration's optimiser steps: the token's probability, and how far the models were moved. */
import type { Place } from "./place.ts";
import { updateLines, type UpdateFacts } from "./update.ts";
import { words } from "./words.ts";

interface UpdateTableProps {
  place: Place;
  /** Null where the row was not trained on these episodes. */
  facts: UpdateFacts | null;
}

export function UpdateTable({ place, facts }: UpdateTableProps) {
  const { title, lines, untrained, after } = words.update;
  return (
    <>
      <table className="update-table" data-testid="formula-update">
        <caption>{title}</caption>
        <tbody>
          {updateLines(place, facts).map(({ id, text }) => (
            <tr key={id} data-line={id}>
              <th scope="row">{lines[id]}</th>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="note">{facts ? after : untrained}</p>
    </>
  );
}
