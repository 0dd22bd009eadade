/** What a class found: its curves with mean and interval, what was predicted, and how it came out. */
import { useMemo } from "react";
import { plainInput, type ChartInput } from "../../figures/curves/chart.ts";
import { seedLines } from "../../figures/curves/lines.ts";
import type { FieldsOf } from "../../notebook/cellFields.ts";
import { namedMetrics } from "../../figures/curves/metrics.ts";
import { RunChart } from "../../panels/curves/RunChart.tsx";
import { learnerNames } from "../../spec/preference.ts";
import {
  classOutcome,
  countedResults,
  logsOf,
  type ClassSetup,
  type Handed,
} from "../../reading/classroom/classResults.ts";
import { titleOf } from "../../reading/titles.ts";
import { DataTable } from "../../ui/DataTable.tsx";
import { classWords as words } from "./words.ts";

interface FoundProps {
  setup: ClassSetup;
  handed: readonly Handed[];
  fields: FieldsOf<"class">;
}

export function ClassFound({ setup, handed, fields: { question, options } }: FoundProps) {
  const { spec } = setup;
  const results = countedResults(handed);
  const metric = namedMetrics(spec.environment.kind)[setup.metric]!;
  const input = useMemo((): ChartInput => {
    const methods = learnerNames(spec);
    const lines = seedLines(logsOf(setup, handed), methods);
    const xDomain = [0, spec.optimisation.iterations] as const;
    return { ...plainInput(metric, lines, []), methods, xDomain };
  }, [setup, handed, spec, metric]);
  const outcome = classOutcome(setup, results, options.length);
  return (
    <section className="class-found" aria-label={words.outcome}>
      <h3>
        {words.outcome} <span className="note">{words.runs(results.length)}</span>
      </h3>
      <RunChart input={input} testId="class-curves" />
      <div>
        <Votes {...{ question, options, outcome }} />
        <Outcome format={metric.format} outcome={outcome} />
      </div>
    </section>
  );
}

type OutcomeOf = ReturnType<typeof classOutcome>;

function Votes(props: { question: string; options: readonly string[]; outcome: OutcomeOf }) {
  const { question, options, outcome } = props;
  return (
    <DataTable
      testId="class-votes"
      caption={question}
      rows={options}
      keyOf={(_, i) => i}
      columns={[
        [words.option, (option) => option, "name"],
        [words.votes, (_, i) => outcome.predictions[i], "number"],
      ]}
    />
  );
}

function Outcome(props: { format: (value: number) => string; outcome: OutcomeOf }) {
  const { format, outcome } = props;
  return (
    <DataTable
      testId="class-outcome"
      caption={words.atEnd}
      rows={outcome.methods}
      keyOf={({ algorithm }) => algorithm}
      columns={[
        [words.method, ({ algorithm }) => titleOf(algorithm), "name"],
        [words.mean, ({ mean }) => format(mean), "number"],
        [
          words.interval,
          ({ interval: { low, high } }) =>
            outcome.n < 2 ? "–" : `${format(low)} to ${format(high)}`,
          "number",
        ],
        [words.best, ({ best }) => words.runs(best), "number"],
      ]}
    />
  );
}
