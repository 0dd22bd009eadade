/** WebShop as data. Its goals come from a catalogue, so `train` has a separate task family for it. */
import { describe, commonFields } from "../descriptor.ts";

export const webshop = describe({
  kind: "webshop",
  title: "Shop",
  // In registry.ts: the page reads descriptors before its first paint, and this would load a whole
  // shop.
  registered: [],
  fields: [
    {
      part: "world",
      path: "environment.catalogSeed",
      label: "Shop",
      hint: "Seed of its products and goals",
    },
    {
      part: "world",
      path: "environment.observation",
      label: "Pages recorded as",
      options: [
        { value: "text_rich", label: "text with marked buttons" },
        { value: "text", label: "plain text" },
      ],
    },
    commonFields.maxTurns,
    {
      part: "turns",
      path: "environment.think",
      label: "Think first",
      options: [
        { value: "false", label: "no" },
        { value: "true", label: "yes" },
      ],
    },
    { ...commonFields.formatPenalty, hint: "Paid for a turn in bad form; WebShop has none" },
    {
      part: "chance",
      path: "clone.noise",
      label: "Expert's noise",
      hint: "Share of its turns that are random",
      absent: "0",
    },
  ],
  task: "goal",
  shownAs: "page",
  answers: { form: "one action", example: "click[buy now] or search[red shoes]" },
  // A page is shown as a page.
  picture: () => null,
  ragen: { tag: "TurnbookWebShop", type: "webshop", instruction: "", settings: {} },
  training: null,
});
