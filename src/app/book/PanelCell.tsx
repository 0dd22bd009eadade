/** A panel of the lens as a cell: with its own cursor and settings over the experiment's run. */
import { Suspense, useEffect, useMemo } from "react";
import type { FieldsOf } from "../../notebook/cellFields.ts";
import { words as lensWords } from "../../panels/lens/words.ts";
import { lensPanels, type LensPanel } from "../../panels/panelTable.ts";
import { START_VIEW } from "../../store/curvesView.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { ExperimentContext, useExperiment, type ExperimentHandle } from "../../store/hooks.ts";
import { withAlone } from "../../store/lens.ts";
import { readSettings } from "../../store/lensSettings.ts";
import { createOwnView, type OwnPart } from "../../store/ownView.ts";
import { readChoice } from "../../store/turnChoice.ts";
import { Warnings } from "../Warnings.tsx";
import { words } from "./words.ts";

/** `fields`: null where the cell's body does not say enough; what is wrong stands below it. */
export function PanelCell({ fields: given }: { fields: FieldsOf<"panel"> | null }) {
  // The same fields are the same view of the experiment.
  const text = JSON.stringify(given);
  const fields = useMemo(() => JSON.parse(text) as typeof given, [text]);
  if (!fields) return null;
  const panel = lensPanels.find(({ id }) => id === fields.panel);
  if (!panel) {
    const known = lensPanels.map(({ id }) => id).join(", ");
    return <Warnings warnings={[words.unknownPanel(fields.panel, known)]} />;
  }
  return <OwnPanel panel={panel} fields={fields} />;
}

interface OwnPanelProps {
  panel: LensPanel;
  fields: FieldsOf<"panel">;
}

function OwnPanel({ panel: { id, Panel }, fields }: OwnPanelProps) {
  const { experiment, warnings } = useOwnView(id, fields);
  return (
    <ExperimentContext value={experiment}>
      <div className="panel-cell" data-panel={id} data-scope="turns">
        <Warnings warnings={warnings} />
        <Suspense fallback={<p className="empty">{lensWords.opening}</p>}>
          <Panel />
        </Suspense>
        {fields.caption !== undefined && <p className="note">{fields.caption}</p>}
      </div>
    </ExperimentContext>
  );
}

/** The cell's own view of the experiment, made anew where the cell says something else. */
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
