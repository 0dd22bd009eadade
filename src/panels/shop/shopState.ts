/** The shop that is open, the trip through it, and files being read. Outlives leaving the page. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { createCatalogue, type Catalogue } from "../../env/webshop/catalogue.ts";
import type { LoadedShop, LoadProgress } from "../../env/webshop/loadProducts.ts";
import { DEFAULT_CATALOGUE_SEED } from "../../env/webshop/generate/generateCatalogue.ts";
import { InputError } from "../../spec/inputError.ts";
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

export type Source =
  | { kind: "generated"; seed: number }
  | { kind: "files"; counts: LoadedShop["counts"]; warnings: LoadedShop["warnings"] };

export interface OpenShop {
  catalogue: Catalogue;
  source: Source;
}

export type Reading =
  | { state: "idle" }
  | { state: "reading"; progress: LoadProgress | null }
  | { state: "indexing" }
  | { state: "failed"; message: string };

export interface ShopState {
  shop: OpenShop;
  trip: Trip;
  /** The last trip with a turn in it, with the catalogue that it went through. */
  lastTrip: { trip: Trip; catalogue: Catalogue } | null;
  /** Grows when the shopper presses something on the page. */
  moves: number;
  reading: Reading;
  /** Why the task that an address asked for is not open; null when it is. */
  addressProblem: string | null;
}

export interface ShopSession {
  store: StoreApi<ShopState>;
  /** A press on the page, as its text. Nothing after the end of the trip. */
  act(text: string): void;
  /** The same, written by hand. */
  write(text: string): void;
  chooseGoal(goal: number): void;
  setShowAttributes(show: boolean): void;
  /** The same goal from its start. */
  again(): void;
  openGenerated(seed: number): void;
  /** A task that an address names; one that is none becomes a problem. */
  openTask(task: { seed: number; goal: number }): void;
  openFiles(request: LoadRequest): void;
  cancelReading(): void;
}

export function createShopSession(start: StartLoading = startLoading): ShopSession {
  const store = createStore<ShopState>(() => firstState(DEFAULT_CATALOGUE_SEED));
  let stopLoading = () => {};

  const begin = (setup: Partial<TripSetup>) =>
    store.setState(({ shop, trip }) => ({
      trip: beginTrip(shop.catalogue, { ...trip.setup, ...setup }),
      addressProblem: null,
    }));
  const open = ({ catalogue, source }: OpenShop, goal = 0) => {
    const { setup } = store.getState().trip;
    store.setState({
      shop: { catalogue, source },
      trip: beginTrip(catalogue, { ...setup, goal }),
      reading: { state: "idle" },
      addressProblem: null,
    });
  };
  const openGenerated = (seed: number, goal?: number) => {
    const catalogue = generatedShop(seed);
    open({ catalogue, source: { kind: "generated", seed } }, goal);
    stopLoading();
  };
  const openLoaded = ({ products, goals, counts, warnings }: LoadedShop) => {
    store.setState({ reading: { state: "indexing" } });
    // The index takes a moment of the page's own thread: first let it say so.
    const timer = setTimeout(() => {
      open({
        catalogue: createCatalogue(products, goals),
        source: { kind: "files", counts, warnings },
      });
    }, 50);
    stopLoading = () => clearTimeout(timer);
  };
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
    openGenerated,
    openTask: ({ seed, goal }) => {
      try {
        openGenerated(seed, goal);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        store.setState({ addressProblem: error.message });
      }
    },
    openFiles: (request) => {
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
