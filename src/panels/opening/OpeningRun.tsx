/** Beside the opening figure: what the methods learned, and the button that trains them here. */
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { formatPercent } from "../../charts/format.ts";
import { leadOf, type Lead } from "../../reading/leader.ts";
import { titleOf } from "../../reading/titles.ts";
import { learnerNames } from "../../spec/preference.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment } from "../../store/hooks.ts";
import { toggleInTurn } from "../../store/runQueue.ts";
import { Icon } from "../../ui/Icon.tsx";
import { openingWords } from "./words.ts";

const words = openingWords.live;

const selectRun = ({ state, draft }: ExperimentState) => ({
  idle: state === "idle",
  methods: learnerNames(draft.spec).length,
  unusable: Object.keys(draft.pending).length > 0,
});

const selectLog = ({ view }: ExperimentState) => view;

/** While it trains, who is ahead so far. */
function Running() {
  const { log } = useStore(useExperiment().store, selectLog);
  const environment = log.start?.spec.environment.kind;
  const lead = environment && leadOf(log, `val-env/${environment}/success`, "heldout");
  return (
    <div className="note" role="status" data-testid="opening-running">
      {lead ? <LeadWords lead={lead} /> : <p>{words.running}</p>}
    </div>
  );
}

function LeadWords({ lead: { ranked, iteration, decided } }: { lead: Lead }) {
  const [first, ...rest] = ranked;
  const share = formatPercent(first!.value);
  if (!decided) return <p data-testid="opening-lead">{words.level(iteration, share)}</p>;
  const others = rest.map(({ name, value }) => `${titleOf(name)} ${formatPercent(value)}`);
  return (
    <p data-testid="opening-lead">
      <strong>{words.leads(titleOf(first!.name), iteration, share)}</strong>
      {words.then(others)} {words.oneSeed}
    </p>
  );
}

interface OpeningRunProps {
  /** The charts. */
  curves: ReactNode;
  /** What may be concluded from the recorded run. */
  note: string;
}

export function OpeningRun({ curves, note }: OpeningRunProps) {
  const experiment = useExperiment();
  const { store } = experiment;
  const { idle, methods, unusable } = useStore(store, useShallow(selectRun));
  return (
    <aside className="opening-run" aria-label={words.title} data-figure="learned">
      <h2>{words.title}</h2>
      {note !== "" && <p className="note">{note}</p>}
      <div className="opening-curves">
        {/* The charts' own titles are of the fourth rank. */}
        <h3 className="visually-hidden">{words.curves}</h3>
        {curves}
      </div>
      {idle ? (
        <>
          <button
            type="button"
            className="primary opening-start"
            disabled={unusable}
            data-testid="opening-start"
            onClick={() => toggleInTurn(experiment)}
          >
            <Icon name="play" />
            {words.start(methods)}
          </button>
          <p className="note">{words.note}</p>
        </>
      ) : (
        <Running />
      )}
    </aside>
  );
}
