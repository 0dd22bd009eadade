/** TypeScript to the JavaScript that a sandbox runs, in one place: types become nothing, and every line stays where it is. */
import { CodeError } from "./codeError.ts";

/** Characters of one cell or definition. */
const LONGEST = 100_000;
/**
 * Characters that the library may read, for each of the text and in all. It reads what may be a type twice, and what is in it
 * again twice: nested, such text takes twice the time for each level. Of ordinary code it reads each character at most four times.
 */
const READS_EACH = 6;
const READS_MORE = 4000;

/** A text that says when more of it was read than its length allows. */
class MeteredText extends String {
  #left = READS_EACH * this.length + READS_MORE;

  get isSpent(): boolean {
    return this.#left < 0;
  }

  override charCodeAt(index: number): number {
    if (--this.#left < 0) throw new Error("read too often");
    return super.charCodeAt(index);
  }
}

/**
 * The same text without its types; ES modules stay as they are. The library is loaded at the first call.
 * @throws CodeError with the line, where the text cannot be read; without, where it is too long or its types too deep.
 */
export async function stripTypes(source: string, name: string): Promise<string> {
  if (source.length > LONGEST)
    throw new CodeError(name, null, `${source.length} characters; at most ${LONGEST} are read`);
  const { transform } = await import("sucrase");
  const metered = new MeteredText(source);
  try {
    return transform(metered as unknown as string, {
      transforms: ["typescript"],
      disableESTransforms: true,
      preserveDynamicImport: true,
      keepUnusedImports: true,
    }).code;
  } catch (error) {
    if (metered.isSpent) throw new CodeError(name, null, "types are nested too deeply to be read");
    const { message, loc } = error as { message: string; loc?: { line: number } };
    const text = message.replace(/^Error transforming [^:]*: /, "").replace(/ \(\d+:\d+\)$/, "");
    throw new CodeError(name, loc?.line ?? null, `SyntaxError: ${text}`);
  }
}
