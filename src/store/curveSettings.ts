/** The view of the lens's curves in links: one setting per field. */
import { RUN_METRIC } from "../spec/linkCurves.ts";
import type { PanelSettings } from "../spec/linkExtras.ts";
import { START_VIEW, type CurvesView } from "./curvesView.ts";
import {
  nameOrNone,
  names,
  numberFrom,
  onOff,
  oneOf,
  spelled,
  stretch,
  type Setting,
} from "./lensCodecs.ts";
import { textOf } from "./lensSettings.ts";

/** A method of a run, which may come from elsewhere; runs themselves are not in links. */
const aMethod = {
  allows: (name: string) => /^(?!run\d+$)[\w.-]{1,60}$/.test(name),
  allowed: "names of methods",
};

/** `train|actor/entropy` is `train:actor/entropy` in a link. */
const aMetric = {
  allows: (name: string) => /^[a-z]+$/.test(name) || RUN_METRIC.test(name.replace("|", ":")),
  allowed: "names of charts",
};

/** Stored in separate state. */
export const curveTable = {
  axis: oneOf(["iteration", "turns", "tokens", "time"], START_VIEW.axis),
  domain: stretch(),
  brush: stretch(),
  smoothing: numberFrom(0, 0.99, START_VIEW.smoothing),
  log: onOff(START_VIEW.log),
  trim: onOff(START_VIEW.trim),
  seeds: oneOf(["each", "mean", "iqm"], START_VIEW.seeds),
  interval: oneOf(["t", "bootstrap", "none"], START_VIEW.interval),
  baseline: spelled(
    nameOrNone({ ...aMethod, allowed: "the name of a method" }),
    // Only the method of a line's id is meaningful elsewhere: the method of the run shown.
    (id) => id && id.slice(id.lastIndexOf("|") + 1),
    (name) => name,
  ),
  hidden: names(aMethod),
  metrics: spelled(
    names(aMetric, START_VIEW.metrics),
    (ids) => ids.map((id) => id.replace("|", ":")),
    (ids) => ids.map((id) => id.replace(":", "|")),
  ),
  lead: spelled(
    nameOrNone({ ...aMetric, allowed: "the name of a chart" }),
    (id) => id && id.replace("|", ":"),
    (id) => id && id.replace(":", "|"),
  ),
} satisfies { [K in keyof CurvesView]?: Setting<CurvesView[K]> };

/** The parts of the curves' state that differ from the default, as settings. */
export function curveSettings(view: CurvesView): PanelSettings {
  const keys = Object.keys(curveTable) as (keyof typeof curveTable)[];
  return Object.assign(
    {},
    ...keys.map((key) => textOf(`curves:${key}`, curveTable[key] as Setting<unknown>, view[key])),
  );
}
