/** The panes of the lens: each shows one panel, or a few that belong together. */
import { paneNames, panelsIn } from "../store/lens.ts";
import { manifests } from "./manifests.ts";

interface Pane {
  id: string;
  title: string;
  /** Ids of its panels, in their order. */
  panels: readonly string[];
}

/** Of panes that have several panels; another is called what its panel is. */
const titles: Readonly<Record<string, string>> = {
  ribbon: "Ribbon",
  episodes: "Episodes",
  health: "Health",
  curves: "Curves",
  try: "Try",
};

export const panes: readonly Pane[] = paneNames(manifests).map((id) => ({
  id,
  title: titles[id] ?? manifests.find((panel) => panel.id === id)!.title,
  panels: panelsIn(manifests, id),
}));

export function paneTitle(id: string): string {
  return panes.find((pane) => pane.id === id)?.title ?? id;
}
