/** The cursor of a panel cell: method, iteration, episode, turn and token, in the one-word form of links. */
import { useState } from "react";
import { titleOf } from "../../../../reading/titles.ts";
import { learnerNames } from "../../../../spec/preference.ts";
import { LATEST, readChoice, writeChoice, type TurnChoice } from "../../../../store/turnChoice.ts";
import { Button } from "../../../../ui/Button.tsx";
import { LabelledField, textOfField, type FieldPartProps } from "../../LabelledField.tsx";
import { words as all } from "../../words.ts";

const words = all.form;

/** Limits: links have that many digits. */
const MOST = { iteration: 9_999_999, episode: 99_999, turn: 9999, token: 99_999 } as const;

export function PlaceFields({ name, field, written, cell, ...rest }: FieldPartProps) {
  const { experiments, problem, change } = rest;
  const text = textOfField(written[name]);
  const read = text === "" ? LATEST : readChoice(text);
  const choice = read ?? LATEST;
  const wrong = problem ?? (read === null ? words.notPlace : undefined);
  const write = (part: Partial<TurnChoice>) =>
    change([{ path: [name], value: writeChoice({ ...choice, ...part }) || undefined }]);
  const spec = experiments.get(cell.of ?? "")?.store.getState().draft.spec;
  const { algorithm } = choice;
  const methods = new Set([...(spec ? learnerNames(spec) : []), ...(algorithm ? [algorithm] : [])]);
  return (
    <fieldset className="cell-place" data-testid={`cell-field-${name}`}>
      <legend className="field-label">{field.label}</legend>
      <div className="fields">
        <MethodSelect {...{ algorithm, methods, wrong, write }} />
        <Count
          {...{ name: "iteration", label: words.iteration, least: 0, absent: words.newest }}
          most={MOST.iteration}
          value={choice.iteration}
          onChange={(iteration) => write({ iteration })}
        />
        <Count
          {...{ name: "episode", label: words.episode, least: 1, most: MOST.episode }}
          value={choice.episode + 1}
          onChange={(number) => write({ episode: (number ?? 1) - 1 })}
        />
        <Count
          {...{ name: "turn", label: words.turn, least: 1, most: MOST.turn }}
          value={choice.turn + 1}
          onChange={(number) => write({ turn: (number ?? 1) - 1 })}
        />
        <Count
          {...{ name: "token", label: words.token, least: 1, absent: words.wholeTurn }}
          most={MOST.token}
          value={choice.token === null ? null : choice.token + 1}
          onChange={(number) => write({ token: number === null ? null : number - 1 })}
        />
      </div>
      {text !== "" && (
        <Button
          look="quiet"
          data-testid="cell-place-clear"
          onClick={() => change([{ path: [name], value: undefined }])}
        >
          {words.clearPlace}
        </Button>
      )}
    </fieldset>
  );
}

interface MethodSelectProps {
  /** Null: the run's first. */
  algorithm: string | null;
  methods: ReadonlySet<string>;
  /** What is wrong with the cursor as a whole. */
  wrong: string | undefined;
  write: (part: Partial<TurnChoice>) => void;
}

function MethodSelect({ algorithm, methods, wrong, write }: MethodSelectProps) {
  return (
    <LabelledField name="method" label={words.method} problem={wrong}>
      {(labelled) => (
        <select
          {...labelled}
          value={algorithm ?? ""}
          onChange={({ target }) => write({ algorithm: target.value || null })}
        >
          <option value="">{words.anyMethod}</option>
          {[...methods].map((one) => (
            <option key={one} value={one}>
              {titleOf(one)}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}

interface CountProps {
  name: string;
  label: string;
  least: number;
  most: number;
  /** What an empty field means; without it a number is required. */
  absent?: string;
  value: number | null;
  onChange: (value: number | null) => void;
}

/** A whole number; text that is not one yet stays in the field, with a note. */
function Count({ name, label, least, most, absent, value, onChange }: CountProps) {
  const [typed, setTyped] = useState<{ text: string; over: number | null } | null>(null);
  // When the cell's number changes, the field takes it.
  const text = typed && typed.over === value ? typed.text : (value?.toString() ?? "");
  const isWrong = !isAllowed(text, { least, most, absent });
  const type = (now: string) => {
    const isUsable = isAllowed(now, { least, most, absent });
    setTyped(isUsable ? null : { text: now, over: value });
    if (isUsable) onChange(now === "" ? null : Number(now));
  };
  const problem = isWrong ? words.must(text || "empty", `${least} to ${most}`) : undefined;
  return (
    <LabelledField {...{ name, label, problem }}>
      {(labelled) => (
        <input
          {...labelled}
          inputMode="numeric"
          value={text}
          placeholder={absent}
          onChange={({ target }) => type(target.value)}
        />
      )}
    </LabelledField>
  );
}

function isAllowed(
  text: string,
  { least, most, absent }: { least: number; most: number; absent: string | undefined },
): boolean {
  if (text === "") return absent !== undefined;
  return /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
}
