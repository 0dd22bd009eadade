/** The page works without a network after its first visit: its files are kept by a service worker, and a new version is offered. */
import { runQueue } from "../../store/runQueue.ts";
import { say } from "../../ui/toasts.ts";
import { appWords } from "../strings.ts";
import { NEW_VERSION } from "./newVersion.ts";

const words = appWords.offline;

/** Served from its sources the page changes all the time; in a frame of another site, and without HTTPS, there is none. */
export async function keepOffline(
  workers: ServiceWorkerContainer | undefined = import.meta.env.PROD
    ? navigator.serviceWorker
    : undefined,
): Promise<void> {
  try {
    const registration = await workers?.register(new URL("sw.js", document.baseURI));
    if (registration) followVersions(workers!, registration);
  } catch {
    // Storage is forbidden, or there is none such: the page needs the network.
  }
}

/** Says once of each new version that it is there, and not while something trains. */
function followVersions(
  workers: ServiceWorkerContainer,
  registration: ServiceWorkerRegistration,
): void {
  const offer = () => {
    const { waiting } = registration;
    // The first one takes over from nobody.
    if (waiting && workers.controller)
      void whenIdle().then(() => offerVersion(workers, waiting, () => location.reload()));
  };
  offer();
  registration.addEventListener("updatefound", () => {
    const { installing } = registration;
    installing?.addEventListener("statechange", () => installing.state === "installed" && offer());
  });
}

/** Resolves where nothing trains, and nothing waits to. */
export function whenIdle(): Promise<void> {
  const isIdle = () => {
    const { current, waiting } = runQueue.getState();
    return current === null && waiting.length === 0;
  };
  if (isIdle()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = runQueue.subscribe(() => {
      if (!isIdle()) return;
      end();
      resolve();
    });
  });
}

/** The reader decides; otherwise it comes with the next visit. */
export function offerVersion(
  workers: Pick<ServiceWorkerContainer, "addEventListener">,
  waiting: Pick<ServiceWorker, "postMessage">,
  reload: () => void,
): void {
  const run = () => {
    workers.addEventListener("controllerchange", reload, { once: true });
    waiting.postMessage(NEW_VERSION);
  };
  say({ text: words.isNew, action: { name: words.load, run }, testId: "new-version" });
}
