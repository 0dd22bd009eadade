/**
 * Bad input from outside (a file, an option, a link): the message is one clear sentence that names the
 * field, the value and what is allowed. Everything else that throws is a defect of ours.
 */
export class InputError extends Error {
  override name = "InputError";

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(BREAKS, " "), options);
  }
}

/**
 * Names of files and quoted text come from anywhere: whatever breaks a line or commands a terminal
 * becomes a space, so that the sentence stays one line. (C0 and C1 controls, the line and paragraph
 * separators.)
 */
const BREAKS = /\s*[\u0000-\u001f\u007f-\u009f\u2028\u2029]+\s*/g;

/** Shows a value inside an error sentence, shortened so that the sentence stays one readable line. */
export function show(value: unknown): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
