import { definePanel } from "../shared/manifest.ts";
import "./doctor.css";

export const doctor = definePanel({
  id: "doctor",
  title: "Doctor",
  about: "Is this run collapsing? What says so, since when, and what helps.",
});
