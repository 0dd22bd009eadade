/** Spaces and line breaks as visible characters. */
export function visible(text: string): string {
  return text.replaceAll(" ", "·").replaceAll("\n", "⏎").replaceAll("\t", "→");
}
