/** A fake of the training worker. */
import type { FromWorker, ToWorker } from "../../src/runtime/protocol.ts";
import { FakeTraining } from "./fakeTraining.ts";

const training = new FakeTraining((message: FromWorker) => postMessage(message));
addEventListener("message", ({ data }: MessageEvent<ToWorker>) => training.receive(data));
