/** The page of the algorithms around its panel. */
import { useEffect, useRef } from "react";
import { AlgorithmsPanel } from "../panels/algorithms/AlgorithmsPanel.tsx";
import { QuestionsPanel } from "../panels/questions/QuestionsPanel.tsx";
import { words } from "../panels/algorithms/words.ts";
import { algorithmsHashOf, usePicked } from "./algorithmsAddress.ts";
import "./styles/algorithms.css";

/** `back` is the address of the notebook. */
export function AlgorithmsView({ back }: { back: string }) {
  const picked = usePicked();
  const heading = useRef<HTMLHeadingElement>(null);
  // Who comes with a name in the address is taken to that algorithm at once.
  useEffect(() => {
    if (!location.hash.startsWith(`${algorithmsHashOf()}-`)) heading.current?.focus();
  }, []);
  return (
    <article className="machine algorithms" data-testid="algorithms">
      <h1 ref={heading} tabIndex={-1}>
        {words.title}
      </h1>
      <p className="machine-intro">{words.intro}</p>
      <p className="machine-links">
        <a href={back} data-testid="back">
          {words.back}
        </a>
      </p>
      <AlgorithmsPanel
        picked={picked}
        hrefOf={algorithmsHashOf}
        onPick={(...names) => (location.hash = algorithmsHashOf(...names))}
      />
      <QuestionsPanel />
    </article>
  );
}
