/** A panel of the lens: its body, and the body with the panel's present place. */
import { z } from "../../spec/zod.ts";
import { changeBody, readBody } from "../body.ts";
import { line, turnPlace, word } from "./fields.ts";
import type { CellKind } from "./kind.ts";

export const panelKind = {
  title: "Panel",
  button: "Figure",
  shows: true,
  blank: "panel: credits",
  schema: z.object({
    panel: word,
    at: z.optional(turnPlace),
    settings: z._default(
      z.record(
        z.string(),
        z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String)),
      ),
      {},
    ),
    caption: z.optional(line),
  }),
  showsRun: true,
  // Not the panel that has its own list of pages.
  onPaper: (body) => (readBody(body).fields["panel"] === "turns" ? null : "recorded"),
} satisfies CellKind;

interface PanelPlace {
  /** As in links; "" for the newest. */
  at: string;
  /** By the panel's own names, without unchanged ones. */
  settings: Readonly<Record<string, string>>;
}

/** Cursor and settings, the rest as written; the same text if nothing changed. */
export function withPlace(body: string, { at, settings }: PanelPlace): string {
  const { fields } = readBody(body);
  const before = Object(fields["settings"] ?? {}) as Record<string, unknown>;
  const names = Object.keys({ ...before, ...settings });
  const changes = [
    ...(textOf(fields["at"]) === at ? [] : [{ path: ["at"], value: at === "" ? undefined : at }]),
    ...names
      .filter((name) => textOf(before[name]) !== (settings[name] ?? ""))
      .map((name) => ({ path: ["settings", name], value: settings[name] })),
  ];
  // Removals come last, so that a group that stays is not created again.
  changes.sort((a, b) => Number(a.value === undefined) - Number(b.value === undefined));
  return changes.length === 0 ? body : changeBody(body, changes);
}

function textOf(value: unknown): string {
  return value === undefined ? "" : String(value);
}
