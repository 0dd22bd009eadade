/** How the lens is arranged: which panels are open, whether one is shown alone, and how they are set. */
import type { Extras, PanelSettings, LinkPlace } from "../spec/linkExtras.ts";
import { show } from "../spec/inputError.ts";
import type { SliceStore } from "./sliceStore.ts";

/** The panels in the order in which they stand, and whether each is open when the lens is first seen. */
export const OPEN_AT_FIRST = {
  ...{ curves: true, ribbon: false, episodes: false, turns: true, credits: false },
  ...{ formula: false, group: false, tokens: false, clip: false, critic: false },
  ...{ fork: false, playground: false },
  ...{ doctor: false, speed: false, gradient: false },
} as const;

export type PanelId = keyof typeof OPEN_AT_FIRST;
export const panelIds = Object.keys(OPEN_AT_FIRST) as PanelId[];

export interface Lens {
  /** Only those that are not as at first. */
  panels: Readonly<Partial<Record<PanelId, boolean>>>;
  /** The one panel that is shown, without the rest of the page. */
  alone: PanelId | null;
  /** Only those that are not as at first. */
  settings: PanelSettings;
}

export interface LensSlice {
  lens: Lens;
}

export const START_LENS: Lens = { panels: {}, alone: null, settings: {} };

export function isOpen({ panels }: Lens, id: PanelId): boolean {
  return panels[id] ?? OPEN_AT_FIRST[id];
}

export function withPanel(lens: Lens, id: PanelId, open: boolean): Lens {
  if (open === isOpen(lens, id)) return lens;
  const { [id]: _old, ...others } = lens.panels;
  return { ...lens, panels: open === OPEN_AT_FIRST[id] ? others : { ...others, [id]: open } };
}

/** What was shown alone stays open among the others. */
export function withAlone(lens: Lens, alone: PanelId | null): Lens {
  const left = lens.alone === null ? lens : withPanel(lens, lens.alone, true);
  return { ...left, alone };
}

export function setLens(store: SliceStore<LensSlice>, change: (lens: Lens) => Lens): void {
  store.setState(({ lens }) => ({ lens: change(lens) }));
}

export function isPanelId(text: string): text is PanelId {
  return Object.hasOwn(OPEN_AT_FIRST, text);
}

/** The arrangement as a link has it. */
export function writeArrangement({ panels, alone }: Lens): Pick<LinkPlace, "open" | "alone"> {
  const changed = panelIds.filter((id) => panels[id] !== undefined);
  const open = changed.map((id) => (panels[id] ? id : `-${id}`)).join(",");
  return { ...(open !== "" && { open }), ...(alone !== null && { alone }) };
}

/** The other way; a name that is no panel's is left out, with a sentence. */
export function readArrangement(
  { open, alone }: Pick<Extras, "open" | "alone">,
  warnings: string[],
): Pick<Lens, "panels" | "alone"> {
  const known = (id: string): id is PanelId => {
    if (isPanelId(id)) return true;
    warnings.push(`${show(id)} is not a panel of the lens; there are ${panelIds.join(", ")}.`);
    return false;
  };
  let lens = START_LENS;
  for (const name of open?.split(",") ?? []) {
    const id = name.replace(/^-/, "");
    if (known(id)) lens = withPanel(lens, id, id === name);
  }
  return { panels: lens.panels, alone: alone !== null && known(alone) ? alone : null };
}
