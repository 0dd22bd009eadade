/** A folder at an address: the reader types it, sees what it holds, and agrees to its download. */
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { formatBytes } from "../../numeric/format.ts";
import { Button } from "../../ui/Button.tsx";
import { Field } from "../../ui/Field.tsx";
import {
  addressed,
  discardUnfinished,
  downloadFolder,
  keepDownload,
  listUnfinished,
  lookAtAddress,
  stopDownload,
} from "./addressState.ts";
import type { NamedFiles } from "../../store/keptModels.ts";
import type { ModelSession } from "./modelState.ts";
import { words } from "./words.ts";

const { address } = words;

interface AddressFormProps {
  session: ModelSession;
  onOpen: (folder: NamedFiles) => void;
}

export function AddressForm({ session, onOpen }: AddressFormProps) {
  const [typed, setTyped] = useState("");
  const { doing, folder, problem } = useStore(addressed);
  useEffect(() => void listUnfinished(), []);
  const start = async () => {
    const downloaded = await downloadFolder();
    if (!downloaded) return;
    onOpen(downloaded);
    // The folder is kept under the hash of its files, which the worker computes.
    const stop = session.store.subscribe(({ report }) => {
      const hash = report?.folder?.hash;
      const isOver = report === null || report.problem !== null;
      if (hash || isOver) stop();
      if (hash) void keepDownload(hash, downloaded);
    });
  };
  return (
    <form
      className="model-address"
      onSubmit={(event) => {
        event.preventDefault();
        void lookAtAddress(typed);
      }}
    >
      <Field label={address.label} hint={address.hint} problem={problem ?? undefined}>
        {(control) => (
          <span className="model-choose">
            <input
              {...control}
              type="text"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              value={typed}
              data-testid="model-address"
              onChange={({ target }) => setTyped(target.value)}
            />
            <Button
              type="submit"
              data-testid="model-look"
              disabled={doing !== "nothing" || typed.trim() === ""}
            >
              {doing === "looking" ? address.looking : address.look}
            </Button>
          </span>
        )}
      </Field>
      {folder && (
        <p role="status" data-testid="model-found">
          {address.found(folder.name, folder.host, folder.files.length, formatBytes(folder.bytes))}
        </p>
      )}
      <DownloadButtons onStart={() => void start()} />
    </form>
  );
}

/** What can be done with the folder that was looked at, and with one that is only partly here. */
function DownloadButtons({ onStart }: { onStart: () => void }) {
  const { doing, folder, done, unfinished } = useStore(addressed);
  if (folder && doing === "downloading")
    return (
      <div className="model-choose">
        <progress max={folder.bytes} value={done ?? 0} aria-label={address.progress} />
        <span>{address.done(formatBytes(done ?? 0), formatBytes(folder.bytes))}</span>
        <Button data-testid="model-stop-download" onClick={stopDownload}>
          {address.stop}
        </Button>
      </div>
    );
  const here = unfinished.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <div className="model-choose">
      {folder && (
        <Button look="primary" data-testid="model-download" onClick={onStart}>
          {address.download(formatBytes(folder.bytes), folder.host)}
        </Button>
      )}
      {unfinished.length > 0 && (
        <>
          <span className="note" data-testid="model-unfinished">
            {address.unfinished(formatBytes(here))}
          </span>
          <Button data-testid="model-discard" onClick={() => void discardUnfinished()}>
            {address.discard}
          </Button>
        </>
      )}
    </div>
  );
}
