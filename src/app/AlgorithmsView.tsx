/** The algorithms page, around its panel. */
import { AlgorithmsPanel } from "../panels/algorithms/AlgorithmsPanel.tsx";
import { QuestionsPanel } from "../panels/questions/QuestionsPanel.tsx";
import { ReadingSection } from "../panels/algorithms/ReadingSection.tsx";
import { words } from "../panels/algorithms/words.ts";
import { algorithmsHashOf, usePicked } from "./algorithmsAddress.ts";
import { REFEREE_HASH } from "./route.ts";
import { ViewHead } from "./ViewHead.tsx";
import "./styles/algorithms.css";

/** `back` is the address of the notebook. */
export function AlgorithmsView({ back }: { back: string }) {
  const picked = usePicked();
  // An address with a name scrolls to that algorithm at once.
  const isNamed = location.hash.startsWith(`${algorithmsHashOf()}-`);
  return (
    <article className="machine algorithms" data-testid="algorithms">
      <ViewHead words={words} back={back} focus={isNamed ? null : {}}>
        <a href={REFEREE_HASH}>{words.referee}</a>
      </ViewHead>
      <AlgorithmsPanel
        picked={picked}
        hrefOf={algorithmsHashOf}
        onPick={(...names) => (location.hash = algorithmsHashOf(...names))}
      />
      <ReadingSection picked={picked} />
      <QuestionsPanel />
    </article>
  );
}
