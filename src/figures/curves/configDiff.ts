/** In which settings runs differ: only those, by their paths in the experiment. */
import { saysWhere } from "../../spec/experiment.ts";
import type { NamedRun } from "../../store/runs.ts";

export interface ConfigDifference {
  /** As in links: parts joined by dots. */
  path: string;
  /** One for each run; undefined if the run does not have it. */
  values: (string | undefined)[];
}

/** As much of a run as is needed here. */
type WithSpec = Pick<NamedRun, "spec">;

/** Settings that have their own columns in the table. */
const SHOWN_APART = ["seed"];

/** A setting that a run omits counts as a difference only if the run lists all of its settings. */
export function configDiff(runs: readonly WithSpec[]): ConfigDifference[] {
  const flat = runs.map(saidBy);
  const paths = [...new Set(flat.flatMap((settings) => [...settings.keys()]))];
  return paths
    .filter((path) => !SHOWN_APART.includes(path))
    .map((path) => ({ path, values: flat.map((settings) => settings.get(path)) }))
    .filter(({ values }) => {
      const said = values.filter((value, i) => value !== undefined || saysAll(runs[i]!));
      return new Set(said).size > 1;
    });
}

/** A file of another program says none of its settings, or only those of its method. */
export function saysAll({ spec }: WithSpec): boolean {
  return saysWhere(spec);
}

function saidBy(run: WithSpec): Map<string, string> {
  return flatten(saysAll(run) ? run.spec : { algorithms: run.spec?.algorithms });
}

function flatten(value: unknown, path = "", into = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) into.set(path, value.map(shortText).join(", "));
  else if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value))
      flatten(inner, path === "" ? name : `${path}.${name}`, into);
  else if (path !== "" && value !== undefined) into.set(path, String(value));
  return into;
}

/** An algorithm by its name and what is set for it. */
function shortText(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  const { name, set, ...rest } = item as Record<string, unknown>;
  const settings = { ...(typeof set === "object" ? set : {}), ...rest };
  const pairs = Object.entries(settings).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return [name ?? "", ...pairs].join(" ").trim();
}
