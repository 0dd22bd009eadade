/**
 * Reports that the link is on the clipboard, or shows the link itself if the browser forbids
 * copying; whether it contains curves; and as a QR code.
 */
import { useState } from "react";
import { useStore } from "zustand";
import { lazyPart } from "../../ui/parts/lazyPart.tsx";
import { lastCopy, type Copied } from "../copyLink.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

const QrCode = lazyPart("QrCode", () => import("./QrCode.tsx"), words.qrOpening);

const selectCopy = (state: { last: Copied }) => state.last;

export function CopyResult() {
  const last = useStore(lastCopy, selectCopy);
  return last && <Result last={last} />;
}

/** Maximum characters of a link as a QR code: finer ones do not scan from a screen. */
export const MOST_IN_QR = 1000;

function Result({ last: { link, copied, again, curves } }: { last: NonNullable<Copied> }) {
  const [qr, setQr] = useState(false);
  const tooLong = link.length > MOST_IN_QR;
  return (
    <div className="copy-result">
      <p role="status" data-testid="copied" data-link={link}>
        {copied === true && words.copied(link.length)}
        {copied === false && (
          <label>
            {words.notCopied(link.length)}{" "}
            <input readOnly value={link} onFocus={({ target }) => target.select()} />
          </label>
        )}
      </p>
      {curves !== null && (
        <label>
          <input
            type="checkbox"
            checked={curves}
            data-testid="link-curves"
            onChange={({ target }) => again(target.checked)}
          />{" "}
          {words.withCurves}
        </label>
      )}
      {tooLong ? (
        <span className="note" data-testid="no-qr">
          {words.qrTooLong(MOST_IN_QR)}
        </span>
      ) : (
        <Button look="quiet" aria-expanded={qr} data-testid="qr-button" onClick={() => setQr(!qr)}>
          {words.qr}
        </Button>
      )}
      {qr && !tooLong && <QrCode text={link} />}
    </div>
  );
}
