/** The keys of the shell's action table, for panels that show them: the table itself is on a higher floor. */
import { createContext, useContext } from "react";

/** The name of an action's first key; null if there is none. */
export type KeyOf = (action: string) => string | null;

export const ActionKeys = createContext<KeyOf>(() => null);

export function useKeyOf(): KeyOf {
  return useContext(ActionKeys);
}
