// @vitest-environment happy-dom
/** Files of parts: what two of them share comes to both. */
import { afterEach, expect, it, vi } from "vitest";
import { FILES_ID, withFiles } from "../../src/ui/parts/partFiles.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

/** The page as it is built, with parts that share one style sheet; its links come when they are told to. */
function builtPage() {
  const list = document.createElement("script");
  list.id = FILES_ID;
  list.type = "application/json";
  list.textContent = JSON.stringify({
    files: ["a.js", "b.js", "both.css"],
    parts: { A: [0, 2], B: [1, 2] },
    later: [],
    models: [],
    figures: [],
  });
  const append = document.head.append.bind(document.head);
  // No request of its own: only what the test says comes.
  vi.spyOn(document.head, "append").mockImplementation((...nodes) => {
    for (const node of nodes) if (!(node instanceof HTMLLinkElement)) append(node);
    links.push(...nodes.filter((node) => node instanceof HTMLLinkElement));
  });
  document.body.append(list);
  const links: HTMLLinkElement[] = [];
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("x")));
  return links;
}

it("a style sheet on its way is waited for by all whose it is", async () => {
  const links = builtPage();
  const loaded: string[] = [];
  const load = (name: string) => withFiles([name], () => Promise.resolve(loaded.push(name)));
  const both = Promise.all([load("A"), load("B")]);
  await vi.waitUntil(() => links.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(links).toHaveLength(1);
  links[0]!.onload!(new Event("load"));
  await both;
  expect(loaded.sort()).toEqual(["A", "B"]);
});
