/**
 * Bad input from outside (a file, an option, a link): the message is one clear sentence that names the
 * field, the value and what is allowed. Everything else that throws is a defect of ours.
 */
export class InputError extends Error {
  override name = "InputError";

  constructor(message: string, options?: ErrorOptions) {
    super(oneLine(message), options);
  }
}

/** Characters that a message has at most: names and values in it come from outside. */
const LONGEST = 4000;

/** White space, and what breaks a line or commands a terminal (C0 and C1 controls, the line and paragraph separators). */
const BLANK = /[\s\u0000-\u001f\u007f-\u009f]+/g;
const BREAK = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** One line of a text that quotes what comes from anywhere: breaks, and the white space around them, become a space. */
export function oneLine(text: string): string {
  const line = text.replace(BLANK, (blank) => (BREAK.test(blank) ? " " : blank));
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 3)}...` : line;
}

/** Shows a value inside an error sentence, shortened so that the sentence stays one readable line. */
export function show(value: unknown): string {
  return shortenName(value === undefined ? "nothing" : jsonOf(value).replace(UNSEEN, escaped));
}

/** A name from outside, as it is, but no longer than a value is shown. */
export function shortenName(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57).replace(/[\ud800-\udbff]$/, "")}...` : text;
}

/** What JSON leaves as it is: C1 controls, the line and paragraph separators, and what turns the direction of writing. */
const UNSEEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function jsonOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "a value that cannot be shown"; // nested too deep, or in a circle
  }
}
