/** How the lens is arranged: which panels are open, whether one is shown alone, and how they are set. */
import type { Extras, PanelSettings, LinkPlace } from "../spec/linkExtras.ts";
import { show } from "../spec/inputError.ts";
import type { SettingTable } from "./lensCodecs.ts";
import type { SliceStore } from "./sliceStore.ts";

/** What the store knows of a panel. Panels stand on a higher floor and say it themselves, each in its folder. */
export interface PanelFacts {
  id: string;
  /** Whether it is open when the lens is first seen. */
  openAtFirst: boolean;
  /** What one can choose in it, as links carry it. */
  settings: SettingTable;
}

export interface Lens {
  /** All panels, in the order in which they stand. */
  table: readonly PanelFacts[];
  /** Only those that are not as at first. */
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
  return { table, panels: {}, alone: null, settings: {} };
}

export function isOpen({ table, panels }: Lens, id: string): boolean {
  return panels[id] ?? isOpenAtFirst(table, id);
}

function isOpenAtFirst(table: Lens["table"], id: string): boolean {
  return table.find((panel) => panel.id === id)?.openAtFirst === true;
}

export function withPanel(lens: Lens, id: string, open: boolean): Lens {
  if (open === isOpen(lens, id)) return lens;
  const { [id]: _old, ...others } = lens.panels;
  return {
    ...lens,
    panels: open === isOpenAtFirst(lens.table, id) ? others : { ...others, [id]: open },
  };
}

/** What was shown alone stays open among the others. */
export function withAlone(lens: Lens, alone: string | null): Lens {
  const left = lens.alone === null ? lens : withPanel(lens, lens.alone, true);
  return { ...left, alone };
}

export function setLens(store: SliceStore<LensSlice>, change: (lens: Lens) => Lens): void {
  store.setState(({ lens }) => ({ lens: change(lens) }));
}

export function isPanel({ table }: Pick<Lens, "table">, id: string): boolean {
  return table.some((panel) => panel.id === id);
}

/** The arrangement as a link has it. */
export function writeArrangement({
  table,
  panels,
  alone,
}: Lens): Pick<LinkPlace, "open" | "alone"> {
  const changed = table.map(({ id }) => id).filter((id) => panels[id] !== undefined);
  const open = changed.map((id) => (panels[id] ? id : `-${id}`)).join(",");
  return { ...(open !== "" && { open }), ...(alone !== null && { alone }) };
}

/** The other way; a name that is no panel's is left out, with a sentence. */
export function readArrangement(
  table: Lens["table"],
  { open, alone }: Pick<Extras, "open" | "alone">,
  warnings: string[],
): Lens {
  let lens = startLens(table);
  const known = (id: string) => {
    if (isPanel(lens, id)) return true;
    const ids = table.map((panel) => panel.id).join(", ");
    warnings.push(`${show(id)} is not a panel of the lens; there are ${ids}.`);
    return false;
  };
  for (const name of open?.split(",") ?? []) {
    const id = name.replace(/^-/, "");
    if (known(id)) lens = withPanel(lens, id, id === name);
  }
  return { ...lens, alone: alone !== null && known(alone) ? alone : null };
}
