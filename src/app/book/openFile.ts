/** A reader's file as the text of a notebook. What it says is data: nothing of it runs before the reader asks for it. */

/** @throws InputError where it is a file of a known kind and broken */
export async function textOfFile(file: File): Promise<string> {
  const text = await file.text();
  if (!/\.ipynb$/i.test(file.name)) return text;
  const { fromJupyter } = await import("../../notebook/jupyter.ts");
  return fromJupyter(text);
}
