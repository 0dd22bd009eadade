/** The report as plain text, for a bug report. */
import {
  engineTitle,
  trainRate,
  type EngineFacts,
  type MachineReport,
} from "../../runtime/machineReport.ts";
import { timeFormula } from "./formula.ts";
import {
  bytesWords,
  deviationWords,
  ITEMS,
  msWords,
  rateWords,
  secondsWords,
  STATES,
} from "./words.ts";

export function machineText(report: MachineReport): string {
  const lines = [
    "Turnbook: this machine",
    ...computer(report),
    "",
    ...report.engines.flatMap(engineLines),
    `automatic takes: ${report.choice ? engineTitle(report.choice) : "nothing"}. ${report.choice?.fallback ?? ""}`,
    "",
    ...report.timings.map(
      (t) =>
        `${engineTitle(t)}, ${t.model}: step of ${t.tokens} tokens ${msWords(t.stepMs)} (${rateWords(trainRate(t))}), sampling ${t.rows} rows ${rateWords(t.decodeRate)}, ${bytesWords(t.bytes)}`,
    ),
    ...report.unmeasured.map((line) => `not measured: ${line}`),
    ...report.expectations.map(
      (e) =>
        `${e.preset}: at most ${secondsWords(e.seconds)} per iteration and method (${timeFormula(e, report)})`,
    ),
  ];
  return `${lines.join("\n").trim().replaceAll("\u00a0", " ")}\n`;
}

function computer({ host, gpu }: MachineReport): string[] {
  const limits = (gpu?.limits ?? []).map(({ name, value }) => `${name} ${value}`);
  return [
    `browser: ${host.browser} (${host.userAgent})`,
    `cores: ${host.cores ?? "?"}, memory: ${host.memoryGiB ?? "?"} GiB`,
    `adapter: ${gpu?.adapter ?? gpu?.why ?? "?"}`,
    `features: ${gpu?.features.join(", ") || "none"}`,
    `limits: ${limits.join(", ") || "none"}`,
  ];
}

function engineLines(facts: EngineFacts): string[] {
  const { state, why, check, adapter } = facts;
  const place = adapter === null ? "" : ` (${adapter})`;
  const head = `${engineTitle(facts)}${place}: ${STATES[state].text}${why === null ? "" : `: ${why}`}`;
  const items = (check?.items ?? []).map(
    ({ name, deviation, allowed, passed, where }) =>
      `  ${passed ? "ok " : "BAD"} ${ITEMS[name]}: ${deviationWords(deviation)} of ${deviationWords(allowed)}${where === "" ? "" : ` (${where})`}`,
  );
  const cost = check ? [`  checked in ${msWords(check.milliseconds)}`] : [];
  return [head, ...cost, ...items];
}
