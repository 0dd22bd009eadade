/** Header of a page besides the notebook: its title, which gets the focus, an introduction and a link back. */
import { useEffect, useRef, type ReactNode } from "react";
import "./styles/viewHead.css";

interface ViewHeadProps {
  words: { title: string; intro: string; back: string };
  /** Address of the notebook. */
  back: string;
  /** How the title is focused initially; null if it is not. */
  focus?: FocusOptions | null;
  /** Next to the link back. */
  children?: ReactNode;
  /** Next to the title. */
  beside?: ReactNode;
  /** The title alone. */
  isShort?: boolean;
}

const PLAIN: FocusOptions = {};

export function ViewHead(props: ViewHeadProps) {
  const { words, back, focus = PLAIN, children, beside, isShort = false } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const atFirst = useRef(focus);
  useEffect(() => {
    if (atFirst.current) heading.current?.focus(atFirst.current);
  }, []);
  return (
    <>
      <div className="view-top">
        <h1 ref={heading} className="view-title" tabIndex={-1}>
          {words.title}
        </h1>
        {beside}
      </div>
      {!isShort && (
        <>
          <p className="view-intro">{words.intro}</p>
          <p className="view-links">
            <a href={back} data-testid="back">
              {words.back}
            </a>
            {children}
          </p>
        </>
      )}
    </>
  );
}
