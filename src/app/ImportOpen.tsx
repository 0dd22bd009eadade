/** What the files of an import leave open, for the reader to say; then they are read again. */
import { useState } from "react";
import type { ImportChoices, LeftOpen, TrainedWith } from "../interchange/import/choices.ts";
import { neededSettings } from "../interchange/import/settings.ts";
import { numberAxes } from "../method/numbers.ts";
import { InputError } from "../numeric/inputError.ts";
import { algorithmNames, resolveAlgorithm } from "../spec/algorithms.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { readAgain, type ImportedRun } from "../store/imports.ts";
import { Button } from "../ui/Button.tsx";
import { CheckBox, Field } from "../ui/Field.tsx";
import { Folded } from "../ui/Folded.tsx";
import { words as importWords } from "./importWords.ts";

const words = importWords.trained;

interface ImportOpenProps {
  experiment: ExperimentHandle;
  run: ImportedRun;
}

export function ImportOpen({ experiment, run: { facts, from } }: ImportOpenProps) {
  const { open } = facts;
  if (!open) return null;
  const say = (more: ImportChoices) => readAgain(experiment, from, { ...from.choices, ...more });
  return (
    <>
      {open.paidLast && (
        <CheckBox
          checked={from.choices.paidLast === true}
          data-testid="import-paid-last"
          onChange={({ target }) => say({ paidLast: target.checked })}
        >
          {importWords.paidLast}
        </CheckBox>
      )}
      {open.trained && (
        <Folded title={words.title} testId="import-trained">
          <TrainedForm
            known={open.trained}
            isSaid={from.choices.trained != null}
            onSay={(trained) => say({ trained })}
          />
        </Folded>
      )}
    </>
  );
}

interface TrainedFormProps {
  known: NonNullable<LeftOpen["trained"]>;
  /** Whether the reader has said them. */
  isSaid: boolean;
  onSay: (trained: TrainedWith | null) => void;
}

function TrainedForm({ known, isSaid, onSay }: TrainedFormProps) {
  const [method, setMethod] = useState(known.method ?? "");
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(known.set).map(([name, value]) => [name, String(value)])),
  );
  const [problem, setProblem] = useState<string | null>(null);
  const names = method === "" ? [] : neededSettings(method);
  const use = () => {
    const trained = trainedOf(method, names, texts);
    setProblem(typeof trained === "string" ? trained : null);
    if (typeof trained !== "string") onSay(trained);
  };
  return (
    <form
      className="import-form"
      onSubmit={(event) => {
        event.preventDefault();
        use();
      }}
    >
      <p>{words.why}</p>
      <div className="fields">
        <MethodField method={method} onPick={setMethod} />
        {names.map((name) => (
          <Field key={name} label={name} hint={numberAxes[name as "gamma"].about}>
            {(control) => (
              <input
                {...control}
                inputMode="decimal"
                data-testid={`import-set-${name}`}
                value={texts[name] ?? ""}
                onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      {problem !== null && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" disabled={method === ""} data-testid="import-trained-use">
          {words.use}
        </Button>
        {isSaid && <Button onClick={() => onSay(null)}>{words.forget}</Button>}
      </div>
    </form>
  );
}

interface MethodFieldProps {
  /** "" if nobody has said it. */
  method: string;
  onPick: (method: string) => void;
}

function MethodField({ method, onPick }: MethodFieldProps) {
  return (
    <Field label={words.method}>
      {(control) => (
        <select
          {...control}
          data-testid="import-method"
          value={method}
          onChange={({ target }) => onPick(target.value)}
        >
          <option value="">{words.unknown}</option>
          {algorithmNames.map((name) => (
            <option key={name} value={name}>
              {resolveAlgorithm(name).title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** The settings, or what is wrong with them. */
function trainedOf(
  method: string,
  names: readonly string[],
  texts: Readonly<Record<string, string>>,
): TrainedWith | string {
  const said = names.map((name) => [name, (texts[name] ?? "").trim()] as const);
  const odd = said.find(([, text]) => text === "" || !Number.isFinite(Number(text)));
  if (odd) return words.noNumber(...odd);
  const set = Object.fromEntries(said.map(([name, text]) => [name, Number(text)]));
  try {
    resolveAlgorithm(method, set);
    return { method, set };
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}
