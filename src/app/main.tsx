/**
 * The first script, and a small one: index.html has a frame with the page's first words, which are painted before anything else is
 * asked for. Then the page itself comes (`start.tsx`).
 */
// First: what comes later overrules it.
import "./styles/all.ts";
import "../panels/opening/opening.css";
import { firstPaint } from "./firstPaint.ts";

// Otherwise public/needs.js says what is missing.
document.documentElement.dataset["started"] = "";

firstPaint()
  .then(() => import("./start.tsx"))
  .catch(() => window.dispatchEvent(new Event("turnbook:lost")));
