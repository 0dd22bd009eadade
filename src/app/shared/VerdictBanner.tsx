/** Whether the run matches the link's, in one sentence, with the possible actions. */
import { useState, type ReactNode } from "react";
import { useStore } from "zustand";
import type { Verdict } from "../../panels/status/verdict.ts";
import type { FingerprintCheck } from "../../reading/fingerprint.ts";
import type { Difference } from "../../store/anotherRun.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import type { ExperimentHandle } from "../../store/hooks.ts";
import { openDraft } from "../../store/specDraft.ts";
import { copyText } from "../../ui/clipboard.ts";
import { Icon, type IconName } from "../../ui/Icon.tsx";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

interface BannerProps {
  experiment: ExperimentHandle;
  check: FingerprintCheck;
  /** Null if nothing can be compared. */
  verdict: Verdict | null;
  differences: readonly Difference[];
}

export function VerdictBanner(props: BannerProps) {
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
