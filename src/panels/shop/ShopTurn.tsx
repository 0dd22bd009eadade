/** The page of a turn to be clicked; only then is the shop loaded and made. */
import { lazy, Suspense } from "react";
import { strings } from "../strings.ts";
import type { ClickablePageProps } from "./ClickablePage.tsx";

const ClickablePage = lazy(async () => ({
  default: (await import("./ClickablePage.tsx")).ClickablePage,
}));

export function ShopTurn(props: ClickablePageProps) {
  return (
    <Suspense fallback={<p className="empty">{strings.turns.shopOpening}</p>}>
      <ClickablePage {...props} />
    </Suspense>
  );
}
