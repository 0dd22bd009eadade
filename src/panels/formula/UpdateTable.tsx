/** What came of the iteration's optimiser steps: the token's probability, and how far the models were moved. */
import type { Place } from "./place.ts";
import { DataTable } from "../../ui/DataTable.tsx";
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
      <DataTable
        headless
        className="update-table"
        testId="formula-update"
        caption={title}
        columns={[
          { id: "line", head: null, kind: "name", cell: ({ id }) => lines[id] },
          { id: "text", head: null, cell: ({ text }) => text },
        ]}
        rows={updateLines(place, facts)}
        keyOf={({ id }) => id}
        rowProps={({ id }) => ({ "data-line": id })}
      />
      <p className="note">{facts ? after : untrained}</p>
    </>
  );
}
