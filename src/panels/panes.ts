/** The panes of the lens: each shows one panel, or a few related ones. */
import { paneNames, panelsIn } from "../store/lens.ts";
import { manifests } from "./manifests.ts";

interface Pane {
  id: string;
  title: string;
  /** Ids of its panels, in order. */
  panels: readonly string[];
}

/** For panes with several panels; others have their panel's title. */
const titles: Readonly<Record<string, string>> = {
  ribbon: "Ribbon",
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
