/** TypeScript to the JavaScript that a sandbox runs, in one place: types are removed, and every line keeps its number. */
import { CodeError } from "./codeError.ts";

/** Maximum characters of one cell or definition. */
const LONGEST = 100_000;
/**
 * Characters that the library may read, per character of the source and in total. It reads a
 * possible type twice, and whatever is inside it twice again, so that each level of nesting doubles
 * the time. Of ordinary code it reads each character at most four times.
 */
const READS_EACH = 6;
const READS_MORE = 4000;

/** A string that counts reads and throws if more is read than its length allows. */
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
 * The source without its types; ES modules are kept. The library is loaded at the first call.
 * @throws CodeError with the line if the source cannot be parsed; without a line if it is too long
 * or its types are nested too deep.
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
