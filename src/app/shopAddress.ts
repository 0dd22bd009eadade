/** Keeps the address bar and the shop's task in sync: `#shop-1-5` is goal 5 of the catalogue of seed 1. */
import { useEffect } from "react";
import type { ShopSession, ShopState } from "../panels/shop/shopState.ts";
import { routeOf, SHOP_HASH } from "./route.ts";

/** The task in an address; null if it leaves the task unchanged. */
export function shopTaskOf(hash: string): { seed: number; goal: number } | null {
  const [, seed, goal] = /^#shop-(\d{1,15})-(\d{1,15})$/.exec(hash) ?? [];
  return seed === undefined ? null : { seed: Number(seed), goal: Number(goal) };
}

/** A shop from the reader's own files has no address. */
export function shopHashOf({ shop: { source }, trip }: ShopState): string {
  return source.kind === "generated" ? `${SHOP_HASH}-${source.seed}-${trip.setup.goal}` : SHOP_HASH;
}

/** Opens the address's task, and writes the address of each chosen task. */
export function useShopAddress(session: ShopSession): void {
  useEffect(() => {
    const read = () => {
      const task = shopTaskOf(location.hash);
      if (task && location.hash !== shopHashOf(session.store.getState())) session.openTask(task);
      // An address without a task stays until a trip begins.
      if (task || session.store.getState().trip.turns.length > 0) write();
    };
    const write = () => {
      const hash = shopHashOf(session.store.getState());
      if (routeOf(location.hash) !== "shop" || location.hash === hash) return;
      history.replaceState(history.state, "", hash);
    };
    read();
    const unsubscribe = session.store.subscribe(write);
    window.addEventListener("hashchange", read);
    return () => {
      unsubscribe();
      window.removeEventListener("hashchange", read);
    };
  }, [session]);
}
