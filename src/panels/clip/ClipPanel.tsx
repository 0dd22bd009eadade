/** What the clip did in the iteration at the cursor: log-ratios against its band, and what it cut. */
import { memo, useMemo, useState } from "react";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { useCursor } from "../shared/useCursor.ts";
import { usePanelSetting } from "../shared/usePanelSetting.ts";
import { clip } from "./manifest.ts";
import { ClipTables } from "./ClipTables.tsx";
import { count, bandInWords, describeSum, stepName } from "./describe.ts";
import { HistogramFigure } from "./Histogram.tsx";
import { clipModel, type ClipModel } from "./model.ts";
import { StepStrip } from "./StepStrip.tsx";
import {
  addUp,
  chosenSteps,
  epochsOf,
  readStepChoice,
  writeStepChoice,
  type Choice,
} from "../../reading/updateSteps.ts";
import { words } from "./words.ts";
import { Empty } from "../../ui/Empty.tsx";
import { CheckBox, InlineField } from "../../ui/Field.tsx";

const ALL: Choice = { kind: "all" };

export function ClipPanel() {
  const { view, at } = useCursor();
  const newest = useMemo(() => ({ view, at }), [view, at]);
  const { ref, shown } = useRedraw(newest, view.log);
  const model = useMemo(() => clipModel(shown.view, shown.at), [shown]);
  return (
    <PanelFrame panel={clip} about={words.about} region={words.region}>
      <div ref={ref}>
        {at.iterations.length === 0 && model.source === "none" ? (
          <NoEpisodes panel={clip} />
        ) : (
          <Iteration model={model} />
        )}
      </div>
    </PanelFrame>
  );
}

const Iteration = memo(function Iteration({ model }: { model: ClipModel }) {
  const { source, still, refused, config, band, steps } = model;
  const turns = steps.flatMap((step) => step.turn.counts).reduce((sum, n) => sum + n, 0);
  return (
    <>
      {refused > 0 && <p className="notice notice-warning">{words.refused(refused)}</p>}
      {source !== "log" && (
        <Empty>
          {still ? words.still : words.absent}{" "}
          {source === "lastUse" ? words.lastUse(count(turns)) : !still && words.nothing}
        </Empty>
      )}
      {source !== "none" && (
        <p data-testid="clip-rule">
          {config && band ? (
            <>
              {words.levels[band.level]} {band.level !== "none" && words.rules[config.clip]}{" "}
              {band.level !== "none" && bandInWords(band)}
            </>
          ) : (
            words.unknown
          )}
        </p>
      )}
      {source !== "none" && <Steps model={model} />}
    </>
  );
});

function Steps({ model: { steps, band, config, source, unknown, duals } }: { model: ClipModel }) {
  const [choice, setChoice] = useState<Choice>(ALL);
  const [heights, setHeights] = usePanelSetting(clip, "heights");
  const logCounts = heights === "log";
  const some = chosenSteps(steps, choice);
  const sum = useMemo(() => addUp(some), [some]);
  const name = source === "lastUse" ? words.lastUseName : stepName(choice, steps);
  const pooled = config?.ratio === "turn-geomean" ? words.pooled.mean : words.pooled.sum;
  const chooseStep = (step: number | null) =>
    setChoice(step === null ? ALL : { kind: "step", step });
  return (
    <>
      <div className="clip-choices">
        {source === "log" && <StepSelect steps={steps} choice={choice} onChange={setChoice} />}
        <CheckBox
          checked={logCounts}
          onChange={({ target }) => setHeights(target.checked ? "log" : "linear")}
        >
          {words.logCounts}
        </CheckBox>
      </div>
      <p data-testid="clip-summary">
        {describeSum(name, sum)}{" "}
        {unknown > 0 && sum.total.uses > 0 && words.withoutData(count(unknown))}{" "}
        {duals.dual > 0 && words.dualCount(count(duals.dual), count(duals.low))}
      </p>
      <div className="clip-figures">
        {(["token", "turn"] as const).map((unit) => (
          <HistogramFigure
            key={unit}
            unit={unit}
            band={band}
            pooled={pooled}
            logCounts={logCounts}
            histogram={sum[unit]}
            rule={config?.clip ?? null}
          />
        ))}
      </div>
      {source === "log" && (
        <StepStrip
          steps={steps}
          band={band}
          current={choice.kind === "step" ? choice.step : null}
          onChoose={chooseStep}
        />
      )}
      <ClipTables sum={sum} steps={steps} band={band} />
    </>
  );
}

interface StepSelectProps {
  steps: ClipModel["steps"];
  choice: Choice;
  onChange: (choice: Choice) => void;
}

function StepSelect({ steps, choice, onChange }: StepSelectProps) {
  const epochs = epochsOf(steps);
  const gone = choice.kind !== "all" && chosenSteps(steps, choice) === steps;
  return (
    <InlineField label={words.show}>
      <select
        data-testid="clip-choice"
        value={writeStepChoice(gone ? ALL : choice)}
        onChange={({ target }) => onChange(readStepChoice(target.value))}
      >
        <option value="all">{words.all(steps.length)}</option>
        {epochs.length > 1 &&
          epochs.map((epoch) => (
            <option key={epoch} value={writeStepChoice({ kind: "epoch", epoch })}>
              {words.epoch(epoch)}
            </option>
          ))}
        {steps.map(({ epoch, minibatch }, step) => (
          <option key={step} value={writeStepChoice({ kind: "step", step })}>
            {words.step(epoch, minibatch)}
          </option>
        ))}
      </select>
    </InlineField>
  );
}
