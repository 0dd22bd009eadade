/** Spaces and line breaks as something that one sees. */
export function visible(text: string): string {
  return text.replaceAll(" ", "·").replaceAll("\n", "⏎").replaceAll("\t", "→");
}
