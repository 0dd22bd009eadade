/**
 * The offline page: its files are fetched at the first visit and served from storage, version by
 * version; large files are stored at their first request. A new version waits until no page of the
 * old one is open, or a page requests it. Built by `build/offline.ts` as a separate file.
 */
import { addPlugins, cleanupOutdatedCaches, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { NEW_VERSION } from "./newVersion.ts";

/** Filled in at build: paths next to the page, with the hash of files that keep their name; null if the name contains it. */
declare const __PRECACHE__: { url: string; revision: string | null }[];
/** For files stored at their first use: hashes by path. */
declare const __LATER__: Record<string, string>;

/** The part of a service worker that is used: TypeScript's DOM library lacks it. */
interface Scope {
  registration: { scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(
    type: "activate",
    listener: (event: { waitUntil(work: Promise<unknown>): void }) => void,
  ): void;
}

const scope = self as unknown as Scope;
const LATER = `turnbook-later ${scope.registration.scope}`;

/** A key that contains its hash: a new version's file has another one. */
function keyOf(url: URL): string | null {
  const path = url.href.split(/[?#]/)[0]!.slice(scope.registration.scope.length);
  const revision = url.href.startsWith(scope.registration.scope) ? __LATER__[path] : undefined;
  return revision === undefined ? null : `${scope.registration.scope}${path}?revision=${revision}`;
}

/** Some servers answer with the page itself for missing files. */
function isWhole({ url }: Request, answer: Response): boolean {
  const isPage = answer.headers.get("content-type")?.startsWith("text/html") === true;
  return answer.status === 200 && (!isPage || /(\.html|\/)$/.test(url.split(/[?#]/)[0]!));
}

async function keptOrFetched(request: Request, key: string): Promise<Response> {
  const cache = await caches.open(LATER);
  const kept = await cache.match(key);
  if (kept) return kept;
  const answer = await fetch(request);
  // If there is no space, it is fetched again the next time.
  if (isWhole(request, answer)) await cache.put(key, answer.clone()).catch(() => undefined);
  return answer;
}

async function dropOutdated(): Promise<void> {
  const cache = await caches.open(LATER);
  const current = new Set(
    Object.keys(__LATER__).map((path) => keyOf(new URL(path, scope.registration.scope))),
  );
  for (const { url } of await cache.keys()) if (!current.has(url)) await cache.delete(url);
}

// An incomplete file aborts the installation: the previous version stays.
addPlugins([
  {
    cacheWillUpdate: async ({ request, response }) =>
      isWhole(request, response) ? response : null,
  },
]);
// The address may request an embedded cell or a view: it is the same page.
precacheAndRoute(__PRECACHE__, { ignoreURLParametersMatching: [/./], cleanURLs: false });
cleanupOutdatedCaches();
registerRoute(
  ({ url }) => keyOf(url) !== null,
  ({ request, url }) => keptOrFetched(request, keyOf(url)!),
);
scope.addEventListener("activate", (event) => event.waitUntil(dropOutdated()));
scope.addEventListener("message", ({ data }) => {
  if (data === NEW_VERSION) void scope.skipWaiting();
});
