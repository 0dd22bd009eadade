/** A value that a reader sets, and code cells read under the cell's name: a slider, a choice or a text. */
import { z } from "../../spec/zod.ts";
import { readBody } from "../body.ts";
import { line } from "./fields.ts";
import type { CellKind, InputValue } from "./kind.ts";

const value = z.union([z.number(), line]);

export const INPUT_KINDS = ["slider", "choice", "text"] as const;

const inputFields = z
  .object({
    label: z._default(line, ""),
    kind: z._default(z.enum(INPUT_KINDS), "slider"),
    min: z._default(z.number(), 0),
    max: z._default(z.number(), 1),
    step: z._default(z.number(), 0.1),
    options: z._default(z.array(value).check(z.maxLength(50)), []),
    /** At first. Absent: the least, the first option, or nothing. */
    value: z.optional(value),
  })
  .check(
    z.superRefine((input, context) => {
      const problem = problemOf(input);
      if (problem) context.addIssue({ code: "custom", path: [problem[0]], message: problem[1] });
    }),
  );

export type InputFields = z.output<typeof inputFields>;

/** A field and its problem. */
function problemOf(input: InputFields): readonly [string, string] | null {
  const { kind, min, max, step, options, value: first } = input;
  // Of the field that is written.
  if (kind === "slider" && min >= max)
    return min === 0
      ? ["max", `is ${max}; it must be above min = 0`]
      : ["min", `is ${min}; it must be below max = ${max}`];
  if (kind === "slider" && step <= 0) return ["step", `is ${step}; it must be above 0`];
  if (kind === "choice" && options.length === 0) return ["options", "needs at least one"];
  if (first === undefined || isAllowed(input, first)) return null;
  const allowed =
    kind === "slider" ? `a number from ${min} to ${max}` : `one of ${options.join(", ")}`;
  return ["value", `is ${first}; it must be ${kind === "text" ? "a text" : allowed}`];
}

function isAllowed({ kind, min, max, options }: InputFields, one: InputValue): boolean {
  if (kind === "choice") return options.some((other) => String(other) === String(one));
  if (kind === "text") return true;
  return typeof one === "number" && one >= min && one <= max;
}

/** What code reads: what the reader has set, while the cell still allows it, else the cell's own. */
export function inputValue(input: InputFields, moved: InputValue | undefined): InputValue {
  const { kind, min, options, value: first } = input;
  const set = moved !== undefined && isAllowed(input, moved) ? moved : first;
  if (set === undefined) return { slider: min, choice: options[0] ?? "", text: "" }[kind];
  if (kind === "text") return String(set);
  // As the cell lists it: a number of the list may be written as a text.
  return options.find((one) => kind === "choice" && String(one) === String(set)) ?? set;
}

export const inputKind = {
  title: "Input",
  shows: false,
  blank: "label: temperature\nkind: slider\nmin: 0.1\nmax: 2\nstep: 0.1\nvalue: 1",
  schema: inputFields,
  given: (body, moved) => {
    const { data } = inputFields.safeParse(readBody(body).fields);
    return data === undefined ? null : inputValue(data, moved);
  },
  onPaper: () => "always",
} satisfies CellKind;
