/** Beside the opening figure: what the methods learned, and the button that trains them here. */
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { formatPercent } from "../../numeric/format.ts";
import type { Lead } from "../../reading/leader.ts";
import { titleOf } from "../../reading/titles.ts";
import { learnerNames } from "../../spec/preference.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { playsElsewhere } from "../../store/anotherRun.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { toggleInTurn } from "../../store/runQueue.ts";
import { Icon } from "../../ui/Icon.tsx";
import { useLead, useLeadSoFar } from "../shared/useLead.ts";
import { openingWords } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

const words = openingWords.live;

const selectRun = ({ state, draft, ...shown }: ExperimentState) => ({
  idle: state === "idle",
  elsewhere: playsElsewhere(shown),
  methods: learnerNames(draft.spec).length,
  unusable: Object.keys(draft.pending).length > 0,
});

/** Which method is ahead, as the figure's title if it is shown alone; its name if none is. */
function useStatement(): string {
  const lead = useLead(useExperiment().store);
  if (!lead?.decided) return words.title;
  const { name, value } = lead.ranked[0]!;
  return words.statement(titleOf(name), formatPercent(value), lead.iteration);
}

/** During training, which method is ahead so far. `takesFocus`: from the button it replaces. */
function Running({ takesFocus }: { takesFocus: boolean }) {
  const lead = useLead(useExperiment().store);
  const box = useRef<HTMLDivElement>(null);
  const takes = useRef(takesFocus);
  useEffect(() => {
    if (takes.current) box.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={box} className="note" role="status" tabIndex={-1} data-testid="opening-running">
      {lead ? <LeadWords lead={lead} /> : <p>{words.running}</p>}
      {/* At iteration 0 all are the same model. */}
      {!lead?.iteration && <SoFar />}
    </div>
  );
}

/** Before the first evaluation of trained models: which one solves more of its training tasks. */
function SoFar() {
  const { store } = useExperiment();
  const every = useExperimentState(({ view }) => view.log.start?.spec.evaluation.every);
  const lead = useLeadSoFar(store);
  if (!lead || every === undefined) return null;
  const { ranked, from, iteration, decided } = lead;
  const [first, ...rest] = ranked;
  const shares = (all: typeof ranked) =>
    all.map(({ name, value }) => `${titleOf(name)} ${formatPercent(value)}`);
  return (
    <p data-testid="opening-so-far">
      {decided ? (
        <>
          <strong>
            {words.soFar(titleOf(first!.name), from, iteration, formatPercent(first!.value))}
          </strong>
          {words.then(shares(rest))}
        </>
      ) : (
        words.levelSoFar(from, iteration, shares(ranked))
      )}{" "}
      {words.untested(every)}
    </p>
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
  /** The conclusion from the recorded run. */
  note: string;
  /** How long the run takes here, in words; null if unknown. */
  takes: string | null;
}

export function OpeningRun({ curves, note, takes }: OpeningRunProps) {
  const experiment = useExperiment();
  const { store } = experiment;
  const statement = useStatement();
  const [isPressed, setPressed] = useState(false);
  const { idle, elsewhere, methods, unusable } = useStore(store, useShallow(selectRun));
  return (
    <aside
      className="opening-run"
      aria-label={words.title}
      data-figure="learned"
      data-figure-title={statement}
    >
      <h2>{words.title}</h2>
      {note !== "" && !elsewhere && <p className="note">{note}</p>}
      <div className="opening-curves">
        {/* The charts' own titles are h4. */}
        <h3 className="visually-hidden">{words.curves}</h3>
        {curves}
      </div>
      {idle ? (
        <>
          <Button
            look="primary"
            className="opening-start"
            disabled={unusable}
            data-as="opening-start"
            data-testid="opening-start"
            onClick={() => {
              setPressed(true);
              toggleInTurn(experiment);
            }}
          >
            <Icon name="play" />
            {words.start(methods)}
          </Button>
          <p className="note">
            {takes !== null && <strong data-testid="opening-takes">{words.takes(takes)} </strong>}
            {elsewhere ? words.local : words.note}
          </p>
        </>
      ) : (
        <Running takesFocus={isPressed} />
      )}
    </aside>
  );
}
