/** The fields of an input's form that depend on its kind. */
import { INPUT_KINDS, type InputFields } from "../../../notebook/cells/input.ts";
import { LineField, NumberField } from "../formControls.tsx";
import { ClearingSelect, type FieldPartProps } from "../LabelledField.tsx";
import { words } from "../words.ts";

/** An unknown kind is taken as a slider. */
export const inputKindOf = (written: FieldPartProps["written"]): InputFields["kind"] =>
  INPUT_KINDS.find((one) => one === written["kind"]) ?? "slider";

const KINDS = INPUT_KINDS.map((id) => ({ id, title: words.form.inputKinds[id] }));

export function InputKindSelect(props: FieldPartProps) {
  const written = { ...props.written, kind: props.written["kind"] ?? "slider" };
  return <ClearingSelect {...props} written={written} options={KINDS} clears={["value"]} />;
}

export function InputValueField(props: FieldPartProps) {
  return inputKindOf(props.written) === "slider" ? (
    <NumberField {...props} />
  ) : (
    <LineField {...props} />
  );
}
