import { definePanel } from "../shared/manifest.ts";
import "./gradient.css";

export const gradient = definePanel({
  id: "gradient",
  title: "Gradient",
  about: "Whose gradient is near the true one, and how much of it is noise.",
});
