/** The credit referee's page, around its panel. `#referee/TASK/ROW/CRITIC` names a line. */
import { useMemo } from "react";
import { RefereePanel } from "../panels/referee/RefereePanel.tsx";
import { words } from "../figures/referee/words.ts";
import { REFEREE_HASH, useHash } from "./route.ts";
import { ViewHead } from "./ViewHead.tsx";

/** `back` is the address of the notebook. */
export function RefereeView({ back }: { back: string }) {
  const hash = useHash();
  const named = useMemo(() => {
    const [, task, row, critic] = hash.split("/");
    return { ...(task && { task }), ...(row && { row }), ...(critic && { critic }) };
  }, [hash]);
  return (
    <article className="machine" data-testid="referee">
      <ViewHead words={words} back={back} />
      <section className="panel" aria-label={words.title}>
        <RefereePanel
          named={named}
          onLine={(...line) => (location.hash = [REFEREE_HASH, ...line].join("/"))}
        />
      </section>
    </article>
  );
}
