/** For a link with expected results: the results, and whether the run here matches. */
import { useMemo } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { descriptorOf } from "../../env/descriptors.ts";
import { sentLogOf } from "../../figures/curves/sent.ts";
import { linkVerdict, type Verdict } from "../../panels/status/verdict.ts";
import { learnerNames } from "../../spec/preference.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import type { ExperimentHandle } from "../../store/hooks.ts";
import { comparison, whatDiffers } from "../../store/links.ts";
import { Icon, type IconName } from "../../ui/Icon.tsx";
import { SharedCurves } from "./SharedCurves.tsx";
import { VerdictBanner } from "./VerdictBanner.tsx";
import { words } from "./words.ts";

const selectShared = ({ view, runSpec, expected, draft }: ExperimentState) => ({
  view,
  runSpec,
  expected,
  draft,
});

export function SharedRun({ experiment }: { experiment: ExperimentHandle }) {
  const shown = useStore(experiment.store, useShallow(selectShared));
  const { expected, view } = shown;
  const sent = useMemo(() => sentLogOf(expected), [expected]);
  if (!expected) return null;
  const { spec, fingerprint = "" } = expected;
  const check = comparison(shown);
  const differences = whatDiffers(shown);
  const verdict = linkVerdict(check, { log: view.log, expected, differences });
  const isCompared = verdict !== null && view.origin === "live";
  return (
    <section className="shared-run" aria-label={words.title} data-testid="shared-run">
      <p className="shared-facts">
        <span className="chip">
          <Icon name="share" size={14} />
          {words.link}
        </span>
        <span>
          {words.facts(
            spec.preset,
            spec.seed,
            spec.optimisation.iterations,
            words.engines[spec.engine.backend] ?? spec.engine.backend,
          )}
        </span>
        {fingerprint !== "" && <code>{words.fingerprint(fingerprint.slice(0, 12))}</code>}
      </p>
      <h2>{words.heading(learnerNames(spec).length, descriptorOf(spec.environment.kind).title)}</h2>
      <p className="shared-intro">
        {isCompared ? words.after : words.before} {sent && words.withCurves}
      </p>
      <VerdictBanner {...{ experiment, check, verdict, differences }} />
      {sent && (
        <SharedCurves sent={sent} log={isCompared ? view.log : null} view={view} check={check} />
      )}
      <Verdicts kind={verdict?.kind} />
    </section>
  );
}

const VERDICTS: [Verdict["kind"], IconName, string, string][] = [
  ["exact", "check", words.exact, words.exactHint],
  ["tolerated", "equal", words.tolerated, words.toleratedHint],
  ["diverged", "alert", words.diverged, words.divergedHint],
];

/** All possible verdicts of a comparison, with the current one marked. */
function Verdicts({ kind }: { kind: Verdict["kind"] | undefined }) {
  return (
    <ul className="shared-verdicts" aria-label={words.verdicts}>
      {VERDICTS.map(([one, icon, title, hint]) => (
        <li key={one} aria-current={one === kind || undefined}>
          <strong>
            <Icon name={icon} />
            {title}
          </strong>
          {hint}
        </li>
      ))}
    </ul>
  );
}
