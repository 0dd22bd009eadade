/** Shown before a notebook of another site: its address, and a button that fetches it. Nothing is fetched before. */
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import type { RemoteAddress } from "./bookAddress.ts";
import { fetchNotebook, remoteUrl } from "./fetchNotebook.ts";
import { words as all } from "./words.ts";

const words = all.remote;

interface RemotePageProps {
  address: RemoteAddress;
  onText: (text: string) => void;
}

export function RemotePage({ address, onText }: RemotePageProps) {
  const [busy, setBusy] = useState(false);
  const [why, setWhy] = useState<string | null>(null);
  const { url, refused } = urlOrReason(address);
  const fetchIt = async () => {
    setBusy(true);
    setWhy(null);
    try {
      onText(await fetchNotebook(url!));
    } catch (error) {
      setWhy((error as Error).message);
      setBusy(false);
    }
  };
  const problem = refused ?? why;
  return (
    <article className="panel remote-page" data-testid="remote">
      <h1>{words.title}</h1>
      <p>{words.about}</p>
      <p>
        {words.address}: <code data-testid="remote-address">{url?.href ?? address.at}</code>
      </p>
      {problem !== null && (
        <div role="alert" className="notice notice-problem" data-testid="remote-problem">
          <strong>{words.failed}</strong>
          <p>{problem}</p>
        </div>
      )}
      {url && (
        <>
          <div className="buttons">
            <Button
              look="primary"
              data-testid="fetch-notebook"
              disabled={busy}
              onClick={() => void fetchIt()}
            >
              {busy ? words.fetching : why === null ? words.fetch : words.again}
            </Button>
          </div>
          <p className="note">{words.then}</p>
        </>
      )}
    </article>
  );
}

function urlOrReason(address: RemoteAddress): { url: URL | null; refused: string | null } {
  try {
    return { url: remoteUrl(address), refused: null };
  } catch (error) {
    return { url: null, refused: (error as Error).message };
  }
}
