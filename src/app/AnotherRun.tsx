/** Above what is shown: that a link's experiment has not run yet. */
import { useStore } from "zustand";
import { showsAnotherRun } from "../store/anotherRun.ts";
import type { ExperimentState } from "../store/experimentState.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { lazyPart } from "../ui/parts/lazyPart.tsx";

/** Only of links: it knows the form's words. */
const AnotherRunNotice = lazyPart("AnotherRunNotice", () => import("./AnotherRunNotice.tsx"), "");

/** Only of what a link says: who edits the form knows, and the run bar says it too. */
const selectLink = (state: ExperimentState) =>
  showsAnotherRun({ ...state, draft: { ...state.draft, spec: state.draft.opened } })
    ? state.draft.opened
    : null;

export function AnotherRun({ experiment }: { experiment: ExperimentHandle }) {
  const opened = useStore(experiment.store, selectLink);
  return opened && <AnotherRunNotice experiment={experiment} opened={opened} />;
}
