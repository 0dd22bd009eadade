/** The panes side by side; they can be resized, moved and closed by mouse and by keyboard. */
import { startTransition, useEffect, useEffectEvent, useRef, useState } from "react";
import {
  Separator,
  useWorkspaceRef,
  Workspace as Panes,
  type TabNode,
  type TabRenderProps,
  type TabsetNode,
  type WorkspaceImperativeHandle,
  type WorkspaceModel,
  type SplitNode,
  type WorkspaceModelInput,
  type WorkspaceNode,
  type WorkspaceNodeInput,
} from "react-resizable-panels";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { InTurn, useTurn } from "../../charts/redrawQueue.ts";
import { greatest } from "../../numeric/lists.ts";
import { manifests } from "../../panels/manifests.ts";
import { writeDock, tabGroup, splitOf, type Dock } from "../../store/dock.ts";
import type { ExperimentState, ExperimentStore } from "../../store/experimentState.ts";
import { useExperiment } from "../../store/hooks.ts";
import { setLens, withDock } from "../../store/lens.ts";
import { PaneView } from "./PaneView.tsx";
import { PaneTools, type Move } from "./PaneTools.tsx";
import { selectAlone } from "./PanelSection.tsx";
import { words } from "./words.ts";
import { paneTitle } from "../../panels/panes.ts";

type WorkspaceHandle = WorkspaceImperativeHandle<null>;

/** The pane of the panel shown alone. */
const alonePane = (state: ExperimentState) => {
  const alone = selectAlone(state);
  return manifests.find(({ id }) => id === alone)?.pane ?? null;
};

const selectPlaces = (state: ExperimentState) => ({
  dock: state.lens.dock,
  alone: alonePane(state),
});

export function Workspace() {
  const { store } = useExperiment();
  const handle = useWorkspaceRef<null>();
  const { first, changed, levels, next } = useDock(store, () => handle.current);
  return (
    <>
      {levels < Infinity && <Turn key={levels} onCome={next} />}
      <Panes
        workspaceRef={handle}
        className="workspace"
        classNames={CLASSES}
        aria-label={words.panes}
        defaultModel={first}
        lazyTabContent
        // Questions asked in a pane continue; its charts are not drawn while it is hidden.
        hiddenTabBehavior="keep-mounted"
        tabRemovalSelectionBehavior="adjacent"
        tabsetMinWidth="180px"
        tabsetMinHeight="24px"
        renderSeparator={drawSeparator}
        renderTab={drawTab}
        renderTabContent={drawPane}
        renderTabsetToolbar={(tabset) => (
          <InTurn>
            <Tools tabset={tabset} handle={() => handle.current} />
          </InTurn>
        )}
        onBeforeModelChange={({ model }) => fromModel(model) !== null}
        onModelChanged={changed}
      />
    </>
  );
}

/** Waits for its turn among what is drawn for the first time. */
function Turn({ onCome }: { onCome: () => void }) {
  const hasCome = useTurn(true);
  const come = useEffectEvent(onCome);
  useEffect(() => {
    if (hasCome) come();
  }, [hasCome]);
  return null;
}

const CLASSES = {
  tabset: "pane-group",
  header: "pane-head",
  tabList: "pane-tabs",
  tab: "pane-tab",
  tabPanels: "pane-room",
  tabContent: "pane-content",
  toolbar: "pane-toolbar",
  dropIndicator: "pane-drop",
};

/**
 * Keeps the library's model and the store's dock in sync, whichever changes. At first one level of splits has its panes, and
 * each turn another: to mount all of them takes a long task.
 */
function useDock(store: ExperimentStore, handle: () => WorkspaceHandle | null) {
  const { dock, alone } = useStore(store, useShallow(selectPlaces));
  const [reached, setReached] = useState(() => reachOf(dock, 1));
  const levels = alone === null ? reached : Infinity;
  const text = `${levels} ${writeDock(dock)} ${alone}`;
  const [first] = useState(() => toModel(dock, alone, levels));
  const applied = useRef(text);
  useEffect(() => {
    if (text === applied.current) return;
    applied.current = text;
    handle()?.setModel(toModel(dock, alone, levels));
  });
  const next = () => startTransition(() => setReached(reachOf(dock, levels + 1)));
  const changed = (model: WorkspaceModel<null>) => {
    const next = levels === Infinity ? fromModel(model) : null;
    if (!next) return;
    const covered = alonePane(store.getState());
    applied.current = `${levels} ${writeDock(next)} ${covered}`;
    setLens(store, (lens) => withDock(lens, next));
  };
  return { first, changed, levels, next };
}

/** Infinity once all levels are reached: splits that are made later are not built up. */
const reachOf = (dock: Dock, levels: number) => (levels < depthOf(dock) ? levels : Infinity);

const depthOf = (dock: Dock): number =>
  dock.kind === "group" ? 0 : 1 + greatest(dock.parts.map((part) => depthOf(part.dock)));

const drawSeparator = () => <Separator className="pane-separator" />;

const drawPane = ({ id }: TabNode<null>) => (
  <InTurn>
    <PaneView id={id} />
  </InTurn>
);

const drawTab = ({ id }: TabNode<null>, props: TabRenderProps) => (
  <div {...props} data-tab={id}>
    {paneTitle(id)}
  </div>
);

interface ToolsProps {
  tabset: TabsetNode<null>;
  handle: () => WorkspaceHandle | null;
}

function Tools({ tabset, handle }: ToolsProps) {
  const pane = tabset.selectedId;
  if (pane === undefined) return null;
  return <PaneTools id={pane} onMove={(to) => move(handle(), tabset.id, pane, to)} />;
}

function move(handle: WorkspaceHandle | null, tabsetId: string, pane: string, to: Move): void {
  if (!handle) return;
  if (to !== "next") return movePast(handle, tabsetId, pane, to);
  const ids = tabsetIds(handle.getModel().root);
  const next = ids[(ids.indexOf(tabsetId) + 1) % ids.length]!;
  if (next !== tabsetId) handle.moveTab(pane, { tabsetId: next, region: "center" });
}

/** Beside its group; a pane that is alone in it goes to that edge of the workspace. */
function movePast(
  handle: WorkspaceHandle,
  tabsetId: string,
  pane: string,
  region: Exclude<Move, "next">,
): void {
  const { root } = handle.getModel();
  const isSole = tabsetOf(root, tabsetId)?.tabs.length === 1;
  handle.moveTab(pane, isSole ? { edge: region } : { tabsetId, region });
}

type Node = WorkspaceModel<null>["root"];

function tabsetsOf(node: Node): TabsetNode<null>[] {
  return node.type === "tabset" ? [node] : node.children.flatMap(tabsetsOf);
}

const tabsetIds = (node: Node) => tabsetsOf(node).map(({ id }) => id);

const tabsetOf = (node: Node, id: string) => tabsetsOf(node).find((one) => one.id === id);

const groupId = (path: string) => `group${path}`;

/** `alone`: the pane that covers all others; null for none. `levels`: of splits; those below are empty. */
export function toModel(
  dock: Dock,
  alone: string | null,
  levels = Infinity,
): WorkspaceModelInput<null> {
  const covering = alone === null ? null : pathOf(dock, alone, "");
  return {
    version: 1,
    root: toNode(dock, "", levels),
    ...(covering !== null && { maximizedTabsetId: groupId(covering) }),
  };
}

/** Converts the dock to the model of react-resizable-panels' workspace, and back. */
function toNode(dock: Dock, path: string, levels: number): WorkspaceNodeInput<null> {
  if (dock.kind === "group")
    return {
      type: "tabset",
      id: groupId(path),
      selectedId: dock.panes[dock.front],
      tabs: dock.panes.map((pane) => ({ id: pane, title: paneTitle(pane), data: null })),
    };
  if (levels === 0) return { type: "tabset", id: `empty${path}`, tabs: [], keepWhenEmpty: true };
  return {
    type: "split",
    id: `split${path}`,
    orientation: dock.kind === "row" ? "horizontal" : "vertical",
    children: dock.parts.map((part, i) => ({
      ...toNode(part.dock, `${path}-${i}`, levels - 1),
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
