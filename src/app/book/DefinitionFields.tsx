/** What code cells of the notebook define, as choices of an experiment's form. */
import { use, useState } from "react";
import { definedRowName, resolveAlgorithm } from "../../spec/algorithms.ts";
import { ROW_KINDS, type Definition, type RowKind } from "../../spec/definitions.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { InputError } from "../../numeric/inputError.ts";
import type { BookStore } from "../../store/bookStore.ts";
import {
  chosenDefinition,
  DEFINITION_PATHS,
  codeRows,
  withDefinition,
  withRowCode,
  type SingleKind,
} from "../../store/definitionChoice.ts";
import { edited, type SpecDraft } from "../../store/specDraft.ts";
import { CheckBoxes } from "../../ui/Field.tsx";
import { LabelledField } from "./LabelledField.tsx";
import { BookContext, useDefinitions } from "./useBook.ts";
import { words as all } from "./words.ts";

const words = all.definitions;

interface DefinitionFieldsProps {
  draft: SpecDraft;
  change: (step: (draft: SpecDraft) => SpecDraft) => void;
}

/** Nothing if the form is in no notebook, or none of its code defines anything. */
export function DefinitionFields(props: DefinitionFieldsProps) {
  const book = use(BookContext);
  return book && <Fields {...props} store={book.store} />;
}

function Fields({ store, draft, change }: DefinitionFieldsProps & { store: BookStore }) {
  const known = useDefinitions(store);
  if (known.length === 0) return null;
  const kinds = (Object.keys(DEFINITION_PATHS) as SingleKind[]).filter((kind) =>
    known.some((one) => one.kind === kind),
  );
  return (
    <fieldset className="definition-fields" data-testid="definition-fields">
      <legend>{words.title}</legend>
      {known.some(isOfRow) && <RowCode {...{ draft, change, known }} />}
      <div className="fields">
        {kinds.map((kind) => (
          <DefinitionSelect key={kind} {...{ kind, draft, change, known }} />
        ))}
      </div>
    </fieldset>
  );
}

interface PartProps extends DefinitionFieldsProps {
  known: readonly Definition[];
}

/** Changes the experiment if the choice is compatible with the rest of it; otherwise leaves it, and `problem` says why. */
function useChoice({ draft, change }: DefinitionFieldsProps) {
  const [problem, setProblem] = useState<string>();
  const choose = (make: (spec: ExperimentSpec) => ExperimentSpec) => {
    try {
      const spec = make(draft.spec);
      setProblem(undefined);
      change((now) => ({ ...now, spec: edited(now, spec) }));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      setProblem(words.refused(error.message));
    }
  };
  return { problem, choose };
}

function DefinitionSelect({ kind, draft, change, known }: PartProps & { kind: SingleKind }) {
  const { problem, choose } = useChoice({ draft, change });
  const value = chosenDefinition(draft.spec, kind);
  const names = known.filter((one) => one.kind === kind).map(({ name }) => name);
  const choices = value === "" || names.includes(value) ? names : [value, ...names];
  return (
    <LabelledField name={kind} label={words.labels[kind]} problem={problem}>
      {(labelled) => (
        <select
          {...labelled}
          value={value}
          onChange={({ target }) =>
            choose((spec) => withDefinition(spec, [kind, target.value], known))
          }
        >
          <option value="">{words.none[kind]}</option>
          {choices.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}

const isOfRow = (one: Definition): one is Definition & { kind: RowKind } =>
  ROW_KINDS.some((kind) => kind === one.kind);

/** Each of the experiment's methods, with each piece of code for rows instead of its own choice. */
function RowCode({ draft, change, known }: PartProps) {
  const { problem, choose } = useChoice({ draft, change });
  const chosen = draft.spec.algorithms.map(({ name }) => name);
  const boxes = codeRows(draft.spec).flatMap((row) =>
    known
      .filter(isOfRow)
      .map(({ kind, name }) => ({ row, kind, name, id: definedRowName(row, kind, name) })),
  );
  const toggle = (id: string, on: boolean) => {
    const box = boxes.find((one) => one.id === id);
    if (box) choose((spec) => withRowCode(spec, { ...box, on }, known));
  };
  return (
    <CheckBoxes
      label={words.ofRows}
      problem={problem}
      boxes={boxes.map(({ id }) => ({
        id,
        title: resolveAlgorithm(id).title,
        testId: `method-${id}`,
      }))}
      checked={chosen}
      onToggle={toggle}
    />
  );
}
