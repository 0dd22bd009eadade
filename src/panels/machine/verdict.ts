/** A summary of the machine's report, in two sentences without jargon. */
import type { MachineReport } from "../../runtime/machineReport.ts";
import { listPresets, presetSpec } from "../../spec/presets.ts";
import { formatDuration } from "../../numeric/format.ts";
import { words } from "./words.ts";

/** The engine that runs will use, and why; null while unknown. */
export function verdictOf({ choice, gpu, engines, state }: MachineReport): string | null {
  if (!choice) return state === "examining" ? null : words.nothing;
  if (choice.backend === "webgpu") return words.verdict.gpu(gpu?.adapter ?? "");
  const on = words.verdict.runs[choice.backend] ?? choice.backend;
  if (!gpu?.adapter || gpu.software) return words.verdict.noGpu(on);
  const wrong = engines.some(
    ({ backend, state: was }) => backend === "webgpu" && was === "refused",
  );
  return wrong ? words.verdict.wrongGpu(on) : words.verdict.unusedGpu(on);
}

/** Presets whose times are mentioned. */
const NAMED = ["nano", "sokoban-class", "webshop-class"];

/** How long runs take here, once measured. */
export function timesOf({ expectations }: Pick<MachineReport, "expectations">): string | null {
  const titles = new Map(listPresets().map(({ name, title }) => [name, title]));
  const named = expectations.filter(({ preset }) => NAMED.includes(preset));
  if (named.length === 0) return null;
  const each = named.map(({ preset, seconds, methods }) => {
    const total = seconds * methods * presetSpec(preset).optimisation.iterations;
    return `“${titles.get(preset)}” up to ${formatDuration(total)}`;
  });
  return `${words.verdict.takes} ${each.join(", ")}.`;
}
