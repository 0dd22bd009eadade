/** The panels of the lens over made-up runs, to be looked at by eye and by the tests; no part of what is built. */
import "../../src/app/styles/all.ts";
import { createRoot } from "react-dom/client";
import { ErrorBoundary } from "../../src/app/ErrorBoundary.tsx";
import { followTheme } from "../../src/app/theme.ts";
import { readAddress } from "./address.ts";
import { openStory } from "./openStory.ts";
import { Frame, StoryMenu } from "./StoryMenu.tsx";
import { Parts } from "./Parts.tsx";
import { StoryView } from "./StoryView.tsx";
import "./stories.css";

const address = readAddress(location.search);
// Only here, and not as a preference: that would outlive the page.
if (address.theme) document.documentElement.dataset["theme"] = address.theme;
else followTheme();

const isFramed = window !== window.parent;
const framed = address.width !== null && !isFramed;
const isParts = new URLSearchParams(location.search).has("parts");
const experiment = framed || isParts ? null : await openStory(address.story);
createRoot(document.getElementById("root")!).render(
  <ErrorBoundary>
    {!isFramed && <StoryMenu address={address} />}
    {isParts ? (
      <Parts />
    ) : experiment ? (
      <StoryView experiment={experiment} address={address} />
    ) : (
      <Frame address={address} />
    )}
  </ErrorBoundary>,
);
