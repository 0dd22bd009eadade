/** The shell: header, notebook, help, and one live region. */
import { useEffect, useLayoutEffect, useState, type Dispatch, type SetStateAction } from "react";
import { useStore } from "zustand";
import { recordedSource } from "../reading/log/columnar.ts";
import { codeConsent } from "../store/codeConsent.ts";
import { ExperimentContext, type ExperimentHandle } from "../store/hooks.ts";
import { importStore } from "../store/imports.ts";
import { withAlone, withLayout } from "../store/lens.ts";
import { cellOfStep } from "../notebook/cells/lesson/steps.ts";
import { bookDraft } from "../store/bookStore.ts";
import { openLinkOf } from "../store/links.ts";
import { runQueue } from "../store/runQueue.ts";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { AnotherRun } from "./AnotherRun.tsx";
import { bookAddressOf, bookHash, experimentInAddress } from "./book/bookAddress.ts";
import { BookPage } from "./book/BookPage.tsx";
import { createLibrary, type Library } from "./book/library.ts";
import type { OpenBook } from "./book/openBook.ts";
import { useNotebook, type Loading } from "./book/useNotebook.ts";
import type { Experiments } from "./experiments.ts";
import { syncHash } from "./hashSync.ts";
import { ImportDrop } from "./ImportDrop.tsx";
import { ImportNotices } from "./ImportNotices.tsx";
import { LiveRegion } from "./LiveRegion.tsx";
import { takeFrameAway } from "./first/frameGone.ts";
import { embedded } from "./present/embedded.ts";
import { lessonPlace } from "./present/lessonPlace.ts";
import { preload, settled } from "./preload.ts";
import {
  ALGORITHMS_HASH,
  GLOSSARY_HASH,
  MACHINE_HASH,
  GALLERY_HASH,
  OWN_HASH,
  SHOP_HASH,
  useHash,
  routeOf,
  useRoute,
  type Route,
} from "./route.ts";
import { appWords } from "./strings.ts";
import { Header } from "./shell/Header.tsx";
import { RunBar } from "./shell/RunBar.tsx";
import { choiceAt } from "./shell/Timeline.tsx";
import { useSubject } from "./shell/useSubject.ts";
import { Palette } from "./palette/Palette.tsx";
import { presetQuestion } from "./presetChoice.ts";
import { lazyPart } from "../ui/parts/lazyPart.tsx";
import { parts } from "../ui/parts/part.ts";
import { followUnfolding } from "./unfolded.ts";
import { toasts } from "../ui/toasts.ts";
import { Trouble } from "../ui/Trouble.tsx";
import { useOpened } from "../ui/parts/useOpened.ts";
import { useKeyboard, type PageActions } from "./useKeyboard.ts";
import { RunOf, View, warmLens } from "./View.tsx";
import { Empty } from "../ui/Empty.tsx";

const Present = lazyPart("Present", () => import("./present/Present.tsx"), appWords.loading);

/** Only of notebooks of other sites. */
const Embed = lazyPart("Embed", () => import("./present/Embed.tsx"), "");

const RemotePage = lazyPart("RemotePage", () => import("./book/RemotePage.tsx"), appWords.loading);

/** Only of links that promise numbers. */
const SharedRun = lazyPart("SharedRun", () => import("./shared/SharedRun.tsx"), appWords.loading);

export function App() {
  const [library] = useState(createLibrary);
  const [loading, retry] = useNotebook(library);
  const [presenting, setPresenting] = useState(false);
  const [embed] = useState(embedded);
  const [dialog, setDialog] = useState<Dialog>(null);
  const experiments = loading.state === "open" ? loading.experiments : null;
  const first = useActive(experiments);
  const route = useRoute();
  const shop = useShopRun(library, route);
  const subject = useSubject(route, first, shop);
  const about = (route === "notebook" && subject) || first;
  const hashOf = (view: Route) => hashIn((view === "lens" && shop) || about, view);
  const foreign = loading.state === "open" && !isOwn(loading.book) ? loading.book : null;
  const ownBook = loading.state === "open" && isOwn(loading.book);
  const isSettled = usePreload(experiments, loading.state === "loading");
  useEffect(followUnfolding, []);
  useTitle(route === "notebook" ? titleShown(loading) : appWords[route]);
  const isWithout = route !== "notebook" || loading.state === "failed";
  useFrameGone(isWithout, loading.state !== "loading");
  const page: PageActions = {
    subject: runsByKey(route) ? subject : undefined,
    writes: route === "notebook" && ownBook,
    showHelp: () => setDialog("help"),
    showPalette: () => setDialog("palette"),
    present: () => setPresenting((now) => !now),
    switchView: (to) => (location.hash = hashOf(to === route ? "notebook" : to)),
  };
  useKeyboard(runsByKey(route) ? experiments : null, page);
  return (
    <>
      <SkipLink />
      <Header
        route={route === "notebook" ? (ownBook ? "own" : "gallery") : route}
        hashOf={hashOf}
        onHelp={page.showHelp}
        onPalette={page.showPalette}
        onPresent={page.present}
        onEdit={route === "notebook" && foreign ? () => void editCopy(library, foreign) : undefined}
      />
      {presenting && embed === null && (
        // Another view has other figures.
        <Present
          key={route}
          experiment={subject ?? first}
          runs={!!subject}
          onLeave={() => setPresenting(false)}
        />
      )}
      <Content {...{ route, loading, retry, first, shop }} back={hashOf("notebook")} />
      {subject && <SubjectBar subject={subject} route={route} />}
      <Dialogs {...{ dialog, setDialog, experiments, about, hashOf, page }} />
      {isSettled && <GlossaryCards />}
      {embed !== null && <Embed id={embed} experiment={first} route={route} />}
      {experiments && <LiveRegion experiments={experiments} />}
    </>
  );
}

/** The run bar of what the page is about. */
function SubjectBar({ subject, route }: { subject: ExperimentHandle; route: Route }) {
  return (
    <RunBar
      experiment={subject}
      hasKeys={route === "lens"}
      placeHref={() => openLinkOf(subject.store.getState(), "notebook")}
      healthHref={() => healthOf(subject)}
    />
  );
}

type Dialog = "help" | "palette" | null;

interface DialogsProps {
  dialog: Dialog;
  setDialog: Dispatch<SetStateAction<Dialog>>;
  experiments: Experiments | null;
  /** What the page is about. */
  about: ExperimentHandle | undefined;
  hashOf: (view: Route) => string;
  page: PageActions;
}

/** Help, the palette, and what the page asks. */
function Dialogs({ dialog, setDialog, experiments, about, hashOf, page }: DialogsProps) {
  return (
    <>
      <Help open={dialog === "help"} onOpenChange={(open) => open || setDialog(null)} />
      <Palette
        open={dialog === "palette"}
        // What was chosen may have opened a dialog of its own.
        onClose={() => setDialog((now) => (now === "palette" ? null : now))}
        {...{ experiments, about, hashOf, page }}
      />
      <LeaveQuestion />
      <PresetQuestion />
      <CodeQuestion />
      <Said />
    </>
  );
}

const CodeDialog = lazyPart("CodeDialog", () => import("./CodeDialog.tsx"), appWords.loading);
const HelpDialog = lazyPart("HelpDialog", () => import("./HelpDialog.tsx"), appWords.loading);
const LeaveDialog = lazyPart("LeaveDialog", () => import("./LeaveDialog.tsx"), appWords.loading);
const PresetDialog = lazyPart("PresetDialog", () => import("./PresetDialog.tsx"), appWords.loading);

function Help(props: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return useOpened(props.open) && <HelpDialog {...props} />;
}

/** Of whatever experiment: its run can be dropped from the bar, far from its cell. */
function LeaveQuestion() {
  const asks = useStore(runQueue, (queue) => queue.asks);
  const [last, setLast] = useState(asks);
  if (asks !== null && asks !== last) setLast(asks);
  const isOpen = useOpened(asks !== null);
  return (
    isOpen &&
    last && (
      <ExperimentContext value={last}>
        <LeaveDialog />
      </ExperimentContext>
    )
  );
}

function PresetQuestion() {
  return useOpened(useStore(presetQuestion, ({ asked }) => asked !== null)) && <PresetDialog />;
}

function CodeQuestion() {
  return useOpened(useStore(codeConsent, ({ asked }) => asked !== null)) && <CodeDialog />;
}

const GlossaryCards = lazyPart("GlossaryCards", () => import("./GlossaryCards.tsx"), "");

const Toasts = lazyPart("Toasts", () => import("../ui/Toasts.tsx"), "");

/** Nothing before something has been said. */
function Said() {
  return useOpened(useStore(toasts, ({ all }) => all.length > 0)) && <Toasts />;
}

function isOwn({ store }: OpenBook): boolean {
  return store.getState().id !== null;
}

/** With the answers given in it and its experiments' newest runs. */
async function editCopy(library: Library, book: OpenBook): Promise<void> {
  const source = bookAddressOf(location.hash);
  const { keepCopy } = await import("./book/duplicateBook.ts");
  const hash = await keepCopy(book, source);
  const { store } = await library.open(bookAddressOf(hash));
  // A copy of a lesson opens at the same step: its code, among all cells of the lesson.
  const step = lessonPlace.getState().now?.at;
  const selected = step === undefined ? null : cellOfStep(bookDraft(store.getState()).cells, step);
  store.setState({ mode: "edit", selected });
  location.hash = hash;
}

interface ContentProps {
  route: Route;
  loading: Loading;
  retry: () => void;
  /** The experiment that the page is about. */
  first: ExperimentHandle | undefined;
  /** The run that the shop shows. */
  shop: ExperimentHandle | undefined;
  /** Address of the notebook. */
  back: string;
}

function Content({ route, loading, retry, first, shop, back }: ContentProps) {
  const hash = useHash();
  /** The address that is about to be left. */
  const [left, setLeft] = useState<string | null>(null);
  // Until the lens has come: this hears of an address before the page does.
  const isLeaving = left === hash || (route === "notebook" && routeOf(hash) !== route);
  if (left !== null && !isLeaving) setLeft(null);
  return (
    <main id="content" tabIndex={-1}>
      {first && runsByKey(route) && <ImportDrop experiment={first} />}
      {first && route === "notebook" && (
        <ImportNotices
          experiment={first}
          lensHref={() => hashIn(first, "lens")}
          warm={warmLens}
          onLeaving={(isLeaving) => setLeft(isLeaving ? hash : null)}
        />
      )}
      {first && route === "notebook" && <Promised experiment={first} />}
      {first && runsByKey(route) && <AnotherRun experiment={first} />}
      {/* It gives way to the lens before the lens has come. */}
      {(route === "notebook" || loading.state === "remote") && left === null && (
        <NotebookPage loading={loading} retry={retry} />
      )}
      {/* Whatever fails in a view, header and run stay. */}
      <ErrorBoundary
        key={route}
        instead={route === "lens" && first && <RunOf experiment={first} />}
      >
        <View {...{ route, first, back, shop }} />
      </ErrorBoundary>
    </main>
  );
}

function Promised({ experiment }: { experiment: ExperimentHandle }) {
  const promises = useStore(experiment.store, ({ expected }) => expected !== null);
  return promises && embedded() === null && <SharedRun experiment={experiment} />;
}

/** Views that show the experiment; in the others its keys do nothing. */
function runsByKey(route: Route): boolean {
  return route === "notebook" || route === "lens";
}

/** The lens in the layout whose first pane has the doctor's findings, with the cursor at the first of them. */
function healthOf({ store }: ExperimentHandle): string {
  const now = store.getState();
  const { log } = now.view;
  const [found] = log.findings.toSorted((a, b) => a.iteration - b.iteration);
  const choice = found ? choiceAt(log, now.choice, found) : now.choice;
  const lens = withLayout(withAlone(now.lens, null), "health");
  return openLinkOf({ ...now, choice, lens }, "lens");
}

function NotebookPage({ loading, retry }: { loading: Loading; retry: () => void }) {
  if (loading.state === "loading") return <Empty>{appWords.loading}</Empty>;
  if (loading.state === "failed") return <LoadFailure message={loading.message} onRetry={retry} />;
  if (loading.state === "remote")
    return <RemotePage address={loading.address} onText={loading.give} />;
  return <BookPage book={loading.book} />;
}

/** The address of a view; that of the notebook and the lens includes the experiment's current settings. */
function hashIn(experiment: ExperimentHandle | undefined, view: Route): string {
  if (view === "machine") return MACHINE_HASH;
  if (view === "shop") return SHOP_HASH;
  if (view === "algorithms") return ALGORITHMS_HASH;
  if (view === "glossary") return GLOSSARY_HASH;
  if (view === "gallery") return GALLERY_HASH;
  if (view === "own") return OWN_HASH;
  return experiment
    ? openLinkOf(experiment.store.getState(), view === "lens" ? view : "notebook")
    : bookHash(bookAddressOf(location.hash));
}

function titleShown(loading: Loading): string | null {
  return loading.state === "open" ? loading.title : null;
}

/** The experiment that the address names, or the first; its link and its place follow the address, and the other way round. */
function useActive(experiments: Experiments | null): ExperimentHandle | undefined {
  const named = experimentInAddress(useHash());
  const first = experiments?.values().next().value;
  const active = (named === null ? undefined : experiments?.get(named)) ?? first;
  const store = active?.store;
  useEffect(() => (store ? syncHash(store) : undefined), [store]);
  return active;
}

/** The recorded run whose trip the shop shows, that of the shop's lesson; undefined elsewhere, and until it has come. */
function useShopRun(library: Library, route: Route): ExperimentHandle | undefined {
  const [run, setRun] = useState<ExperimentHandle>();
  const isShop = route === "shop";
  useEffect(() => {
    if (!isShop) return undefined;
    let current = true;
    const found = ({ experiments }: OpenBook) => experiments.getState().map.get("shop");
    library.open({ kind: "served", name: "shop" }).then(
      (book) => current && setRun(found(book)),
      // Without the lesson's file the page says so, as without the recording.
      () => {},
    );
    return () => void (current = false);
  }, [library, isShop]);
  return isShop ? run : undefined;
}

/** Also a run that is shown, of which more is read. */
function isImporting(): boolean {
  const { importing, imported } = importStore.getState();
  return importing.state === "reading" || imported?.facts.share !== undefined;
}

/** Once what is on screen has come, all that the page may need is fetched. Returns whether it has. */
function usePreload(experiments: Experiments | null, isLoading: boolean): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (isLoading) return;
    const states = () => [...(experiments?.values() ?? [])].map(({ store }) => store.getState());
    const waits = () =>
      isImporting() ||
      parts.some((part) => part.get().state === "loading") ||
      states().some(({ recording }) => recording.state === "loading");
    const rest = () =>
      states().flatMap(({ recorded }) => (recorded && recordedSource(recorded.log)?.rest) ?? []);
    void settled(waits).then(() => {
      setSettled(true);
      const specs = states().map(({ draft }) => draft.spec);
      if (experiments) void preload(specs, waits, rest);
    });
  }, [experiments, isLoading]);
  return isSettled;
}

function useTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null ? appWords.title : `${title} · ${appWords.title}`;
  }, [title]);
}

/** The page's first words stand in a frame of index.html until the page has them itself. */
function useFrameGone(isWithout: boolean, isLoaded: boolean): void {
  useLayoutEffect(() => {
    if (isWithout) document.getElementById("frame")?.remove();
    else if (isLoaded) return takeFrameAway();
  }, [isWithout, isLoaded]);
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
      {appWords.skip}
    </a>
  );
}

function LoadFailure({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <Trouble
      title={appWords.notebookFailed}
      message={message}
      again={appWords.retry}
      onAgain={onRetry}
    />
  );
}
