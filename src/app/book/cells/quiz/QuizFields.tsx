/** The fields of a question's form that depend on its kind. */
import { useState } from "react";
import { QUIZ_KINDS, type QuizKind } from "../../../../notebook/quiz.ts";
import { NumberField, TextBox } from "../../formControls.tsx";
import {
  fieldsIn,
  LabelledField,
  writtenLines,
  textOfField,
  type FieldPartProps,
} from "../../LabelledField.tsx";
import { words as all } from "../../words.ts";

const words = all.form;

/** An unknown kind is taken as a choice. */
export const kindOfQuiz = (written: FieldPartProps["written"]): QuizKind =>
  QUIZ_KINDS.find((one) => one === written["kind"]) ?? "choice";

/** The right one of the options, or a number. */
export function AnswerField(props: FieldPartProps) {
  return kindOfQuiz(props.written) === "choice" ? (
    <AnswerSelect {...props} />
  ) : (
    <NumberField {...props} />
  );
}

export function KindSelect({ name, field, written, problem, change }: FieldPartProps) {
  const value = textOfField(written[name]) || "choice";
  const kinds: Readonly<Record<string, string>> = {
    ...(Object.hasOwn(words.kinds, value) ? {} : { [value]: words.unknown(value) }),
    ...words.kinds,
  };
  return (
    <LabelledField
      {...{ name, problem }}
      label={field.label}
      hint={words.kindHelp[kindOfQuiz(written)]}
    >
      {(labelled) => (
        <select
          {...labelled}
          value={value}
          onChange={({ target }) => change([{ path: [name], value: target.value }])}
        >
          {Object.entries(kinds).map(([kind, title]) => (
            <option key={kind} value={kind}>
              {title}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}

/** The options by their words; the body has their numbers. */
function AnswerSelect({ name, field, written, problem, change }: FieldPartProps) {
  const options = writtenLines(written["options"]);
  const value = textOfField(written[name]);
  const isKnown = Number(value) >= 1 && Number(value) <= options.length;
  return (
    <LabelledField {...{ name, problem }} label={field.label}>
      {(labelled) => (
        <select
          {...labelled}
          value={isKnown ? value : ""}
          onChange={({ target }) => change([{ path: [name], value: Number(target.value) }])}
        >
          {!isKnown && (
            <option value="" disabled>
              {words.choose}
            </option>
          )}
          {options.map((option, i) => (
            <option key={i} value={i + 1}>
              {option}
            </option>
          ))}
        </select>
      )}
    </LabelledField>
  );
}

/** A line each: the wrong answer, a colon, a sentence. The typed text stays until the field is left. */
export function FeedbackField({ name, field, written, problem, change }: FieldPartProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const lines = Object.entries(fieldsIn(written[name])).map(
    ([wrong, said]) => `${wrong}: ${textOfField(said)}`,
  );
  const write = (text: string) => {
    setTyped(text);
    const full = text.split("\n").filter((one) => one.trim() !== "");
    const pairs = full.map((one) =>
      /^([^:]*):?(.*)$/
        .exec(one)!
        .slice(1)
        .map((part) => part.trim()),
    );
    const value = pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
    change([{ path: [name], value }]);
  };
  return (
    <TextBox
      {...{ name, field, problem, write }}
      rows={3}
      text={typed ?? lines.join("\n")}
      onLeave={() => setTyped(null)}
    />
  );
}
