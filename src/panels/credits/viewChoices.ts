/** The reader's choices in the panel. */
import { useState } from "react";
import { ALL, type Changes } from "../../reading/credit/changes.ts";
import { usePanelSetting } from "../shared/usePanelSetting.ts";
import { credits } from "../../figures/credits/manifest.ts";
import type { Quantity } from "../../figures/credits/columns.ts";
import type { Grain } from "../../figures/credits/columns.ts";

export interface CreditChoices {
  quantity: Quantity;
  grain: Grain;
  /** Turns that are expanded into their tokens, from 0. */
  open: ReadonlySet<number>;
  /** Rows in addition to those that are always there. */
  added: readonly string[];
  changes: Changes;
  /** Row that the sliders change, or ALL. */
  target: string;
}

const NONE_OPEN: ReadonlySet<number> = new Set();

/** The address keeps everything except what only helps to choose. */
export function useChoices(): [CreditChoices, change: (changes: Partial<CreditChoices>) => void] {
  const [quantity, setQuantity] = usePanelSetting(credits, "quantity");
  const [grain, setGrain] = usePanelSetting(credits, "grain");
  const [added, setAdded] = usePanelSetting(credits, "rows");
  const [changes, setChanges] = usePanelSetting(credits, "set");
  const [open, setOpen] = useState(NONE_OPEN);
  const [target, setTarget] = useState(ALL);
  const change = (wanted: Partial<CreditChoices>) => {
    if (wanted.quantity !== undefined) setQuantity(wanted.quantity);
    if (wanted.grain !== undefined) setGrain(wanted.grain);
    if (wanted.added !== undefined) setAdded(wanted.added);
    if (wanted.changes !== undefined) setChanges(wanted.changes);
    if (wanted.open !== undefined) setOpen(wanted.open);
    if (wanted.target !== undefined) setTarget(wanted.target);
  };
  return [{ quantity, grain, added, changes, open, target }, change];
}
