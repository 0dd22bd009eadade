/** The open shop, the trip through it, and files being read. Survives leaving the page. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { createCatalogue, type Catalogue } from "../../env/webshop/catalogue.ts";
import type { LoadedShop, LoadProgress } from "../../env/webshop/loadProducts.ts";
import { DEFAULT_CATALOGUE_SEED } from "../../env/webshop/generate/generateCatalogue.ts";
import { InputError } from "../../numeric/inputError.ts";
import { generatedShop } from "../../reading/shop/generatedShop.ts";
import { startLoading, type LoadRequest, type StartLoading } from "./loadFiles.ts";
import {
  beginTrip,
  here,
  takeTurn,
  TRIP_DEFAULTS,
  type Trip,
  type TripSetup,
} from "../../reading/shop/trip.ts";

type ShopSource =
  | { kind: "generated"; seed: number }
  | { kind: "files"; counts: LoadedShop["counts"]; warnings: LoadedShop["warnings"] };

export interface OpenShop {
  catalogue: Catalogue;
  source: ShopSource;
}

export type Reading =
  | { state: "idle" }
  | { state: "reading"; progress: LoadProgress | null }
  | { state: "indexing" }
  | { state: "failed"; message: string };

export interface ShopState {
  shop: OpenShop;
  trip: Trip;
  /** The last trip with a turn in it, with its catalogue. */
  lastTrip: { trip: Trip; catalogue: Catalogue } | null;
  /** Grows when the shopper presses something on the page. */
  moves: number;
  reading: Reading;
  /** Why the task in an address is not open; null if it is. */
  addressProblem: string | null;
}

export interface ShopSession {
  store: StoreApi<ShopState>;
  /** A press on the page, as its text. No effect after the end of the trip. */
  act(text: string): void;
  /** The same, typed. */
  write(text: string): void;
  chooseGoal(goal: number): void;
  setShowAttributes(show: boolean): void;
  /** The same goal from its start. */
  again(): void;
  openGenerated(seed: number): void;
  /** A task in an address; an invalid one becomes a problem. */
  openTask(task: { seed: number; goal: number }): void;
  openFiles(request: LoadRequest): void;
  cancelReading(): void;
}

export function createShopSession(start: StartLoading = startLoading): ShopSession {
  const store = createStore<ShopState>(() => firstState(DEFAULT_CATALOGUE_SEED));
  const begin = (setup: Partial<TripSetup>) => store.setState((state) => begun(state, setup));
  const opening = openingOf(store, start);
  return {
    store,
    act: (text) => store.setState((state) => ({ ...acted(state, text), moves: state.moves + 1 })),
    write: (text) => store.setState((state) => acted(state, text)),
    chooseGoal: (goal) => begin({ goal }),
    setShowAttributes: (showAttributes) => begin({ showAttributes }),
    again: () => {
      begin({});
      store.setState(({ moves }) => ({ moves: moves + 1 }));
    },
    ...opening,
    openTask: ({ seed, goal }) => {
      try {
        opening.openGenerated(seed, goal);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        store.setState({ addressProblem: error.message });
      }
    },
  };
}

function begun({ shop, trip }: ShopState, setup: Partial<TripSetup>): Partial<ShopState> {
  return {
    trip: beginTrip(shop.catalogue, { ...trip.setup, ...setup }),
    addressProblem: null,
  };
}

function opened({ trip }: ShopState, shop: OpenShop, goal: number): Partial<ShopState> {
  return {
    shop,
    trip: beginTrip(shop.catalogue, { ...trip.setup, goal }),
    reading: { state: "idle" },
    addressProblem: null,
  };
}

/** Milliseconds for the page to show that it builds the index, which blocks its thread for a moment. */
const BEFORE_INDEX = 50;

/** Replaces the open shop: a pending read is aborted. */
function openingOf(store: StoreApi<ShopState>, start: StartLoading) {
  let stopLoading = () => {};
  const open = (shop: OpenShop, goal = 0) => store.setState((state) => opened(state, shop, goal));
  const openLoaded = ({ products, goals, counts, warnings }: LoadedShop) => {
    store.setState({ reading: { state: "indexing" } });
    const source = { kind: "files" as const, counts, warnings };
    const timer = setTimeout(
      () => open({ catalogue: createCatalogue(products, goals), source }),
      BEFORE_INDEX,
    );
    stopLoading = () => clearTimeout(timer);
  };
  return {
    openGenerated: (seed: number, goal?: number) => {
      open({ catalogue: generatedShop(seed), source: { kind: "generated", seed } }, goal);
      stopLoading();
    },
    openFiles: (request: LoadRequest) => {
      stopLoading();
      store.setState({ reading: { state: "reading", progress: null } });
      stopLoading = start(request, {
        onProgress: (progress) => store.setState({ reading: { state: "reading", progress } }),
        onLoaded: openLoaded,
        onFailed: (message) => store.setState({ reading: { state: "failed", message } }),
      });
    },
    cancelReading: () => {
      stopLoading();
      store.setState({ reading: { state: "idle" } });
    },
  };
}

function firstState(seed: number): ShopState {
  const catalogue = generatedShop(seed);
  return {
    shop: { catalogue, source: { kind: "generated", seed } },
    trip: beginTrip(catalogue, { ...TRIP_DEFAULTS, goal: 0 }),
    lastTrip: null,
    moves: 0,
    reading: { state: "idle" },
    addressProblem: null,
  };
}

function acted(state: ShopState, text: string): Partial<ShopState> {
  if (here(state.trip).ended) return {};
  const { catalogue } = state.shop;
  const trip = takeTurn(catalogue, state.trip, text);
  return { trip, lastTrip: { trip, catalogue } };
}
