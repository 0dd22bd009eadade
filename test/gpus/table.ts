/** The study of mutants as a table. */
import { placeWords, type Place } from "./mutation.ts";
import { recordsOf } from "./records.ts";
import { whyUnnoticed } from "./unnoticed.ts";

/** How many places of each kernel some adapter notices. */
export function summary(adapters: readonly string[], places: readonly Place[]): string {
  const records = adapters.flatMap(recordsOf).filter(({ noticedBy }) => noticedBy !== null);
  const noticed = new Set(records.map(placeWords));
  const counts = new Map<string, [noticed: number, all: number]>();
  for (const place of places) {
    const name = place.kernel.replace(/^(matmul) ../, "$1");
    const [some, all] = counts.get(name) ?? [0, 0];
    counts.set(name, [some + Number(noticed.has(placeWords(place))), all + 1]);
  }
  return [...counts].map(([name, [some, all]]) => `${name} ${some} of ${all}`).join(", ");
}

/** A row for each place, a column for each adapter, and why none notices where none does. */
export function mutationTable(adapters: readonly string[], places: readonly Place[]): string {
  const columns = adapters.map((name) => {
    const found = recordsOf(name).map((one) => [placeWords(one), one.noticedBy] as const);
    return new Map(found);
  });
  const words = (noticedBy: string | null | undefined) =>
    noticedBy === undefined ? "not studied" : (noticedBy ?? "-");
  const rows = places.map((place) => {
    const at = placeWords(place);
    const found = columns.map((column) => column.get(at));
    const why = found.some(Boolean) ? "" : (whyUnnoticed(at) ?? "UNNOTICED");
    const cells = [...found.map(words), why].join(" | ");
    return `| ${place.kernel} | \`${place.site.replaceAll("|", "\\|")}\` | ${cells} |`;
  });
  const head = `| kernel | taken out | ${adapters.join(" | ")} | why none notices |`;
  return [head, `| --- | --- |${" --- |".repeat(adapters.length + 1)}`, ...rows].join("\n");
}
