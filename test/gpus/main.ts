/** The command of the adapters: every task on each of them, one after another, as a table. */
import { ADAPTERS } from "./adapters.ts";
import type { Studied } from "./mutation.ts";

/** @returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const study = args[0] === "mutation";
  const asked = study ? args.slice(1).filter((one) => !/^\d+$/.test(one)) : args;
  const names = asked.length > 0 ? asked : study ? ["dawn", "firefox"] : Object.keys(ADAPTERS);
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

/** A row for each place, a column for each adapter. */
async function studyAll(names: readonly string[], minutes: number): Promise<number> {
  const all: Studied[][] = [];
  for (const name of names) all.push(await ADAPTERS[name]!.mutation(minutes));
  console.log(`| kernel | taken out | ${names.join(" | ")} |`);
  console.log(`| --- | --- |${" --- |".repeat(names.length)}`);
  const words = ({ noticedBy }: Studied) =>
    noticedBy === undefined ? "no time" : (noticedBy ?? "UNNOTICED");
  all[0]!.forEach(({ kernel, site }, i) => {
    const cells = all.map((one) => words(one[i]!)).join(" | ");
    console.log(`| ${kernel} | \`${site.replaceAll("|", "\\|")}\` | ${cells} |`);
  });
  return 0;
}
