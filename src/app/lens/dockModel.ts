/** Converts the dock to the model of react-resizable-panels' workspace, and back. */
import type {
  SplitNode,
  TabsetNode,
  WorkspaceModel,
  WorkspaceModelInput,
  WorkspaceNode,
  WorkspaceNodeInput,
} from "react-resizable-panels";
import { paneTitle } from "../../panels/panes.ts";
import { tabGroup, splitOf, type Dock } from "../../store/dock.ts";

const groupId = (path: string) => `group${path}`;

/** `alone`: the pane that covers all others; null for none. */
export function toModel(dock: Dock, alone: string | null): WorkspaceModelInput<null> {
  const covering = alone === null ? null : pathOf(dock, alone, "");
  return {
    version: 1,
    root: toNode(dock, ""),
    ...(covering !== null && { maximizedTabsetId: groupId(covering) }),
  };
}

function toNode(dock: Dock, path: string): WorkspaceNodeInput<null> {
  if (dock.kind === "group")
    return {
      type: "tabset",
      id: groupId(path),
      selectedId: dock.panes[dock.front],
      tabs: dock.panes.map((pane) => ({ id: pane, title: paneTitle(pane), data: null })),
    };
  return {
    type: "split",
    id: `split${path}`,
    orientation: dock.kind === "row" ? "horizontal" : "vertical",
    children: dock.parts.map((part, i) => ({
      ...toNode(part.dock, `${path}-${i}`),
      size: part.share,
    })),
  };
}

function pathOf(dock: Dock, pane: string, path: string): string | null {
  if (dock.kind === "group") return dock.panes.includes(pane) ? path : null;
  for (const [i, part] of dock.parts.entries()) {
    const found = pathOf(part.dock, pane, `${path}-${i}`);
    if (found !== null) return found;
  }
  return null;
}

/** Null if no pane is left. */
export function fromModel({ root }: WorkspaceModel<null>): Dock | null {
  return fromNode(root);
}

function fromNode(node: WorkspaceNode<null>): Dock | null {
  return node.type === "tabset" ? fromTabset(node) : fromSplit(node);
}

function fromTabset({ tabs, selectedId }: TabsetNode<null>): Dock | null {
  if (tabs.length === 0) return null;
  const panes = tabs.map(({ id }) => id);
  return tabGroup(panes, Math.max(0, panes.indexOf(selectedId ?? "")));
}

function fromSplit({ orientation, children }: SplitNode<null>): Dock | null {
  const sizes = children.map(({ size }) => percentOf(size));
  const given = sizes.flatMap((size) => size ?? []);
  const rest = Math.max(0, 100 - given.reduce((sum, size) => sum + size, 0));
  // Parts without a size share the rest equally.
  const even = rest / Math.max(1, children.length - given.length);
  const parts = children.flatMap((child, i) => {
    const dock = fromNode(child);
    return dock ? [{ share: sizes[i] ?? even, dock }] : [];
  });
  return splitOf(orientation === "horizontal" ? "row" : "column", parts);
}

function percentOf(size: number | string | undefined): number | null {
  return typeof size === "number" ? size : null;
}
