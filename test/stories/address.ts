/** The address of the stories page: ?story=NAME&panel=ID&theme=dark&width=390, where only the story is needed. */
import { lensPanels } from "../../src/panels/panelTable.ts";
import { stories, type StoryName } from "./recordings.ts";

export const THEMES = ["light", "dark"] as const;
/** CSS pixels: a phone, a projector of 1024 by 768, and a window. */
export const WIDTHS = [390, 1024, 1280] as const;

export interface Address {
  story: StoryName;
  /** Null: all of them. */
  panel: string | null;
  /** Null: as the system says. */
  theme: (typeof THEMES)[number] | null;
  /** Null: as wide as the window is. */
  width: number | null;
}

const names = Object.keys(stories) as StoryName[];

/** What it says that does not exist counts as not said. */
export function readAddress(search: string): Address {
  const said = new URLSearchParams(search);
  const width = Number(said.get("width"));
  return {
    story: names.find((name) => name === said.get("story")) ?? names[0]!,
    panel: lensPanels.find(({ id }) => id === said.get("panel"))?.id ?? null,
    theme: THEMES.find((theme) => theme === said.get("theme")) ?? null,
    width: Number.isInteger(width) && width > 0 ? width : null,
  };
}

export function writeAddress({ story, panel, theme, width }: Address): string {
  const said = Object.entries({ story, panel, theme, width }).filter(([, value]) => value !== null);
  return `?${new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString()}`;
}
