/** A notice that an experiment uses code from elsewhere, with a button to show it. */
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import type { Definition } from "../spec/definitions.ts";
import { askForCode, codeConsent, mayRun } from "../store/codeConsent.ts";
import type { ExperimentState } from "../store/experimentState.ts";
import { useExperiment } from "../store/hooks.ts";
import { appWords } from "./strings.ts";
import { Button } from "../ui/Button.tsx";

const words = appWords.code;

/** The code that Run would train with, and that of the run shown. */
const selectCode = ({ draft, view }: ExperimentState) => ({
  ofForm: draft.spec.definitions,
  ofRun: view.log.start?.spec.definitions,
});

export function CodeNotice() {
  const { store } = useExperiment();
  const { ofForm = [], ofRun = [] } = useStore(store, useShallow(selectCode));
  // Changes once more code may run.
  useStore(codeConsent, ({ version }) => version);
  const waiting = distinct([...ofForm, ...ofRun]).filter((one) => !mayRun([one]));
  if (waiting.length === 0) return null;
  const names = waiting.map(({ kind, name }) => `${kind} ${name}`).join(", ");
  return (
    <p className="notice" data-testid="code-waits">
      {words.waits(names)} <Button onClick={() => void askForCode(waiting)}>{words.review}</Button>
    </p>
  );
}

function distinct(definitions: readonly Definition[]): Definition[] {
  return definitions.filter(
    (one, i) => definitions.findIndex(({ source }) => source === one.source) === i,
  );
}
