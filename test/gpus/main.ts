/** The command of the adapters: every task on each of them, one after another, as a table. */
import { ADAPTERS, EVERYWHERE } from "./adapters.ts";
import { placeWords, sites } from "./mutation.ts";
import { keepRecord, recordsOf, STUDIED } from "./records.ts";
import { mutationTable, summary } from "./table.ts";

/** Adapters of the study where no names are given. */
const STUDIED_HERE = ["dawn", "firefox"];

/** @returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const study = args[0] === "mutation";
  const asked = study ? args.slice(1).filter((one) => !/^\d+$/.test(one)) : args;
  const names = asked.length > 0 ? asked : study ? STUDIED_HERE : EVERYWHERE;
  const unknown = names.find((name) => !Object.hasOwn(ADAPTERS, name));
  if (unknown !== undefined) {
    console.error(`no adapter ${unknown}; adapters: ${Object.keys(ADAPTERS).join(", ")}`);
    return 2;
  }
  if (study) return studyAll(names, Number(args.find((one) => /^\d+$/.test(one)) ?? 60));
  console.log("| adapter | task | result | seconds |\n| --- | --- | --- | --- |");
  let failed = 0;
  for (const name of names) failed += await tryOne(name);
  console.log(failed === 0 ? "\nAll work." : `\n${failed} failed.`);
  return failed === 0 ? 0 : 1;
}

async function tryOne(name: string): Promise<number> {
  const { words, tasks } = ADAPTERS[name]!;
  let failed = 0;
  try {
    const { adapter } = await tasks(({ task, result, why, seconds }) => {
      if (result === null) failed++;
      const cell = result ?? `FAILED: ${why}`;
      console.log(`| ${words} | ${task} | ${cell} | ${seconds.toFixed(0)} |`);
    });
    console.log(`| ${words} | is | ${adapter} | |`);
  } catch (error) {
    failed++;
    console.log(`| ${words} | starts | FAILED: ${(error as Error).message.split("\n")[0]} | |`);
  }
  return failed;
}

/**
 * Goes on with what is not studied yet, on each adapter first with what no other has noticed; then prints all of it: a row for each
 * place, a column for each adapter.
 */
async function studyAll(names: readonly string[], minutes: number): Promise<number> {
  for (const name of minutes > 0 ? names : []) {
    const known = recordsOf(name).map(placeWords);
    const others = STUDIED.filter((one) => one !== name).flatMap(recordsOf);
    const first = others.filter(({ noticedBy }) => noticedBy === null).map(placeWords);
    const study = { minutes, known, first };
    await ADAPTERS[name]!.mutation(study, (studied) => keepRecord(name, studied));
  }
  console.log(mutationTable(STUDIED, sites()));
  console.log(`\nNoticed: ${summary(STUDIED, sites())}.`);
  return 0;
}
