/** Above what is shown: that a link's experiment has not run yet, and whose numbers stand in its place. */
import { useStore } from "zustand";
import { learnerNames } from "../spec/preference.ts";
import { titleOf } from "../reading/titles.ts";
import { settingsThatDiffer, showsAnotherRun, type Difference } from "../store/anotherRun.ts";
import type { ExperimentState } from "../store/experimentState.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { environmentFields, mainFields, moreFields } from "./formFields.ts";
import { appWords } from "./strings.ts";

const words = appWords.anotherRun;

/** Only of what a link says: who edits the form knows, and the run bar says it too. */
const selectLink = (state: ExperimentState) =>
  showsAnotherRun({ ...state, draft: { ...state.draft, spec: state.draft.opened } })
    ? state.draft.opened
    : null;
const selectOwn = ({ own }: ExperimentState) => own;

export function AnotherRun({ experiment: { store } }: { experiment: ExperimentHandle }) {
  const opened = useStore(store, selectLink);
  const own = useStore(store, selectOwn);
  if (!opened) return null;
  const methods = learnerNames(opened).map(titleOf).join(", ");
  const all = settingsThatDiffer(opened, own);
  const named = all.slice(0, MOST).map((one) => inWords(one, methods));
  const rest = all.length - named.length;
  return (
    <p className="notice notice-stale another-run" role="status" data-testid="another-run">
      <strong>{words.title}</strong> {words.settings(named.join("; "), rest)} {words.numbers}
    </p>
  );
}

/** Differences that are named. */
const MOST = 3;

const labels = new Map(
  [...mainFields, ...[...environmentFields, ...moreFields].flatMap(({ fields }) => fields)].map(
    ({ path, label }) => [path, label],
  ),
);

function inWords({ path, here, recorded }: Difference, methods: string): string {
  if (path === "algorithms") return words.methods(methods);
  const label = labels.get(path) ?? path;
  return words.setting(label, here ?? words.absent, recorded ?? words.absent);
}
