/** What a reader can do in a figure: buttons, and choices among options or of a number. */
import type { TurnChoice } from "../store/turnChoice.ts";

/** What a click does: it moves the cursor and brings a panel to the front, or chooses options by the ids of their choices; a second click on what is chosen takes `undo`. `move`: one of the panel's `moves`. */
export type Act =
  | { to: Partial<TurnChoice>; show?: string }
  | { move: string }
  | { choose: ChosenOptions; undo?: ChosenOptions };

export type ChosenOptions = Readonly<Record<string, string>>;

/** A button. */
export type Go = Act & {
  name: string;
  /** Its name in full. */
  says?: string;
  /** Its action in the table of keys. */
  action?: string;
  /** For example, why it is disabled. */
  hint?: string | undefined;
  testId?: string;
  disabled?: boolean;
  /** Whether it is on, of a button that stays so. */
  pressed?: boolean;
};

export interface FigureChoice {
  /** A setting of the panel, which is in the address; any other name is kept while the panel is open. */
  id: string;
  label: string;
  /** `check` is a check box between its second option, unchecked, and its first. */
  look: "segments" | "dial" | "select" | "check" | "search";
  options: readonly ChoiceOption[];
  /** The chosen option. */
  value: string;
  testId?: string;
  /** Of a text to search for: what is searched, its button, and what the same text does once more. */
  search?: { hint: string; button: string; again: Act | null };
  /** Of fields: what it means, and what applies if nothing is chosen. */
  hint?: string;
  note?: string;
}

/** A number to choose: on a slider over its usual range, or in a field for any that is allowed. */
export interface NumberChoice {
  id: string;
  look: "number";
  label: string;
  hint: string;
  note: string;
  /** The chosen one; null is none, undefined is the default. */
  chosen: number | null | undefined;
  /** What the slider shows; null for none. */
  value: number | null;
  slider: { min: number; max: number; step: number };
  min: number;
  max: number;
  /** Name of the field; in it, while nothing is chosen; and of the box for none, if that is allowed. */
  names: { field: string; unset: string; none?: string };
  /** The setting's text. */
  write: (chosen: NumberChoice["chosen"]) => string;
}

interface ChoiceOption {
  value: string;
  name: string;
  disabled?: boolean;
  hint?: string;
  /** The setting's text, if the option is only a part of it. */
  sets?: string;
}
