/** What the study of mutants has found, a line for each place and adapter; kept, so that a study goes on where it stopped. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Studied } from "./mutation.ts";

/** Adapters with a column in the table of mutants; "dawn" is SwiftShader. */
export const STUDIED = ["dawn", "firefox", "card"];

const fileOf = (adapter: string) => join(import.meta.dirname, "mutation", `${adapter}.jsonl`);

export function recordsOf(adapter: string): Studied[] {
  const file = fileOf(adapter);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Studied);
}

export function keepRecord(adapter: string, studied: Studied): void {
  const file = fileOf(adapter);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(studied)}\n`);
}
