/** The link that a teacher hands out: made by one press, shown as a QR code that fills a projector. */
import { useMemo, useRef, useState } from "react";
import { LONGEST_LINK } from "../../notebook/sharedText.ts";
import type { FieldsOf } from "../../notebook/cellFields.ts";
import type { ClassSetup } from "../../reading/classroom/classResults.ts";
import { copyText } from "../../ui/clipboard.ts";
import { Button } from "../../ui/Button.tsx";
import { MOST_IN_QR } from "../shell/CopyResult.tsx";
import { QrCode } from "../shell/QrCode.tsx";
import { words as shellWords } from "../shell/words.ts";
import { classLinkOf } from "./classNotebook.ts";
import { classWords as words } from "./words.ts";

interface LinkProps {
  setup: ClassSetup;
  fields: FieldsOf<"class">;
}

export function ClassLink({ setup, fields }: LinkProps) {
  const [isMade, setMade] = useState(false);
  return isMade ? (
    <Made {...{ setup, fields }} />
  ) : (
    <div className="buttons">
      <Button data-testid="class-make-link" onClick={() => setMade(true)}>
        {words.makeLink}
      </Button>
      <span className="note">{words.linkHint}</span>
    </div>
  );
}

function Made({ setup: { spec }, fields }: LinkProps) {
  const link = useMemo(() => classLinkOf(spec, fields), [spec, fields]);
  if (link.length > LONGEST_LINK)
    return <p className="notice">{words.linkTooLong(link.length, LONGEST_LINK)}</p>;
  return <Shown link={link} />;
}

function Shown({ link }: { link: string }) {
  const figure = useRef<HTMLElement>(null);
  const [said, setSaid] = useState(words.linkMade(link.length));
  const copy = async () => setSaid((await copyText(link)) ? words.copied : words.notCopied);
  const hasQr = link.length <= MOST_IN_QR;
  return (
    <figure ref={figure} className="class-link" aria-label={words.linkIs}>
      {hasQr ? <QrCode text={link} /> : <p className="note">{shellWords.qrTooLong(MOST_IN_QR)}</p>}
      <figcaption>
        <a href={link} data-testid="class-link">
          {words.linkIs}
        </a>
        <div className="buttons">
          <Button look="primary" data-testid="class-copy" onClick={() => void copy()}>
            {words.copyClass}
          </Button>
          {hasQr && document.fullscreenEnabled && (
            <Button onClick={() => void figure.current?.requestFullscreen()}>{words.large}</Button>
          )}
          <span className="note" role="status">
            {said}
          </span>
        </div>
      </figcaption>
    </figure>
  );
}
