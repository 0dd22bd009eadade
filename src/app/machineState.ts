/** The machine page's own worker and its reports; the last report stays when the page is left. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { connectWorker, type Client, type Connect } from "../runtime/client.ts";
import type { MachineReport } from "../runtime/machineReport.ts";
import type { FromWorker, MachineRequest } from "../runtime/protocol.ts";
import { keepMeasured } from "../store/measuredTimes.ts";
import type { Problem } from "../store/experimentState.ts";

interface MachineState {
  report: MachineReport | null;
  /** Whether the worker is busy. */
  working: boolean;
  problem: Problem | null;
}

interface MachineSession {
  store: StoreApi<MachineState>;
  /** The page is shown: examines, unless that is done. */
  open(): void;
  /** The page is left: terminates the worker, whatever it is doing. */
  close(): void;
  again(): void;
  /** Another graphics card was selected: examines with another worker. */
  anew(): void;
  measure(seconds: number): void;
}

export function createMachineSession(connect: Connect = connectWorker): MachineSession {
  const store = createStore<MachineState>(() => ({ report: null, working: false, problem: null }));
  let client: Client | null = null;

  const hear = (message: FromWorker) => {
    if (message.type === "machine") {
      const working = message.report.doing !== null || !isSettled(message.report);
      store.setState({ report: message.report, working });
      keepMeasured(message.report);
    } else if (message.type === "error") {
      const { kind, message: text, action } = message;
      store.setState({ problem: { kind, message: text, action }, working: false });
      close();
    }
  };
  const ask = (request: MachineRequest) => {
    if (store.getState().working) return;
    client ??= connect(hear);
    store.setState({ working: true, problem: null });
    client.send(request);
  };
  const close = () => {
    client?.close();
    client = null;
    store.setState({ working: false });
  };
  return {
    store,
    open: () => {
      const { report } = store.getState();
      if (!report || !isSettled(report)) ask({ type: "examine", again: false });
    },
    close,
    anew: () => {
      close();
      ask({ type: "examine", again: false });
    },
    again: () => ask({ type: "examine", again: true }),
    measure: (seconds) => ask({ type: "measure", seconds }),
  };
}

function isSettled({ state }: MachineReport): boolean {
  return state === "examined" || state === "measured";
}
