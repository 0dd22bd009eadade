/** For a link with expected results: the results, and whether the run here matches. */
import { useMemo, useState, type ReactNode } from "react";
import { useShallow } from "zustand/shallow";
import { descriptorOf } from "../../env/descriptors.ts";
import { sentLogOf } from "../../figures/curves/sent.ts";
import { linkVerdict, type Verdict } from "../../panels/status/verdict.ts";
import { learnerNames } from "../../spec/preference.ts";
import { comparison, whatDiffers } from "../../store/links.ts";
import { SharedCurves } from "./SharedCurves.tsx";
import { useStore } from "zustand";
import type { FingerprintCheck } from "../../reading/fingerprint.ts";
import type { Difference } from "../../store/anotherRun.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import type { ExperimentHandle } from "../../store/hooks.ts";
import { openDraft } from "../../store/specDraft.ts";
import { copyText } from "../../ui/clipboard.ts";
import { Icon, type IconName } from "../../ui/Icon.tsx";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

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

interface BannerProps {
  experiment: ExperimentHandle;
  check: FingerprintCheck;
  /** Null if nothing can be compared. */
  verdict: Verdict | null;
  differences: readonly Difference[];
}

/** Whether the run matches the link's, in one sentence, with the possible actions. */
function VerdictBanner(props: BannerProps) {
  const { check, verdict } = props;
  const [open, setOpen] = useState(false);
  const { title, text } = verdict ?? notCompared(check);
  const kind = verdict?.kind ?? "waiting";
  return (
    <div className="link-verdict" data-kind={kind} data-testid="verdict">
      <span className="link-verdict-icon">
        <Icon name={ICONS[kind]} size={20} />
      </span>
      <div role="status">
        <strong>{title}</strong>
        <p>{text}</p>
        {open && verdict && <p data-testid="why">{verdict.why}</p>}
      </div>
      <div className="buttons">
        {verdict !== null && verdict.why !== "" && (
          <Button data-testid="what-differs" aria-expanded={open} onClick={() => setOpen(!open)}>
            {words.what}
          </Button>
        )}
        <Actions {...props} />
      </div>
    </div>
  );
}

const ICONS: Record<Verdict["kind"], IconName> = {
  waiting: "share",
  exact: "check",
  tolerated: "equal",
  diverged: "alert",
};

function notCompared({ state }: FingerprintCheck) {
  return state === "incomparable"
    ? { title: words.rounds, text: words.roundsText }
    : { title: words.otherTitle, text: words.other };
}

const selectState = ({ state }: ExperimentState) => state;

/** Next actions: train it, report it, change it, or go back to the link's settings. */
function Actions({ experiment, verdict, differences }: BannerProps): ReactNode {
  const state = useStore(experiment.store, selectState);
  if (verdict?.kind === "exact" || verdict?.kind === "tolerated")
    return (
      <>
        <CopyProof experiment={experiment} verdict={verdict} />
        <Button onClick={goToSettings}>{words.change}</Button>
      </>
    );
  if (verdict === null || differences.some(({ path }) => path === "backend"))
    return (
      <Button data-testid="their-settings" onClick={() => takeTheirSettings(experiment)}>
        {words.theirs}
      </Button>
    );
  if (verdict.kind !== "waiting" || state !== "idle") return null;
  return (
    <Button data-testid="run-shared" onClick={experiment.session.toggleRun}>
      <Icon name="play" />
      {words.run}
    </Button>
  );
}

function goToSettings(): void {
  const cell = document.querySelector("section.experiment");
  cell?.scrollIntoView({ block: "start" });
  cell?.querySelector<HTMLElement>("button, input, select, summary")?.focus();
}

/** Into the form; the current run continues until the reader resets it. */
function takeTheirSettings({ store }: ExperimentHandle): void {
  const { expected } = store.getState();
  if (expected) store.setState({ draft: openDraft(expected.spec) });
}

function CopyProof({ experiment, verdict }: { experiment: ExperimentHandle; verdict: Verdict }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    const { log } = experiment.store.getState().view;
    const { engine, version } = log.start!;
    const by = `Turnbook ${version}, ${engine.backend} (${engine.adapter})`;
    const text = words.proof(verdict.title, verdict.text, by, log.lastChain, location.href);
    setSaid((await copyText(text)) ? words.copied : words.notCopied);
  };
  return (
    <>
      <Button data-testid="copy-proof" onClick={() => void copy()}>
        {words.copyProof}
      </Button>
      <span className="note" role="status">
        {said}
      </span>
    </>
  );
}
