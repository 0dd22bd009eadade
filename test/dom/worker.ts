/** Workers in a document that has none, in the same thread: training, made up or real, and those that read, check and save files. */
import type { ToWorker } from "../../src/runtime/protocol.ts";
import type { LoadRequest } from "../../src/panels/shop/loadFiles.ts";
import type { ImportRequest } from "../../src/store/importFiles.ts";
import type { ToChecker } from "../../src/store/integrityWorker.ts";
import type { ToReferee } from "../../src/store/refereeWorker.ts";
import type { ToFiles } from "../../src/store/filesWorker.ts";
import { FakeTraining } from "../browser/fakeTraining.ts";

export type TrainingKind = "fake" | "real";

type Say = (message: unknown) => void;

/** What a worker does with a message; `end` where it has something to stop. */
interface Work {
  receive(data: unknown): void;
  end?: () => void;
}

function madeUp(say: Say): Work {
  const training = new FakeTraining((message) => say(structuredClone(message)));
  const receive = (data: unknown) => training.receive(structuredClone(data) as ToWorker);
  return { receive, end: () => training.stop() };
}

/** The training worker's own session, on the engine that a worker of the tests shares; loaded by those who train. */
function trained(say: Say): Work {
  const session = import("./realTraining.ts").then((made) => made.openTraining(say));
  const receive = (data: unknown) => {
    const message = structuredClone(data) as ToWorker;
    if (message.type === "hello") return; // who has no locks listens for a pulse
    void session.then((one) => one.receive(message));
  };
  return { receive, end: () => void session.then((one) => one.receive({ type: "stop" })) };
}

/** A recording's bytes come in pieces, then null. */
function checks(say: Say): Work {
  const pieces: Uint8Array[] = [];
  const check = async () => {
    const { checkRecording } = await import("../../src/train/integrity.ts");
    say(await checkRecording(Buffer.concat(pieces)));
  };
  const receive = (data: unknown) => {
    const piece = data as ToChecker;
    if (piece) pieces.push(piece);
    else void check();
  };
  return { receive };
}

const WORKS: Record<string, (say: Say) => Work> = {
  integrityWorker: checks,
  importWorker: (say) => ({
    receive: (data) =>
      void import("../../src/store/importWorker.ts").then((one) =>
        one.readFiles(data as ImportRequest, say),
      ),
  }),
  filesWorker: (say) => ({
    receive: (data) =>
      void import("../../src/store/filesWorker.ts")
        .then((one) => one.filesAnswer(data as ToFiles))
        .then(say),
  }),
  refereeWorker: (say) => ({
    receive: (data) =>
      void import("../../src/store/refereeWorker.ts").then((one) =>
        say(one.refereeAnswer(data as ToReferee)),
      ),
  }),
  loadWorker: (say) => ({
    receive: (data) =>
      void import("../../src/panels/shop/loadWorker.ts").then((one) =>
        one.readShop(data as LoadRequest, say),
      ),
  }),
};

/** The document's Worker; one of a file that is not known here never answers. */
export function workerInDom(kind: TrainingKind) {
  const works = { ...WORKS, worker: kind === "fake" ? madeUp : trained };
  return class extends EventTarget {
    readonly #work: Work | undefined;
    #ended = false;

    constructor(url: string | URL) {
      super();
      const name = /(\w+)\.ts/.exec(String(url))![1]!;
      this.#work = works[name as keyof typeof works]?.((message) => this.#say(message));
    }

    postMessage(data: unknown): void {
      setTimeout(() => this.#work?.receive(data));
    }

    terminate(): void {
      this.#ended = true;
      this.#work?.end?.();
    }

    #say(data: unknown): void {
      const hear = () => this.#ended || this.dispatchEvent(new MessageEvent("message", { data }));
      setTimeout(hear);
    }
  };
}
