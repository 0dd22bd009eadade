/** The top of every page: navigation, and the page's own actions. */
import { useSyncExternalStore } from "react";
import { Icon } from "../../ui/Icon.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { firstKeyOf } from "../actions.ts";
import { ROUTES, type Route } from "../route.ts";
import { appWords } from "../strings.ts";
import { currentTheme, onThemeChange, toggleTheme } from "../theme.ts";
import { Brand } from "./Brand.tsx";
import { Button } from "../../ui/Button.tsx";

interface HeaderProps {
  /** A notebook counts as what leads to it. */
  route: Route;
  /** The current address of a view. */
  hashOf: (view: Route) => string;
  onHelp: () => void;
  onPalette: () => void;
  onPresent: () => void;
  /** Absent if there is nothing to edit, or its own bar offers it. */
  onEdit?: (() => void) | undefined;
}

export function Header({ route, hashOf, onHelp, onPalette, onPresent, onEdit }: HeaderProps) {
  return (
    <header className="page-header">
      <a className="brand" {...leadsTo("notebook", hashOf)}>
        <Brand />
      </a>
      <nav aria-label={appWords.views}>
        {ROUTES.map((view) => (
          <a
            key={view}
            aria-current={view === route ? "page" : undefined}
            {...leadsTo(view, hashOf)}
          >
            {appWords.links[view]}
          </a>
        ))}
      </nav>
      <Button
        look="quiet"
        className="to-palette"
        aria-label={appWords.goTo}
        aria-haspopup="dialog"
        onClick={onPalette}
        data-testid="palette-button"
      >
        <Icon name="search" />
        <span>{appWords.goTo}</span>
        <kbd aria-hidden="true">{firstKeyOf("palette")}</kbd>
      </Button>
      {onEdit && (
        <IconButton
          icon="pencil"
          name={appWords.editCopy}
          data-testid="edit-copy"
          onClick={onEdit}
        />
      )}
      <IconButton
        icon="monitor"
        name={appWords.present}
        data-testid="present-button"
        onClick={onPresent}
      />
      <ThemeButton />
      <IconButton
        icon="help"
        name={appWords.help}
        data-part="help"
        data-testid="help-button"
        onClick={onHelp}
      />
    </header>
  );
}

/** The experiment may have changed since the header was drawn. */
function leadsTo(view: Route, hashOf: HeaderProps["hashOf"]) {
  const renew = ({ currentTarget }: { currentTarget: HTMLAnchorElement }) =>
    void (currentTarget.href = hashOf(view));
  const name = `to-${view}`;
  const names = { "data-as": name, "data-testid": name };
  return { href: hashOf(view), onPointerDown: renew, onFocus: renew, ...names };
}

function ThemeButton() {
  const theme = useSyncExternalStore(onThemeChange, currentTheme);
  const name = theme === "dark" ? appWords.toLight : appWords.toDark;
  const icon = theme === "dark" ? "sun" : "moon";
  return <IconButton icon={icon} name={name} data-testid="theme-button" onClick={toggleTheme} />;
}
