/** A result code as text, as a link and as the link's QR code. */
import { useState } from "react";
import { copyText } from "../../ui/clipboard.ts";
import { Button } from "../../ui/Button.tsx";
import { CLASS_HASH } from "../route.ts";
import { QrCode } from "../shell/QrCode.tsx";
import { classWords as words } from "./words.ts";

export function ClassCopy({ code }: { code: string }) {
  const [said, setSaid] = useState("");
  const link = new URL(CLASS_HASH + code, location.href).href;
  const copy = async (text: string) =>
    setSaid((await copyText(text)) ? words.copied : words.notCopied);
  return (
    <div className="class-code">
      <div>
        <code data-testid="class-code">{code}</code>
        <div className="buttons">
          <Button look="primary" onClick={() => void copy(code)}>
            {words.copy}
          </Button>
          <Button data-testid="class-copy-link" data-link={link} onClick={() => void copy(link)}>
            {words.copyLink}
          </Button>
          <span className="note" role="status">
            {said}
          </span>
        </div>
      </div>
      <QrCode text={link} />
    </div>
  );
}
