/** Tools of a pane: its explanation, its position, full screen. */
import { useStore } from "zustand";
import { DataMenu } from "../../charts/DataMenu.tsx";
import { manifests } from "../../panels/manifests.ts";
import { panes } from "../../panels/panes.ts";
import { useExperiment } from "../../store/hooks.ts";
import { setLens, withAlone, withPaneClosed } from "../../store/lens.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem, MenuLine } from "../../ui/Menu.tsx";
import { numbersIn } from "../../ui/tablesIn.ts";
import { isNoted, paneNotes, toggleNote } from "./paneNotes.ts";
import { words } from "./words.ts";

export type Move = keyof typeof words.moves;

interface PaneToolsProps {
  /** Of the active pane. */
  id: string;
  /** Null if panes cannot be moved: there, full screen is in a menu. */
  onMove: ((to: Move) => void) | null;
}

export function PaneTools({ id, onMove }: PaneToolsProps) {
  const { store } = useExperiment();
  const explained = useStore(paneNotes, isNoted("explained", id));
  const options = useStore(paneNotes, isNoted("options", id));
  const pane = panes.find((one) => one.id === id);
  if (!pane) return null;
  const [panel] = pane.panels;
  const expand = () => setLens(store, (lens) => withAlone(lens, panel!));
  return (
    <div className="pane-tools">
      <IconButton
        icon="help"
        name={words.about(pane.title)}
        aria-pressed={explained}
        data-testid={`about-${id}`}
        onClick={() => toggleNote("explained", id)}
      />
      {HAVE_OPTIONS.includes(id) && (
        <IconButton
          icon="options"
          className="pane-options"
          name={words.options(pane.title)}
          aria-pressed={options}
          data-testid={`options-${id}`}
          onClick={() => toggleNote("options", id)}
        />
      )}
      {hasNumbers(panel!) && (
        <DataMenu
          title={pane.title}
          name={panel!}
          testId={`pane-data-${panel}`}
          table={() => numbersIn(paneElement(id))}
        />
      )}
      {onMove && (
        <>
          <Arrange id={id} title={pane.title} onMove={onMove} />
          <IconButton
            icon="expand"
            name={words.expand(pane.title)}
            data-testid={`alone-${panel}`}
            onClick={expand}
          />
        </>
      )}
    </div>
  );
}

/** Whose controls a low pane leaves to a button of its head. */
const HAVE_OPTIONS: readonly string[] = ["curves", "ribbon", "credits", "formula"];

const hasNumbers = (panel: string) => manifests.some((one) => one.id === panel && one.hasNumbers);

/** All panels of the pane, one below the other. */
const paneElement = (id: string) => document.querySelector(`.pane[data-pane="${id}"]`)!;

function Arrange({ id, title, onMove }: { id: string; title: string; onMove: (to: Move) => void }) {
  const { store } = useExperiment();
  const close = () => setLens(store, (lens) => withPaneClosed(lens, id));
  return (
    <Menu
      align="end"
      trigger={
        <IconButton icon="panels" name={words.arrange(title)} data-testid={`arrange-${id}`} />
      }
    >
      {Object.entries(words.moves).map(([to, name]) => (
        <MenuItem key={to} data-move={to} onSelect={() => onMove(to as Move)}>
          {name}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem data-testid={`close-${id}`} onSelect={close}>
        {words.close}
      </MenuItem>
    </Menu>
  );
}
