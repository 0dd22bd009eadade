/** A part that is there from the time it was first opened: it may have to put things back when it is closed. */
import { useState } from "react";

export function useOpened(isOpen: boolean): boolean {
  const [was, setWas] = useState(isOpen);
  if (isOpen && !was) setWas(true);
  return was || isOpen;
}
