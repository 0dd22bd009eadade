/** Source files of the algorithms, loaded when asked for. */
import { createPart } from "../../ui/parts/part.ts";

export const sources = createPart(
  "sourceTexts",
  async () => (await import("./sourceTexts.ts")).sourceTexts,
);

/** The file of a row in src/algorithm: its name in camel case. */
export function fileOf(name: string): string {
  return `${name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}.ts`;
}

/** Text of a row's file; null where it has none. */
export function sourceOf(name: string, texts: Readonly<Record<string, string>>): string | null {
  return texts[`../../algorithm/${fileOf(name)}`] ?? null;
}
