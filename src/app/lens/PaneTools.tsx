/** What can be done with a pane: its prose, its place, all of the page for it. */
import { DropdownMenu } from "radix-ui";
import { useStore } from "zustand";
import { panes } from "../../panels/panes.ts";
import { useExperiment } from "../../store/hooks.ts";
import { setLens, withAlone, withPaneClosed } from "../../store/lens.ts";
import { Icon } from "../../ui/Icon.tsx";
import { explain, isExplained, paneNotes } from "./paneNotes.ts";
import { words } from "./words.ts";

export type Move = keyof typeof words.moves;

interface PaneToolsProps {
  /** Of the pane in front. */
  id: string;
  /** Null where panes cannot be moved. */
  onMove: ((to: Move) => void) | null;
}

export function PaneTools({ id, onMove }: PaneToolsProps) {
  const { store } = useExperiment();
  const explained = useStore(paneNotes, isExplained(id));
  const pane = panes.find((one) => one.id === id);
  if (!pane) return null;
  const [panel] = pane.panels;
  const expand = () => setLens(store, (lens) => withAlone(lens, panel!));
  return (
    <div className="pane-tools">
      <button
        type="button"
        className="quiet"
        aria-pressed={explained}
        aria-label={words.about(pane.title)}
        title={words.about(pane.title)}
        data-testid={`about-${id}`}
        onClick={() => explain(id)}
      >
        <Icon name="help" />
      </button>
      {onMove && <Arrange id={id} title={pane.title} onMove={onMove} />}
      <button
        type="button"
        className="quiet"
        aria-label={words.expand(pane.title)}
        title={words.expand(pane.title)}
        data-testid={`alone-${panel}`}
        onClick={expand}
      >
        <Icon name="expand" />
      </button>
    </div>
  );
}

interface ArrangeProps {
  id: string;
  title: string;
  onMove: (to: Move) => void;
}

function Arrange({ id, title, onMove }: ArrangeProps) {
  const { store } = useExperiment();
  const close = () => setLens(store, (lens) => withPaneClosed(lens, id));
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          className="quiet"
          aria-label={words.arrange(title)}
          title={words.arrange(title)}
          data-testid={`arrange-${id}`}
        >
          <Icon name="panels" />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end">
          {Object.entries(words.moves).map(([to, name]) => (
            <DropdownMenu.Item key={to} data-move={to} onSelect={() => onMove(to as Move)}>
              {name}
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Separator />
          <DropdownMenu.Item data-testid={`close-${id}`} onSelect={close}>
            {words.close}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
