/** The page's one polite live region: run status, at most every few seconds. */
import { useEffect, useState } from "react";
import { throttle } from "../store/throttle.ts";
import { ANNOUNCE_INTERVAL, announcement } from "./announce.ts";
import type { Experiments } from "./experiments.ts";

export function LiveRegion({ experiments }: { experiments: Experiments }) {
  const [text, setText] = useState("");
  useEffect(() => {
    const stores = [...experiments.values()].map(({ store }) => store);
    const say = throttle(() => {
      const said = stores
        .map((store) => announcement(store.getState()))
        .filter((one) => one !== "");
      setText(said.join(" "));
    }, ANNOUNCE_INTERVAL);
    const unsubscribe = stores.map((store) => store.subscribe(say));
    return () => {
      say.cancel();
      for (const end of unsubscribe) end();
    };
  }, [experiments]);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-testid="live-region">
      {text}
    </div>
  );
}
