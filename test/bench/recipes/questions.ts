/** The sweep files of open questions and ablations. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ablations } from "../../../src/spec/ablations.ts";
import { openQuestions } from "../../../src/spec/openQuestions.ts";
import { sweepFileOf, sweepOf } from "../../../src/spec/study.ts";

declare const __TURNBOOK_ROOT__: string;

export function main(): void {
  for (const study of [...openQuestions, ...ablations]) {
    const path = join(__TURNBOOK_ROOT__, sweepFileOf(study));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(sweepOf(study), null, 2)}\n`);
  }
}
