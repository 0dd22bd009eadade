/** How the lens is arranged: where panes stand, what is unfolded in them, what is shown alone, and how panels are set. */
import type { Extras, PanelSettings, LinkPlace } from "../spec/linkExtras.ts";
import { show } from "../spec/inputError.ts";
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
  layoutNames,
  namedLayout,
  START_LAYOUT,
  type LayoutName,
} from "./layouts.ts";
import type { SettingTable } from "./lensCodecs.ts";
import type { SliceStore } from "./sliceStore.ts";

/** What the store knows of a panel. Panels stand on a higher floor and say it themselves, each in its folder. */
export interface PanelFacts {
  id: string;
  /** The pane in which it stands, perhaps with others. */
  pane: string;
  /** Whether it is unfolded when the lens is first seen; the first of a pane always is. */
  openAtFirst: boolean;
  /** What one can choose in it, as links carry it. */
  settings: SettingTable;
}

export interface Lens {
  /** All panels, in the order in which they stand. */
  table: readonly PanelFacts[];
  /** Where the panes stand. */
  dock: Dock;
  /** The pane that was last asked for: where there is room for one only, it is that one. */
  asked: string | null;
  /** Which panels are unfolded in their panes: only those that are not as at first. */
  panels: Readonly<Record<string, boolean>>;
  /** The one panel that is shown, without the rest of the page. */
  alone: string | null;
  /** Only those that are not as at first. */
  settings: PanelSettings;
}

export interface LensSlice {
  lens: Lens;
}

/** As it is first seen. */
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

/** Whether a panel's pane is there, and the panel unfolded in it. */
export function isOpen({ table, dock, panels }: Lens, id: string): boolean {
  const pane = paneOf(table, id);
  return pane !== null && panesOf(dock).includes(pane) && isUnfolded({ table, panels }, id);
}

/** Whether a panel can be seen: unfolded in a pane that is in front. What is no panel counts as seen. */
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

/** A panel unfolded or folded in its pane; the first one stays as it is. */
export function withFold(lens: Lens, id: string, open: boolean): Lens {
  if (panelsIn(lens.table, paneOf(lens.table, id) ?? "")[0] === id) return lens;
  if (open === isUnfolded(lens, id)) return lens;
  const { [id]: _old, ...others } = lens.panels;
  const { openAtFirst } = lens.table.find((panel) => panel.id === id)!;
  return { ...lens, panels: open === openAtFirst ? others : { ...others, [id]: open } };
}

/** Opens a panel: its pane comes to the front. Or folds it; the first of a pane closes that. */
export function withPanel(lens: Lens, id: string, open: boolean): Lens {
  const pane = paneOf(lens.table, id);
  if (pane === null) return lens;
  if (open) return withPaneOpen(withFold(lens, id, true), pane);
  const isFirst = panelsIn(lens.table, pane)[0] === id;
  return isFirst ? withPaneClosed(lens, pane) : withFold(lens, id, false);
}

/** A pane in front of its group. */
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
  return { ...lens, dock: namedLayout(name, paneNames(lens.table)), asked: null };
}

/** The layout that the panes stand in now; null for one of the reader's own. */
export function layoutNow({ table, dock }: Lens): LayoutName | null {
  const text = writeDock(dock);
  const panes = paneNames(table);
  return layoutNames.find((name) => writeDock(namedLayout(name, panes)) === text) ?? null;
}

/** What is shown alone stays open among the others. */
export function withAlone(lens: Lens, alone: string | null): Lens {
  return alone === null ? { ...lens, alone } : { ...withPanel(lens, alone, true), alone };
}

export function setLens(store: SliceStore<LensSlice>, change: (lens: Lens) => Lens): void {
  store.setState(({ lens }) => ({ lens: change(lens) }));
}

export function isPanel({ table }: Pick<Lens, "table">, id: string): boolean {
  return table.some((panel) => panel.id === id);
}

/** The arrangement as a link has it. */
export function writeArrangement(lens: Lens): Pick<LinkPlace, "layout" | "open" | "alone"> {
  const { table, panels, alone } = lens;
  const changed = table.map(({ id }) => id).filter((id) => panels[id] !== undefined);
  const open = changed.map((id) => (panels[id] ? id : `-${id}`)).join(",");
  const name = layoutNow(lens);
  // A link that only opens panels is an old one, and brings them to the front.
  const isSaid = name !== START_LAYOUT || open !== "";
  return {
    ...(isSaid && { layout: name ?? dockText(lens.dock) }),
    ...(open !== "" && { open }),
    ...(alone !== null && { alone }),
  };
}

/** A pane alone may have a layout's name; the star sets it apart from the layout. */
function dockText(dock: Dock): string {
  const text = writeDock(dock);
  return isLayoutName(text) ? `*${text}` : text;
}

type ArrangementText = Pick<Extras, "layout" | "open" | "alone">;

/** The other way; a name that is no panel's is left out, with a sentence. */
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

/** The name of a layout, or the text of one; null with a sentence where it cannot be used. */
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
