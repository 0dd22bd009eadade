/** The glossary page, around its panel. */
import { GlossaryPanel } from "../panels/glossary/GlossaryPanel.tsx";
import { manifests } from "../panels/manifests.ts";
import { words } from "../panels/glossary/words.ts";
import { GLOSSARY_HASH, useHash } from "./route.ts";
import { ViewHead } from "./ViewHead.tsx";

/** `back` is the address of the notebook. */
export function GlossaryView({ back }: { back: string }) {
  const hash = useHash();
  const picked = hash.startsWith(`${GLOSSARY_HASH}-`) ? hash.slice(GLOSSARY_HASH.length + 1) : null;
  return (
    <article className="machine" data-testid="glossary">
      <ViewHead words={words} back={back} focus={{ preventScroll: true }} />
      <GlossaryPanel picked={picked} panel={panelOf(picked)} allHref={GLOSSARY_HASH} />
    </article>
  );
}

/** An address may name a panel, as `panel-` and its id. */
export function panelOf(picked: string | null) {
  return manifests.find(({ id }) => picked === `panel-${id}`) ?? null;
}
