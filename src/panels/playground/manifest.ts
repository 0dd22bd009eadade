import { definePanel } from "../../figures/manifest.ts";
import "./playground.css";

export const playground = definePanel({
  id: "playground",
  pane: "try",
  openAtFirst: false,
  title: "Playground",
  about: "Play yourself with the policy's predictions shown, or let it take over.",
  terms: ["policy", "value", "critic", "turn"],
  keys: [
    { id: "playUp", name: "Move up", keys: ["ArrowUp"], scope: "play" },
    { id: "playDown", name: "Move down", keys: ["ArrowDown"], scope: "play" },
    { id: "playLeft", name: "Move left", keys: ["ArrowLeft"], scope: "play" },
    { id: "playRight", name: "Move right", keys: ["ArrowRight"], scope: "play" },
    { id: "playPolicy", name: "Let the policy take a turn", keys: ["y"], scope: "play" },
    {
      id: "playPolicyOn",
      name: "Let the policy play to the end, or stop it",
      keys: ["Y"],
      scope: "play",
    },
    { id: "playTakeBack", name: "Undo the last turn", keys: ["u"], scope: "play" },
  ],
  scopes: { play: "In the playground" },
});
