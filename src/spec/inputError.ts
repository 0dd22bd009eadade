/**
 * Bad input from outside (a file, an option, a link): the message is one clear sentence that names the
 * field, the value and what is allowed. Everything else that throws is a defect of ours.
 */
export class InputError extends Error {
  override name = "InputError";
}

/** Shows a value inside an error sentence, shortened so that the sentence stays one readable line. */
export function show(value: unknown): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
