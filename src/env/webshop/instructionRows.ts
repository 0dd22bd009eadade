/** Rows of WebShop's items_ins and items_human_ins files: attributes and instructions by asin. */
import type { HumanInstruction, SyntheticInstruction } from "./goals.ts";
import type { LoadReport } from "./loadReport.ts";
import { MAX_COMPARED } from "./tokenSetRatio.ts";
import type { JsonObject } from "../../spec/jsonText.ts";

export interface ProductNotes {
  attributes: string[];
  /** null if the file has none for this product. */
  instruction: SyntheticInstruction | null;
}

/** WebShop's value for a product without attributes. */
export const NO_ATTRIBUTES = ["DUMMY_ATTR"];

/** One value of items_ins. */
export function notesOf(asin: string, value: unknown, report: LoadReport): ProductNotes {
  const row = objectOrNull(value);
  if (!row) report.note(asin, "the entry of items_ins is not an object", "left out");
  const attributes = row?.["attributes"];
  if (attributes !== undefined && !isTexts(attributes)) {
    report.note(asin, "attributes is not a list of texts", "taken as none");
  }
  return {
    attributes: isTexts(attributes) ? shortOnes(attributes, asin, report) : NO_ATTRIBUTES,
    instruction: row ? syntheticOf(asin, row, report) : null,
  };
}

function syntheticOf(
  asin: string,
  row: JsonObject,
  report: LoadReport,
): SyntheticInstruction | null {
  const { instruction, instruction_attributes: attributes } = row;
  if (instruction === undefined || instruction === null) return null;
  if (typeof instruction === "string" && isTexts(attributes) && attributes.length > 0) {
    return allShort(attributes, asin, report) ? { asin, instruction, attributes } : null;
  }
  report.note(asin, "the instruction has no text or no attributes", "no goal made");
  return null;
}

/** One value of items_human_ins: the instructions that can become a goal. */
export function humanInstructionsOf(
  asin: string,
  value: unknown,
  report: LoadReport,
): HumanInstruction[] {
  if (!Array.isArray(value)) {
    report.note(asin, "the entry of items_human_ins is not a list", "left out");
    return [];
  }
  return value.flatMap((item) => humanInstruction(asin, objectOrNull(item), report) ?? []);
}

function humanInstruction(
  asin: string,
  row: JsonObject | null,
  report: LoadReport,
): HumanInstruction | null {
  const instruction = row?.["instruction"];
  const attributes = row?.["instruction_attributes"];
  const options = row?.["instruction_options"] ?? [];
  if (typeof instruction !== "string" || !isTexts(attributes) || !isTexts(options)) {
    report.note(asin, "a person's instruction is incomplete", "no goal made");
    return null;
  }
  if (attributes.length > 0) {
    const short = allShort([...attributes, ...options], asin, report);
    return short ? { asin, instruction, attributes, options } : null;
  }
  report.note(asin, "a person's instruction has no attributes", "no goal made");
  return null;
}

/** Attributes short enough to compare; the others are reported. */
function shortOnes(attributes: string[], asin: string, report: LoadReport): string[] {
  const short = attributes.filter(({ length }) => length <= MAX_COMPARED);
  if (short.length === attributes.length) return attributes;
  report.note(asin, `an attribute is longer than ${MAX_COMPARED} characters`, "left out");
  return short;
}

/**
 * Whether everything that an instruction asks for is short enough to compare; if not, it is
 * reported.
 */
function allShort(wanted: string[], asin: string, report: LoadReport): boolean {
  if (wanted.every(({ length }) => length <= MAX_COMPARED)) return true;
  const problem = `an instruction asks for a text longer than ${MAX_COMPARED} characters`;
  report.note(asin, problem, "no goal made");
  return false;
}

function objectOrNull(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : null;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
