/** Learning curves: one chart per metric, one line per algorithm. */
import { useMemo, useState } from "react";
import { collapsedIn } from "../../figures/curves/ends.ts";
import { metricChoices, metricOf, metricsOf, metricText } from "../../figures/curves/metrics.ts";
import { words } from "../../figures/curves/words.ts";
import { environmentOf } from "../../reading/curveMetrics.ts";
import type { RunLog, RunView } from "../../reading/log/runLog.ts";
import { useExperimentState } from "../../store/hooks.ts";
import { Empty } from "../../ui/Empty.tsx";
import { InlineField } from "../../ui/Field.tsx";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { FairnessCard } from "./FairnessCard.tsx";
import { curves } from "./manifest.ts";
import { useMethodChoice } from "./MethodChoice.tsx";
import { UnknownMetrics } from "./UnknownMetrics.tsx";
import { CurrentChart, useRunWithSeeds, useSentLog } from "./RunChart.tsx";

interface CurvesPanelProps {
  /** Ids from the cell, e.g. "reward, success". */
  metrics?: string | undefined;
}

export function CurvesPanel({ metrics }: CurvesPanelProps) {
  const run = useRunWithSeeds();
  const { view, seeds } = run;
  const [another, setAnother] = useState("");
  const environment = environmentOf(view.log);
  const { drawn, choice } = useMethodChoice(view.log.algorithms);
  const shown = useMemo(() => {
    const added = metricOf(another, environment);
    return [...metricsOf(metrics, environment), ...(added ? [{ ...added, id: "another" }] : [])];
  }, [metrics, environment, another]);
  return (
    <PanelFrame panel={curves} scope={null}>
      {view.origin === "none" && <Empty>{words.empty}</Empty>}
      <UnknownMetrics metrics={metrics} logs={[view.log]} />
      {choice}
      <div className="chart-grid">
        {shown.map((metric) => (
          <CurrentChart key={metric.id} {...run} metric={metric} drawn={drawn.join()} />
        ))}
      </div>
      {seeds.length > 0 && <SeedsNote seeds={seeds} view={view} />}
      {useSentLog(view.log) && (
        <p className="note" data-testid="sender-note">
          {words.sender.note}
        </p>
      )}
      <FairnessCard log={view.log} />
      {view.origin !== "none" && (
        <MetricChooser log={view.log} value={another} onChange={setAnother} />
      )}
    </PanelFrame>
  );
}

/** What the bands are, and how to make them again. */
function SeedsNote({ seeds, view }: { seeds: readonly RunLog[]; view: RunView }) {
  const command = useExperimentState("seedsCommand");
  const collapsed = seeds.filter((log) => collapsedIn(log).length > 0).length;
  const count = new Set(seeds.map(({ start }) => start!.spec.seed)).size;
  return (
    <p className="note" data-testid="seeds-note">
      {words.bands(count, view.origin === "live", collapsed)}{" "}
      {command !== "" && <code>{command}</code>}
    </p>
  );
}

interface MetricChooserProps {
  log: RunLog;
  value: string;
  onChange: (choice: string) => void;
}

function MetricChooser({ log, value, onChange }: MetricChooserProps) {
  return (
    <InlineField label={words.another.label}>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{words.another.none}</option>
        {(["train", "heldout"] as const).map((source) => (
          <optgroup key={source} label={words.add.sources[source]}>
            {metricChoices([log], source).map((metric) => (
              <option key={metric.id} value={metric.id}>
                {metricText(metric)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </InlineField>
  );
}
