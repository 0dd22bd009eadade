/** The open questions' sweep files. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openQuestions, sweepFileOf, sweepOf } from "../../../src/spec/openQuestions.ts";

declare const __TURNBOOK_ROOT__: string;

export function main(): void {
  for (const question of openQuestions) {
    const path = join(__TURNBOOK_ROOT__, sweepFileOf(question));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(sweepOf(question), null, 2)}\n`);
  }
}
