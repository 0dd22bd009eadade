/** Above what is shown: that a link's experiment has not run yet. */
import { useStore } from "zustand";
import { playsElsewhere, settingsThatDiffer } from "../store/anotherRun.ts";
import type { ExperimentState } from "../store/experimentState.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { lazyPart } from "../ui/parts/lazyPart.tsx";

/** Only of links: it knows the form's words. */
const AnotherRunNotice = lazyPart("AnotherRunNotice", () => import("./AnotherRunNotice.tsx"), "");

/** Runs in whose place a recording may come, or has come: with a run of the reader's own nothing is compared. */
const MAY_BE_ANOTHER: readonly string[] = ["none", "recorded"];

/**
 * Only of what a link says: who edits the form knows, and the run bar says it too. The notice is loaded while the recorded run
 * still comes, so that both are drawn at once: what stands below does not move under the reader's pointer.
 */
const selectLink = ({ view, own, draft: { opened } }: ExperimentState) =>
  MAY_BE_ANOTHER.includes(view.origin) && settingsThatDiffer(opened, own).length > 0
    ? opened
    : null;

function selectNumbers(state: ExperimentState): "recorded" | "none" | null {
  if (state.view.origin === "recorded") return "recorded";
  return playsElsewhere(state) ? "none" : null;
}

export function AnotherRun({ experiment }: { experiment: ExperimentHandle }) {
  const opened = useStore(experiment.store, selectLink);
  const numbers = useStore(experiment.store, selectNumbers);
  return opened && <AnotherRunNotice {...{ experiment, opened, numbers }} />;
}
