/** A panel of the lens as a cell, with its own cursor and settings over the experiment's run. */
import { Suspense, use, useEffect, useEffectEvent, useMemo, useRef } from "react";
import type { FieldsOf } from "../../../../notebook/cellFields.ts";
import { textOfCell, type TypedCell } from "../../../../notebook/cell.ts";
import { cellOf, keyOfCell, writeCell } from "../../../../notebook/edit.ts";
import { withPlace } from "../../../../notebook/cells/panel.ts";
import { words as lensWords } from "../../../../panels/lens/words.ts";
import { useCursor } from "../../../../panels/shared/useCursor.ts";
import { lensPanels, type LensPanel } from "../../../../panels/panelTable.ts";
import { bookDraft, editBook, type BookStore } from "../../../../store/bookStore.ts";
import { curveSettings } from "../../../../store/curveSettings.ts";
import { START_VIEW } from "../../../../store/curvesView.ts";
import type { ExperimentState } from "../../../../store/experimentState.ts";
import {
  ExperimentContext,
  useExperiment,
  type ExperimentHandle,
} from "../../../../store/hooks.ts";
import { withAlone } from "../../../../store/lens.ts";
import { readSettings } from "../../../../store/lensSettings.ts";
import { createOwnView, showOwnView, type OwnPart } from "../../../../store/ownView.ts";
import { readChoice, writeChoice } from "../../../../store/turnChoice.ts";
import { Empty } from "../../../../ui/Empty.tsx";
import { Warnings } from "../../../Warnings.tsx";
import { BookContext } from "../../useBook.ts";
import { words } from "../../words.ts";

interface PanelCellProps {
  /** Changes to cursor and settings are written into the cell while the notebook is edited. */
  cell: TypedCell;
  fields: FieldsOf<"panel"> | null;
}

/** `fields`: null if the cell's body is incomplete; its problems are shown below. */
export function PanelCell({ cell, fields: given }: PanelCellProps) {
  // Equal fields give the same view of the experiment.
  const text = JSON.stringify(given);
  const fields = useMemo(() => JSON.parse(text) as typeof given, [text]);
  if (!fields) return null;
  const panel = lensPanels.find(({ id }) => id === fields.panel);
  if (!panel) {
    const known = lensPanels.map(({ id }) => id).join(", ");
    return <Warnings warnings={[words.unknownPanel(fields.panel, known)]} />;
  }
  return <OwnPanel panel={panel} cell={cell} fields={fields} />;
}

interface OwnPanelProps {
  panel: LensPanel;
  cell: TypedCell;
  fields: FieldsOf<"panel">;
}

function OwnPanel({ panel: { id, Panel }, cell, fields }: OwnPanelProps) {
  const book = use(BookContext)?.store;
  const onChange = useEffectEvent((own: OwnPart) => {
    if (book?.getState().mode === "edit") writePlace(book, cell, id, own);
  });
  const { experiment, warnings } = useOwnView(id, fields);
  useEffect(
    () =>
      experiment.store.subscribe((now, before) => {
        const isSame =
          now.choice === before.choice && now.lens === before.lens && now.curves === before.curves;
        if (!isSame) onChange(now);
      }),
    [experiment],
  );
  const place = useRef<HTMLDivElement>(null);
  // Keys move the cell's own cursor, not the experiment's.
  useEffect(() => showOwnView(place.current!, experiment.store), [experiment]);
  return (
    <ExperimentContext value={experiment}>
      <div ref={place} className="panel-cell" data-panel={id} data-scope="turns">
        <Warnings warnings={warnings} />
        <MissedPlace />
        <Suspense fallback={<Empty>{lensWords.opening}</Empty>}>
          <Panel />
        </Suspense>
        {fields.caption !== undefined && <p className="note">{fields.caption}</p>}
      </div>
    </ExperimentContext>
  );
}

/** What the cell's `at` names and the run does not have. */
function MissedPlace() {
  const { missed } = useCursor();
  return missed && <Warnings warnings={[lensWords.missed(missed)]} />;
}

/** Writes the panel's place into the cell. */
function writePlace(book: BookStore, cell: TypedCell, panel: string, own: OwnPart): void {
  const key = keyOfCell(bookDraft(book.getState()), cell.id);
  if (key === null) return;
  const place = { at: writeChoice(own.choice), settings: settingsOf(panel, own) };
  editBook(
    book,
    (draft) => {
      const now = cellOf(draft, key);
      return now ? writeCell(draft, key, withPlace(textOfCell(now), place)) : draft;
    },
    `panel ${key}`,
  );
}

/** Settings of one panel, by its own names. */
function settingsOf(panel: string, { lens, curves }: OwnPart): Record<string, string> {
  const all = Object.entries({ ...lens.settings, ...curveSettings(curves) });
  const mark = `${panel}:`;
  return Object.fromEntries(
    all.flatMap(([name, text]) => (name.startsWith(mark) ? [[name.slice(mark.length), text]] : [])),
  );
}

/** The cell's own view of the experiment, recreated when the cell's text no longer matches it. */
function useOwnView(id: string, fields: FieldsOf<"panel">) {
  const shared = useExperiment();
  const view = useMemo(() => {
    const { own, warnings } = ownPart(shared.store.getState(), id, fields);
    return { ...createOwnView(shared.store, own), warnings };
  }, [shared, id, fields]);
  useEffect(() => view.end, [view]);
  const experiment: ExperimentHandle = useMemo(
    () => ({ ...shared, store: view.store }),
    [shared, view],
  );
  return { experiment, warnings: view.warnings };
}

function ownPart(
  { lens, choice }: ExperimentState,
  id: string,
  { at, settings: wanted }: FieldsOf<"panel">,
): { own: OwnPart; warnings: string[] } {
  const named = Object.fromEntries(
    Object.entries(wanted).map(([key, value]) => [`${id}:${key}`, value]),
  );
  const { settings, curves, warnings } = readSettings(lens.table, named);
  const own = {
    choice: (at === undefined ? null : readChoice(at)) ?? choice,
    lens: withAlone({ ...lens, settings }, null),
    curves: { ...START_VIEW, ...curves },
  };
  return { own, warnings };
}
