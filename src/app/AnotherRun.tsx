/** A notice above the view: the link's experiment has not run yet. */
import { useStore } from "zustand";
import { playsElsewhere, settingsThatDiffer } from "../store/anotherRun.ts";
import type { ExperimentState } from "../store/experimentState.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { lazyPart } from "../ui/parts/lazyPart.tsx";

/** Only for links: it contains the form's words. */
const AnotherRunNotice = lazyPart("AnotherRunNotice", () => import("./AnotherRunNotice.tsx"), "");

/** States in which a recording may be shown or arrive: with a run of the reader's own nothing is compared. */
const MAY_BE_ANOTHER: readonly string[] = ["none", "recorded"];

/**
 * Only for a link's changes: a reader who edits the form knows them, and the run bar shows them
 * too. The notice is loaded while the recorded run still loads, so that both appear at once and
 * nothing below moves under the pointer.
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
