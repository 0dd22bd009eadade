/**
 * The page without a network: what it needs is fetched at its first visit and answered from there, version by version; large files
 * are kept when they are first asked for. A new version waits until no page of the old one is open, or one asks for it. Built by
 * `build/offline.ts` as a file of its own.
 */
import { addPlugins, cleanupOutdatedCaches, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { NEW_VERSION } from "./newVersion.ts";

/** Filled in at build: paths beside the page, with the hash of what changes under its name; null where the name has it. */
declare const __PRECACHE__: { url: string; revision: string | null }[];
/** Of what is kept at its first use: hashes by path. */
declare const __LATER__: Record<string, string>;

/** The part of a service worker that is used: TypeScript's library of pages does not know it. */
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

/** What its hash is, in a name of its own: a new version's file is another one. */
function keyOf(url: URL): string | null {
  const path = url.href.split(/[?#]/)[0]!.slice(scope.registration.scope.length);
  const revision = url.href.startsWith(scope.registration.scope) ? __LATER__[path] : undefined;
  return revision === undefined ? null : `${scope.registration.scope}${path}?revision=${revision}`;
}

/** Some servers answer with the page itself for what they do not have. */
function isWhole({ url }: Request, answer: Response): boolean {
  const isPage = answer.headers.get("content-type")?.startsWith("text/html") === true;
  return answer.status === 200 && (!isPage || /(\.html|\/)$/.test(url.split(/[?#]/)[0]!));
}

async function keptOrFetched(request: Request, key: string): Promise<Response> {
  const cache = await caches.open(LATER);
  const kept = await cache.match(key);
  if (kept) return kept;
  const answer = await fetch(request);
  // Where there is no room it is fetched again the next time.
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

// One that is not whole ends the installation: the version before stays.
addPlugins([
  {
    cacheWillUpdate: async ({ request, response }) =>
      isWhole(request, response) ? response : null,
  },
]);
// The address may ask for an embedded cell or a view: it is the same page.
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
