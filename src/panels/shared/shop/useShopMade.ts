import { use, useMemo } from "react";
import { prepareShop } from "../../../reading/shop/generatedShop.ts";

/** Suspends the component until the shop is generated, or known to be invalid. */
export function useShopMade(seed: number): void {
  use(useMemo(() => prepareShop(seed), [seed]));
}
