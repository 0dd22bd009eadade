/** How the lens's curves are looked at, as links carry it: a setting for each field that one does. */
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

/** A method of a run, which may come from elsewhere; runs themselves are in no link. */
const aMethod = {
  allows: (name: string) => /^(?!run\d+$)[\w.-]{1,60}$/.test(name),
  allowed: "names of methods",
};

/** `train|actor/entropy` is `train:actor/entropy` in a link. */
const aMetric = {
  allows: (name: string) => /^[a-z]+$/.test(name) || RUN_METRIC.test(name.replace("|", ":")),
  allowed: "names of charts",
};

/** Kept in a state of their own. */
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
    // Of a line's id only its method means something elsewhere: that of the run that is shown.
    (id) => id && id.slice(id.lastIndexOf("|") + 1),
    (name) => name,
  ),
  hidden: names(aMethod),
  metrics: spelled(
    names(aMetric, START_VIEW.metrics),
    (ids) => ids.map((id) => id.replace("|", ":")),
    (ids) => ids.map((id) => id.replace(":", "|")),
  ),
} satisfies { [K in keyof CurvesView]?: Setting<CurvesView[K]> };

/** What of the curves' state is not as at first, as settings. */
export function curveSettings(view: CurvesView): PanelSettings {
  const keys = Object.keys(curveTable) as (keyof typeof curveTable)[];
  return Object.assign(
    {},
    ...keys.map((key) => textOf(`curves:${key}`, curveTable[key] as Setting<unknown>, view[key])),
  );
}
