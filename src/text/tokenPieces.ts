/** The texts of single tokens, as they come. */
import type { TextTokenizer } from "./tokenizer.ts";

/** Of each token in order the text that it completes: "" if it ends within a character, which a later one then ends. */
export function tokenPieces({ decode }: Pick<TextTokenizer, "decode">): (id: number) => string {
  let held: number[] = [];
  return (id) => {
    held.push(id);
    const text = decode(held);
    // A character has at most four bytes; what is no text after so many never becomes it.
    if (text.endsWith("\ufffd") && held.length < 4) return "";
    held = [];
    return text;
  };
}
