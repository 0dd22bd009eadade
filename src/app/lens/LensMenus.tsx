/** Entries of the lens's menus: panels under their panes, layouts, runs to open. */
import { useShallow } from "zustand/shallow";
import { panes } from "../../panels/panes.ts";
import { lensPanels } from "../../panels/panelTable.ts";
import { panesOf } from "../../store/dock.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { layoutNow, setLens, withAlone, withLayout } from "../../store/lens.ts";
import { layoutNames } from "../../store/layouts.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { Menu, MenuGroup, MenuItem, MenuLine } from "../../ui/Menu.tsx";
import { chooseFiles, chooseFolder } from "../ImportDrop.tsx";
import { goToPanel } from "./goToPanel.ts";
import { useOwnLayouts } from "./useOwnLayouts.ts";
import { words } from "./words.ts";

const selectOpen = ({ lens }: ExperimentState) => panesOf(lens.dock);

/** Every panel under its pane; typing its first letters finds it. */
export function PanelsMenu() {
  const open = useExperimentState(useShallow(selectOpen));
  return (
    <Menu
      align="end"
      leadsAway
      trigger={
        <Button look="quiet" data-focus="goPanel" data-testid="go-panel">
          <Icon name="panels" /> {words.panels}
        </Button>
      }
    >
      <PanelItems of={panes.map(({ id }) => id)} checked={open} />
    </Menu>
  );
}

interface PanelItemsProps {
  /** Ids of panes. */
  of: readonly string[];
  checked: readonly string[];
}

function PanelItems({ of, checked }: PanelItemsProps) {
  const { store } = useExperiment();
  return of
    .flatMap((id) => panes.filter((pane) => pane.id === id))
    .map((pane) => (
      <MenuGroup key={pane.id} name={pane.title}>
        {pane.panels.map((id, i) => (
          <MenuItem
            key={id}
            className={i > 0 ? "menu-within" : undefined}
            data-go={id}
            onSelect={() => goToPanel(store, id)}
          >
            {lensPanels.find((panel) => panel.id === id)!.title}
            {i === 0 && checked.includes(pane.id) && <Icon name="check" />}
          </MenuItem>
        ))}
      </MenuGroup>
    ));
}

interface NarrowMenuProps {
  /** Id of the current pane. */
  shown: string;
  title: string;
  onSaveLayout: () => void;
}

/** With a single bar: one button for all panels, the layouts, and runs to open. */
export function NarrowMenu({ shown, title, onSaveLayout }: NarrowMenuProps) {
  const open = useExperimentState(useShallow(selectOpen));
  const others = panes.map(({ id }) => id).filter((id) => !open.includes(id));
  return (
    <Menu
      align="start"
      leadsAway
      trigger={
        <Button
          className="pane-switch"
          aria-label={words.switchFrom(title)}
          data-focus="goPanel"
          data-testid="go-panel"
          data-shown={shown}
        >
          <Icon name="panels" />
        </Button>
      }
    >
      <PanelItems of={open} checked={[shown]} />
      <MenuLine />
      <ExpandItem shown={shown} title={title} />
      <MenuLine />
      <LayoutItems onSave={onSaveLayout} />
      <MenuLine />
      <PanelItems of={others} checked={[]} />
      <MenuLine />
      <OpenItems />
    </Menu>
  );
}

function ExpandItem({ shown, title }: Pick<NarrowMenuProps, "shown" | "title">) {
  const { store } = useExperiment();
  const panel = panes.find(({ id }) => id === shown)?.panels[0];
  if (panel === undefined) return null;
  return (
    <MenuItem
      data-testid={`alone-${panel}`}
      onSelect={() => setLens(store, (lens) => withAlone(lens, panel))}
    >
      {words.expand(title)}
    </MenuItem>
  );
}

const selectLayout = ({ lens }: ExperimentState) => layoutNow(lens);

function LayoutItems({ onSave }: { onSave: () => void }) {
  const { store } = useExperiment();
  const layout = useExperimentState(selectLayout);
  const { own, now, open } = useOwnLayouts();
  return (
    <MenuGroup name={words.layouts}>
      {layoutNames.map((name) => (
        <MenuItem
          key={name}
          data-testid={`layout-${name}`}
          onSelect={() => setLens(store, (lens) => withLayout(lens, name))}
        >
          {words.layout[name]}
          {name === layout && <Icon name="check" />}
        </MenuItem>
      ))}
      {own.map(({ name, dock }) => (
        <MenuItem key={`own ${name}`} data-testid="own-layout" onSelect={() => open(dock)}>
          {name}
          {dock === now && <Icon name="check" />}
        </MenuItem>
      ))}
      <MenuItem data-testid="save-layout" onSelect={onSave}>
        {words.saveItem}
      </MenuItem>
    </MenuGroup>
  );
}

export function OpenItems() {
  return (
    <MenuGroup name={words.openRun}>
      <MenuItem data-testid="open-run-file" onSelect={chooseFiles}>
        {words.openFile}
      </MenuItem>
      <MenuItem onSelect={chooseFolder}>{words.openFolder}</MenuItem>
    </MenuGroup>
  );
}
