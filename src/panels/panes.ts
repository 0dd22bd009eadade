/** The panes of the lens: each shows one panel, or a few related ones. */
import { paneNames, panelsIn } from "../store/lens.ts";
import { manifests } from "./manifests.ts";

interface Pane {
  id: string;
  title: string;
  /** Ids of its panels, in order. */
  panels: readonly string[];
}

/** Each has the title of its first panel, whose own is not shown. */
export const panes: readonly Pane[] = paneNames(manifests).map((id) => {
  const panels = panelsIn(manifests, id);
  return { id, title: manifests.find((panel) => panel.id === panels[0])!.title, panels };
});

export function paneTitle(id: string): string {
  return panes.find((pane) => pane.id === id)?.title ?? id;
}
