/** Rows of WebShop's items_ins and items_human_ins files: attributes and instructions by asin. */
import type { HumanInstruction, SyntheticInstruction } from "./goals.ts";
import type { LoadReport } from "./loadReport.ts";

type Row = Record<string, unknown>;

export interface ProductNotes {
  attributes: string[];
  /** null when the file has none for this product. */
  instruction: SyntheticInstruction | null;
}

/** What WebShop gives a product without attributes. */
export const NO_ATTRIBUTES = ["DUMMY_ATTR"];

/** One value of items_ins. */
export function notesOf(asin: string, value: unknown, report: LoadReport): ProductNotes {
  const row = rowOf(value);
  if (!row) report.note(asin, "the entry of items_ins is no object", "left out");
  const attributes = row?.["attributes"];
  if (attributes !== undefined && !isTexts(attributes)) {
    report.note(asin, "attributes is no list of texts", "taken as none");
  }
  return {
    attributes: isTexts(attributes) ? attributes : NO_ATTRIBUTES,
    instruction: row ? syntheticOf(asin, row, report) : null,
  };
}

function syntheticOf(asin: string, row: Row, report: LoadReport): SyntheticInstruction | null {
  const { instruction, instruction_attributes: attributes } = row;
  if (instruction === undefined || instruction === null) return null;
  if (typeof instruction === "string" && isTexts(attributes) && attributes.length > 0) {
    return { asin, instruction, attributes };
  }
  report.note(asin, "the instruction has no text or no attributes", "no goal made");
  return null;
}

/** One value of items_human_ins: those instructions that a goal can be made of. */
export function humanInstructionsOf(
  asin: string,
  value: unknown,
  report: LoadReport,
): HumanInstruction[] {
  if (!Array.isArray(value)) {
    report.note(asin, "the entry of items_human_ins is no list", "left out");
    return [];
  }
  return value.flatMap((item) => humanInstruction(asin, rowOf(item), report) ?? []);
}

function humanInstruction(
  asin: string,
  row: Row | null,
  report: LoadReport,
): HumanInstruction | null {
  const instruction = row?.["instruction"];
  const attributes = row?.["instruction_attributes"];
  const options = row?.["instruction_options"] ?? [];
  if (typeof instruction !== "string" || !isTexts(attributes) || !isTexts(options)) {
    report.note(asin, "a person's instruction is incomplete", "no goal made");
    return null;
  }
  if (attributes.length > 0) return { asin, instruction, attributes, options };
  report.note(asin, "a person's instruction has no attributes", "no goal made");
  return null;
}

function rowOf(value: unknown): Row | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Row)
    : null;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
