/** Texts in Python's formats: WebShop's pages and its matching of options depend on them. */
import { SPACE } from "../pythonSpace.ts";

export { strip } from "../pythonSpace.ts";

const SPACES = new RegExp(`${SPACE}+`);

/** `text.split()`: the words between white space. */
export function words(text: string): string[] {
  return text.split(SPACES).filter((word) => word !== "");
}

/** `str(x)` of a float: 1 is "1.0". */
export function pythonFloat(x: number): string {
  const magnitude = Math.abs(x);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e16)) {
    return x.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  return Number.isInteger(x) ? `${x}.0` : String(x);
}

/** `repr(text)` without its quotes, which callers do not need. */
export function pythonRepr(text: string): string {
  return text.replace(/[\\\p{C}\p{Z}]/gu, (char) => {
    if (char === " ") return char;
    return REPR_SHORT.get(char) ?? reprEscape(char.codePointAt(0)!);
  });
}

const REPR_SHORT = new Map([
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function reprEscape(code: number): string {
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** `json.dumps(options)`: ASCII only, a space after commas and colons. */
export function pythonJson(options: Record<string, string>): string {
  const pairs = Object.entries(options).map(([k, v]) => `${asciiJson(k)}: ${asciiJson(v)}`);
  return `{${pairs.join(", ")}}`;
}

function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
