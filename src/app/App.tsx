/** The shell: header, notebook, help, and one live region. */
import { useEffect, useState, useSyncExternalStore } from "react";
import { parseNotebook, type Notebook } from "../notebook/document.ts";
import { recordedSource } from "../reading/log/columnar.ts";
import { importStore } from "../store/imports.ts";
import { openLinkOf } from "../store/links.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { createExperiments, fetchText, type Experiments } from "./experiments.ts";
import { syncHash } from "./hashSync.ts";
import { HelpDialog } from "./HelpDialog.tsx";
import { ImportDrop } from "./ImportDrop.tsx";
import { ImportNotices } from "./ImportNotices.tsx";
import { guardLeaving } from "./leaveGuard.ts";
import { LiveRegion } from "./LiveRegion.tsx";
import { NotebookView } from "./NotebookView.tsx";
import { preload } from "./preload.ts";
import { ALGORITHMS_HASH, MACHINE_HASH, SHOP_HASH, useRoute, type Route } from "./route.ts";
import { strings } from "./strings.ts";
import { currentTheme, onThemeChange, toggleTheme } from "./theme.ts";
import { useKeyboard } from "./useKeyboard.ts";
import { RunOf, View } from "./View.tsx";

const FIRST_NOTEBOOK = "notebooks/first.md";

interface Opened {
  notebook: Notebook;
  warnings: string[];
  experiments: Experiments;
}

type Loading =
  { state: "loading" } | { state: "failed"; message: string } | ({ state: "open" } & Opened);

async function openNotebook(path: string): Promise<Opened> {
  const { notebook, warnings } = parseNotebook(await fetchText(path));
  return { notebook, warnings, experiments: createExperiments(notebook) };
}

export function App() {
  const [loading, retry] = useNotebook();
  const [helpOpen, setHelpOpen] = useState(false);
  const experiments = loading.state === "open" ? loading.experiments : null;
  const first = experiments?.values().next().value;
  const route = useRoute();
  const hashOf = (view: Route) => hashIn(experiments, view);
  usePreload(experiments);
  useTitle(route === "notebook" ? titleOf(loading) : strings[route]);
  useKeyboard(route === "notebook" || route === "lens" ? experiments : null, {
    showHelp: () => setHelpOpen(true),
    switchView: (to) => (location.hash = hashOf(to === route ? "notebook" : to)),
  });
  return (
    <>
      <SkipLink />
      <Header route={route} hashOf={hashOf} onHelp={() => setHelpOpen(true)} />
      <main id="content" tabIndex={-1}>
        {first && (route === "notebook" || route === "lens") && <ImportDrop experiment={first} />}
        {first && route === "notebook" && <ImportNotices experiment={first} />}
        {route === "notebook" && <NotebookPage loading={loading} retry={retry} />}
        {/* Whatever fails in a view, header and run stay. */}
        <ErrorBoundary
          key={route}
          instead={route === "lens" && first && <RunOf experiment={first} />}
        >
          <View route={route} experiments={experiments} back={hashOf("notebook")} />
        </ErrorBoundary>
      </main>
      <HelpDialog open={helpOpen} onOpenChange={setHelpOpen} />
      {experiments && <LiveRegion experiments={experiments} />}
    </>
  );
}

function NotebookPage({ loading, retry }: { loading: Loading; retry: () => void }) {
  if (loading.state === "loading") return <p className="empty">{strings.loading}</p>;
  if (loading.state === "failed") return <LoadFailure message={loading.message} onRetry={retry} />;
  return <NotebookView {...loading} />;
}

/** The address of a view; of the notebook and the lens with the experiment as it stands now. */
function hashIn(experiments: Experiments | null, view: Route): string {
  if (view === "machine") return MACHINE_HASH;
  if (view === "shop") return SHOP_HASH;
  if (view === "algorithms") return ALGORITHMS_HASH;
  const first = experiments?.values().next().value;
  return first ? openLinkOf(first.store.getState(), view) : "#";
}

function titleOf(loading: Loading): string | null {
  return loading.state === "open" ? loading.notebook.title : null;
}

function usePreload(experiments: Experiments | null): void {
  useEffect(() => {
    if (!experiments) return;
    const states = () => [...experiments.values()].map(({ store }) => store.getState());
    const waits = () =>
      importStore.getState().importing.state === "reading" ||
      states().some(({ recording }) => recording.state === "loading");
    void preload(
      states().map(({ draft }) => draft.spec),
      waits,
      () =>
        states().flatMap(({ recorded }) => (recorded && recordedSource(recorded.log)?.rest) ?? []),
    );
  }, [experiments]);
}

function useTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null ? strings.title : `${title} · ${strings.title}`;
  }, [title]);
}

/** Moves the focus by hand: the hash belongs to experiments and views. */
function SkipLink() {
  return (
    <a
      className="skip-link"
      href="#content"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById("content")?.focus();
      }}
    >
      {strings.skip}
    </a>
  );
}

function useNotebook(): [Loading, retry: () => void] {
  const [loading, setLoading] = useState<Loading>({ state: "loading" });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let stop = () => {};
    let current = true;
    openNotebook(FIRST_NOTEBOOK).then(
      (opened) => {
        if (!current) return;
        const first = opened.experiments.values().next().value;
        const ends = [guardLeaving(opened.experiments), ...(first ? [syncHash(first.store)] : [])];
        stop = () => ends.forEach((end) => end());
        setLoading({ state: "open", ...opened });
      },
      (error: unknown) => current && setLoading({ state: "failed", message: String(error) }),
    );
    return () => {
      current = false;
      stop();
    };
  }, [attempt]);
  return [loading, () => setAttempt((n) => n + 1)];
}

interface HeaderProps {
  route: Route;
  /** The address of a view, now. */
  hashOf: (view: Route) => string;
  onHelp: () => void;
}

const VIEWS = ["notebook", "lens", "algorithms", "shop", "machine"] as const;

function Header({ route, hashOf, onHelp }: HeaderProps) {
  const theme = useSyncExternalStore(onThemeChange, currentTheme);
  return (
    <header className="page-header">
      <span className="brand">{strings.title}</span>
      <span className="spacer" />
      {VIEWS.filter((view) => view !== route).map((view) => (
        <a
          key={view}
          className="quiet-link"
          href={hashOf(view)}
          // The experiment may have changed since the header was drawn.
          onPointerDown={({ currentTarget }) => (currentTarget.href = hashOf(view))}
          onFocus={({ currentTarget }) => (currentTarget.href = hashOf(view))}
          data-testid={`to-${view}`}
        >
          {strings.links[view]}
        </a>
      ))}
      <button type="button" className="quiet" onClick={onHelp} data-testid="help-button">
        {strings.help}
      </button>
      <button type="button" className="quiet" onClick={toggleTheme} data-testid="theme-button">
        {theme === "dark" ? strings.toLight : strings.toDark}
      </button>
    </header>
  );
}

function LoadFailure({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div role="alert" className="notice notice-problem">
      <strong>{strings.notebookFailed}</strong>
      <p>{message}</p>
      <button type="button" onClick={onRetry}>
        {strings.retry}
      </button>
    </div>
  );
}
