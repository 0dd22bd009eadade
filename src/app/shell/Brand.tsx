/** The logo and the page's name, in the link to the notebook. */
import { appWords } from "../strings.ts";

export function Brand() {
  return (
    <>
      <Logo />
      {appWords.title}
    </>
  );
}

/** Three turns, the last one under the cursor. */
function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <rect width="22" height="22" rx="5" fill="var(--go)" />
      <rect x="4.5" y="9" width="3" height="8" rx="1" fill="var(--go-ink)" />
      <rect x="9.5" y="12" width="3" height="5" rx="1" fill="var(--go-ink)" />
      <rect x="14.5" y="5" width="3" height="12" rx="1" fill="var(--cursor)" />
    </svg>
  );
}
