/** TypeScript to the JavaScript that a sandbox runs, in one place: types become nothing, and every line stays where it is. */
import { CodeError } from "./codeError.ts";

/**
 * The same text without its types; ES modules stay as they are. The library is loaded at the first call.
 * @throws CodeError with the line, where the text cannot be read.
 */
export async function stripTypes(source: string, name: string): Promise<string> {
  const { transform } = await import("sucrase");
  try {
    return transform(source, {
      transforms: ["typescript"],
      disableESTransforms: true,
      preserveDynamicImport: true,
      keepUnusedImports: true,
    }).code;
  } catch (error) {
    const { message, loc } = error as { message: string; loc?: { line: number } };
    const text = message.replace(/^Error transforming [^:]*: /, "").replace(/ \(\d+:\d+\)$/, "");
    throw new CodeError(name, loc?.line ?? null, `SyntaxError: ${text}`);
  }
}
