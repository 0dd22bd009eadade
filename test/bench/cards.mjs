// `node test/bench/cards.mjs`: how products and attention are shared out on a graphics card, now and before, as Markdown tables of
// exact counts: FLOPs per byte, workgroups, numbers that a thread keeps, workgroup memory, dispatches. Needs no card.
import { withBundle } from "./bundle.mjs";

await withBundle("cards", ({ main }) => console.log(main()));
