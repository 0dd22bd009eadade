/** The own model's worker and what it says; both last as long as the page, until the reader closes the model. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { connectWorker, type Client, type Connect } from "../../runtime/client.ts";
import type {
  ModelReport,
  ModelRequest,
  Prompt,
  SaidEnd,
  SaidToken,
  SayRequest,
  TurnToScore,
} from "../../runtime/modelReport.ts";
import type { FromWorker } from "../../runtime/protocol.ts";
import { keepChosenModel } from "../../store/chosenModels.ts";

/** A text that the model writes or scores. */
export interface Utterance {
  id: number;
  kind: AskedModel["type"];
  tokens: SaidToken[];
  ended: SaidEnd | null;
}

interface ModelState {
  /** Null before a folder is chosen. */
  report: ModelReport | null;
  saying: Utterance | null;
  /** The worker is gone. */
  failure: { message: string; action: string } | null;
}

type OpenRequest = Extract<ModelRequest, { type: "openFolder" }>;

export interface ModelSession {
  store: StoreApi<ModelState>;
  open(folder: Omit<OpenRequest, "type">): void;
  /** The same folder, read in another way. */
  reopen(how: Pick<OpenRequest, "backend" | "weights">): void;
  load(): void;
  measure(): void;
  say(request: Omit<SayRequest, "type" | "id">): void;
  score(prompt: Prompt): void;
  compare(prompt: Prompt): void;
  scoreTurns(turns: readonly TurnToScore[]): void;
  hush(): void;
  close(): void;
}

/** What is answered by tokens, without its id. */
type AskedModel =
  | Omit<SayRequest, "id">
  | { type: "scoreText" | "compareStored"; prompt: Prompt }
  | { type: "scoreTurns"; turns: readonly TurnToScore[] };

const NOTHING: ModelState = { report: null, saying: null, failure: null };

export function createModelSession(connect: Connect = connectWorker): ModelSession {
  const store = createStore<ModelState>(() => NOTHING);
  let client: Client | null = null;
  let last = 0;
  /** Of the open folder, which experiments may then train. */
  let opened: Omit<OpenRequest, "type"> | null = null;

  const hear = (message: FromWorker) => {
    if (message.type === "model") {
      const { hash } = message.report.folder ?? {};
      if (hash && opened) keepChosenModel(hash, opened.files);
      store.setState({ report: message.report });
    } else if (message.type === "said") {
      const { saying } = store.getState();
      if (saying?.id !== message.id) return;
      const tokens = [...saying.tokens, ...message.tokens];
      store.setState({ saying: { ...saying, tokens, ended: message.ended } });
    } else if (message.type === "error") {
      close();
      store.setState({ failure: { message: message.message, action: message.action } });
    }
  };
  const send = (request: ModelRequest) => {
    client ??= connect(hear);
    client.send({ type: "desk", request });
  };
  const ask = (request: AskedModel) => {
    const id = ++last;
    store.setState({ saying: { id, kind: request.type, tokens: [], ended: null } });
    send({ ...request, id });
  };
  /** The worker goes, and its memory with it. */
  const close = () => {
    client?.close();
    client = null;
    opened = null;
    store.setState(NOTHING);
  };
  const open = (folder: Omit<OpenRequest, "type">) => {
    close();
    opened = folder;
    send({ type: "openFolder", ...folder });
  };
  return {
    store,
    open,
    reopen: (how) => opened && open({ ...opened, ...how }),
    measure: () => send({ type: "measureFolder" }),
    load: () => send({ type: "loadFolder" }),
    say: (request) => ask({ type: "say", ...request }),
    scoreTurns: (turns) => ask({ type: "scoreTurns", turns }),
    compare: (prompt) => ask({ type: "compareStored", prompt }),
    score: (prompt) => ask({ type: "scoreText", prompt }),
    hush: () => send({ type: "hush" }),
    close,
  };
}
