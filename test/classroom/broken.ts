/** Codes beside those of the desks that no class should count, and files that hold none: each with what the page says of it. */
import { forged, PART } from "./cheats.ts";

export interface Broken {
  what: string;
  /** Made of the honest code of a desk that counts. */
  code(honest: string): string;
  /** What the table says of it once everything was trained again. */
  says: RegExp;
}

const numbers = (parts: string) => parts.replace(/^(\w+),[^,]+,[^,]+/, "$1,0.9,0.95");

const otherLetter = (code: string, at: number) =>
  code.slice(0, at) + (code[at] === "A" ? "B" : "A") + code.slice(at + 1);

export const BROKEN: readonly Broken[] = [
  {
    what: "cut in its middle",
    code: (honest) => honest.slice(0, honest.length / 2),
    says: /^the code has \d parts of 7: copy it whole$/,
  },
  {
    what: "cut by a letter",
    code: (honest) => honest.slice(0, -1),
    says: /a character is wrong or missing$/,
  },
  {
    what: "with a letter changed",
    code: (honest) => otherLetter(honest, 30),
    says: /a character is wrong or missing$/,
  },
  {
    what: "with its numbers edited, and no new check",
    code: (honest) => honest.split("~").map(numbers).join("~"),
    says: /a character is wrong or missing$/,
  },
  {
    what: "with its numbers edited, and a check that fits",
    code: (honest) => forged(honest, PART.curves, numbers),
    says: /^trained again, it gave other numbers$/,
  },
  {
    what: "of another version",
    code: (honest) => honest.replace("TB1", "TB2"),
    says: /^the code is of version TB2; this page reads TB1$/,
  },
  ...["once", "twice"].map((time, i) => ({
    what: `with a seed of no desk, ${time}`,
    code: (honest: string) =>
      forged(
        forged(honest, PART.seed, () => "1"),
        PART.prediction,
        () => String(i + 1),
      ),
    says: /^a seed of no desk of this class$/,
  })),
  {
    what: "handed in again, with another prediction",
    code: (honest) => forged(honest, PART.prediction, (said) => (said === "1" ? "2" : "1")),
    says: /^desk \d+ has handed in this run already$/,
  },
  {
    what: "ten megabytes long",
    code: (honest) => honest.replace(/.{4}$/, "A".repeat(10_000_000)),
    says: /^the code is longer than a code can be$/,
  },
];

/** Files that hold no code. */
export const NO_CODES: readonly { name: string; text: string; says: string }[] = [
  { name: "empty.txt", text: "", says: "No code in that text." },
  { name: "chat.txt", text: "TB1~ is where it begins", says: "No code in that text." },
  {
    name: "large.txt",
    text: "word ".repeat(2_000_000),
    says: "No code in that text. Only the first megabyte was read of large.txt.",
  },
];
