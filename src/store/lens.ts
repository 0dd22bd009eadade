/** The lens's arrangement: its panes, the panels unfolded in them, the panel shown alone, and the panels' settings. */
import type { Extras, PanelSettings, LinkPlace } from "../spec/linkExtras.ts";
import { show } from "../numeric/inputError.ts";
import {
  DockError,
  isInFront,
  panesOf,
  readDock,
  withoutPane,
  withPane,
  writeDock,
  type Dock,
} from "./dock.ts";
import {
  isLayoutName,
  layoutSettings,
  layoutNames,
  namedLayout,
  START_LAYOUT,
  type LayoutName,
} from "./layouts.ts";
import type { SettingTable } from "./lensCodecs.ts";
import type { SliceStore } from "./sliceStore.ts";

/** What the store knows about a panel. Panels are on a higher floor and provide it in their folders. */
export interface PanelFacts {
  id: string;
  /** The pane that contains it, possibly with others. */
  pane: string;
  /** Whether it is unfolded initially; the first of a pane always is. */
  openAtFirst: boolean;
  /** Its settings, as links carry them. */
  settings: SettingTable;
}

export interface Lens {
  /** All panels, in order. */
  table: readonly PanelFacts[];
  /** The arrangement of the panes. */
  dock: Dock;
  /** The pane requested last: if there is space for only one, this one is shown. */
  asked: string | null;
  /** Which panels are unfolded in their panes: only those that differ from the default. */
  panels: Readonly<Record<string, boolean>>;
  /** The one panel that is shown, without the rest of the page. */
  alone: string | null;
  /** Only those that differ from the default. */
  settings: PanelSettings;
}

export interface LensSlice {
  lens: Lens;
}

/** The default arrangement. */
export function startLens(table: readonly PanelFacts[]): Lens {
  const dock = namedLayout(START_LAYOUT, paneNames(table));
  return { table, dock, asked: null, panels: {}, alone: null, settings: {} };
}

/** All panes, in the order of their first panels. */
export function paneNames(table: Lens["table"]): string[] {
  return [...new Set(table.map(({ pane }) => pane))];
}

/** The panels of a pane. */
export function panelsIn(table: Lens["table"], pane: string): string[] {
  return table.filter((panel) => panel.pane === pane).map(({ id }) => id);
}

function paneOf(table: Lens["table"], id: string): string | null {
  return table.find((panel) => panel.id === id)?.pane ?? null;
}

/** Whether a panel's pane is present, and the panel unfolded in it. */
export function isOpen({ table, dock, panels }: Lens, id: string): boolean {
  const pane = paneOf(table, id);
  return pane !== null && panesOf(dock).includes(pane) && isUnfolded({ table, panels }, id);
}

/** Whether a panel is visible: unfolded in an active pane. Anything that is not a panel counts as visible. */
export function isShown(lens: Lens, id: string): boolean {
  const pane = paneOf(lens.table, id);
  return pane === null || (isInFront(lens.dock, pane) && isUnfolded(lens, id));
}

export function isUnfolded({ table, panels }: Pick<Lens, "table" | "panels">, id: string): boolean {
  const panel = table.find((one) => one.id === id);
  if (!panel) return false;
  if (panelsIn(table, panel.pane)[0] === id) return true;
  return panels[id] ?? panel.openAtFirst;
}

/** Unfolds or folds a panel in its pane; the first one does not change. */
export function withFold(lens: Lens, id: string, open: boolean): Lens {
  if (panelsIn(lens.table, paneOf(lens.table, id) ?? "")[0] === id) return lens;
  if (open === isUnfolded(lens, id)) return lens;
  const { [id]: _old, ...others } = lens.panels;
  const { openAtFirst } = lens.table.find((panel) => panel.id === id)!;
  return { ...lens, panels: open === openAtFirst ? others : { ...others, [id]: open } };
}

/** Opens a panel and activates its pane, or folds it; for the first of a pane, closes the pane. */
export function withPanel(lens: Lens, id: string, open: boolean): Lens {
  const pane = paneOf(lens.table, id);
  if (pane === null) return lens;
  if (open) return withPaneOpen(withFold(lens, id, true), pane);
  const isFirst = panelsIn(lens.table, pane)[0] === id;
  return isFirst ? withPaneClosed(lens, pane) : withFold(lens, id, false);
}

/** With a pane as the active tab of its group. */
function withPaneOpen(lens: Lens, pane: string): Lens {
  return { ...lens, dock: withPane(lens.dock, pane), asked: pane };
}

export function withPaneClosed(lens: Lens, pane: string): Lens {
  const asked = lens.asked === pane ? null : lens.asked;
  return { ...lens, dock: withoutPane(lens.dock, pane), asked };
}

/** Another arrangement of the panes. */
export function withDock(lens: Lens, dock: Dock): Lens {
  return writeDock(dock) === writeDock(lens.dock) ? lens : { ...lens, dock };
}

export function withLayout(lens: Lens, name: LayoutName): Lens {
  const settings = { ...lens.settings, ...layoutSettings[name] };
  return { ...lens, settings, dock: namedLayout(name, paneNames(lens.table)), asked: null };
}

/** The current layout of the panes; null for a custom one. */
export function layoutNow({ table, dock }: Lens): LayoutName | null {
  const text = writeDock(dock);
  const panes = paneNames(table);
  return layoutNames.find((name) => writeDock(namedLayout(name, panes)) === text) ?? null;
}

/** The panel shown alone stays open among the others. */
export function withAlone(lens: Lens, alone: string | null): Lens {
  return alone === null ? { ...lens, alone } : { ...withPanel(lens, alone, true), alone };
}

export function setLens(store: SliceStore<LensSlice>, change: (lens: Lens) => Lens): void {
  store.setState(({ lens }) => ({ lens: change(lens) }));
}

export function isPanel({ table }: Pick<Lens, "table">, id: string): boolean {
  return table.some((panel) => panel.id === id);
}

/** The arrangement as written in a link. */
export function writeArrangement(lens: Lens): Pick<LinkPlace, "layout" | "open" | "alone"> {
  const { table, panels, alone } = lens;
  const changed = table.map(({ id }) => id).filter((id) => panels[id] !== undefined);
  const open = changed.map((id) => (panels[id] ? id : `-${id}`)).join(",");
  const name = layoutNow(lens);
  // A link that only opens panels is an old one, and activates their panes.
  const isSaid = name !== START_LAYOUT || open !== "";
  return {
    ...(isSaid && { layout: name ?? dockText(lens.dock) }),
    ...(open !== "" && { open }),
    ...(alone !== null && { alone }),
  };
}

/** A single pane may have the same name as a layout; the star distinguishes it. */
function dockText(dock: Dock): string {
  const text = writeDock(dock);
  return isLayoutName(text) ? `*${text}` : text;
}

type ArrangementText = Pick<Extras, "layout" | "open" | "alone">;

/** The inverse; a name that is not a panel's is left out, with a sentence. */
export function readArrangement(
  table: Lens["table"],
  { layout, open, alone }: ArrangementText,
  warnings: string[],
): Lens {
  let lens = startLens(table);
  const placed = layout === null ? null : readLayout(table, layout, warnings);
  if (placed) lens = withDock(lens, placed);
  const known = (id: string) => {
    if (isPanel(lens, id)) return true;
    const ids = table.map((panel) => panel.id).join(", ");
    warnings.push(`${show(id)} is not a panel of the lens; there are ${ids}.`);
    return false;
  };
  for (const name of open?.split(",") ?? []) {
    const id = name.replace(/^-/, "");
    if (known(id)) lens = (placed ? withFold : withPanel)(lens, id, id === name);
  }
  return alone !== null && known(alone) ? withAlone(lens, alone) : lens;
}

/** The name of a layout, or the text of one; null with a sentence if it cannot be used. */
function readLayout(table: Lens["table"], text: string, warnings: string[]): Dock | null {
  const panes = paneNames(table);
  if (isLayoutName(text)) return namedLayout(text, panes);
  try {
    return readDock(text, panes);
  } catch (error) {
    if (!(error instanceof DockError)) throw error;
    warnings.push(
      `layout is neither one of ${layoutNames.join(", ")} nor panes and their places: ${error.message}`,
    );
    return null;
  }
}
