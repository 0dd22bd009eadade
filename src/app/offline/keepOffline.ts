/** Makes the page work offline after its first visit: a service worker stores its files, and new versions are offered. */
import { runQueue } from "../../store/runQueue.ts";
import { say } from "../../ui/toasts.ts";
import { appWords } from "../strings.ts";
import { NEW_VERSION } from "./newVersion.ts";

const words = appWords.offline;

/** Served from its sources the page changes all the time; in a frame of another site, and without HTTPS, there is no service worker. */
export async function keepOffline(
  workers: ServiceWorkerContainer | undefined = import.meta.env.PROD
    ? navigator.serviceWorker
    : undefined,
): Promise<void> {
  try {
    const registration = await workers?.register(new URL("sw.js", document.baseURI));
    if (registration) followVersions(workers!, registration);
  } catch {
    // Storage is forbidden or unavailable: the page needs the network.
  }
}

/** Announces each new version once, and not during training. */
function followVersions(
  workers: ServiceWorkerContainer,
  registration: ServiceWorkerRegistration,
): void {
  const offer = () => {
    const { waiting } = registration;
    // The first one replaces no other.
    if (waiting && workers.controller)
      void whenIdle().then(() => offerVersion(workers, waiting, () => location.reload()));
  };
  offer();
  registration.addEventListener("updatefound", () => {
    const { installing } = registration;
    installing?.addEventListener("statechange", () => installing.state === "installed" && offer());
  });
}

/** Resolves once nothing trains or waits to. */
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

/** The reader decides; otherwise it is used at the next visit. */
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
