/** The lens's built-in layouts, one for each task; the first is the initial one. */
import { tabGroup, mapGroups, readDock, type Dock } from "./dock.ts";

/** By name, as dock texts; unknown panes are left out. */
export const layouts = {
  why: "r(24-story~76-c(29-r(36-curves~64-group.episodes)~33-ribbon~27-credits~11-formula))",
  words: "c(56-tokens~44-credits)",
  health: "r(54-health~46-c(57-curves~43-byTurn))",
  critic: "r(52-critic~48-c(58-ribbon~42-byTurn))",
  compare: "r(56-c(58-curves~42-credits)~44-c(57-gradient~43-byTurn))",
  logs: "r(30-c(18-run~46-story~36-group.episodes)~42-c(64-ribbon~36-tokens)~28-c(52-curves~48-credits))",
} as const;

export type LayoutName = keyof typeof layouts;

/** What a layout's panels show, if it is not what they show first. */
export const layoutSettings: Partial<Record<LayoutName, Readonly<Record<string, string>>>> = {
  words: { "credits:grain": "token" },
};

export const layoutNames = Object.keys(layouts) as LayoutName[];

export const START_LAYOUT: LayoutName = "why";

export function isLayoutName(text: string): text is LayoutName {
  return Object.hasOwn(layouts, text);
}

/** A layout with its known panes; if none is known, all panes as tabs. */
export function namedLayout(name: LayoutName, panes: readonly string[]): Dock {
  const named = readDock(layouts[name], [...panes, ...namesIn(layouts[name])]);
  const there = mapGroups(named, (group) => ({
    ...group,
    panes: group.panes.filter((pane) => panes.includes(pane)),
  }));
  return there ?? tabGroup(panes);
}

function namesIn(text: string): string[] {
  return text.match(/[a-zA-Z]{2,}/g) ?? [];
}
