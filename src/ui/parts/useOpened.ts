/** A part that is mounted from its first opening on: it may have to restore things when it is closed. */
import { useState } from "react";

export function useOpened(isOpen: boolean): boolean {
  const [was, setWas] = useState(isOpen);
  if (isOpen && !was) setWas(true);
  return was || isOpen;
}
