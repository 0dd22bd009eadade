/** A replica on a worker: what fails is told as what it was, and nothing is made twice or forgotten. */
import { expect, test } from "vitest";
import { RemoteReplica, RemoteWorker } from "../../../src/engine/plan/remote.ts";
import type {
  WorkerReply,
  ErrorData,
  WorkerRequest,
} from "../../../src/engine/plan/workerCalls.ts";
import { nano } from "../support.ts";

const memory = { tensors: 0, bytes: 0, poolBytes: 0 };
const params = new Float32Array(4);

/** A worker whose answers the test gives, in order. */
function scripted() {
  const asked: WorkerRequest[] = [];
  let listen!: (answer: WorkerReply) => void;
  const port = {
    post: (question: WorkerRequest) => void asked.push(question),
    listen: (onAnswer: (answer: WorkerReply) => void) => void (listen = onAnswer),
    terminate: () => undefined,
  };
  const worker = new RemoteWorker(port);
  let next = 0;
  /** Answers the next question; a message makes it fail. */
  const answer = async (message?: string) => {
    const error: ErrorData | undefined = message ? { name: "Error", message } : undefined;
    listen({ id: asked[next++]!.id, memory, ...(error && { error }) });
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const names = () => asked.map(({ name }) => name);
  return { worker, answer, names };
}

const replicaOn = (worker: RemoteWorker, model: number) =>
  new RemoteReplica(worker, model, nano, "none");

const data = { model: 1, session: 2, batch: 1, capacity: 1 };

test("a reference that is not there is the error, not the call that suffers from it", async () => {
  const { worker, answer } = scripted();
  const [policy, reference] = [replicaOn(worker, 1), replicaOn(worker, 2)];
  reference.bringTo(0, params);
  policy.bringTo(0, params);
  const called = policy.call("openSession", data, reference).catch((error: Error) => error.message);
  await answer("no memory for the reference");
  await answer("the worker has no model 2");
  await answer();
  await answer();
  await answer("the worker has no model 2");
  expect(await called).toBe("no memory for the reference");
  expect([policy.isAt(0), reference.isAt(0)]).toEqual([true, false]);
});

test("one that was made is not made again when its parameters did not arrive", async () => {
  const { worker, answer, names } = scripted();
  const replica = replicaOn(worker, 1);
  replica.bringTo(0, params);
  await answer();
  await answer("no memory for the parameters");
  expect(replica.isAt(0)).toBe(false);
  replica.bringTo(0, params);
  await answer();
  expect(replica.isAt(0)).toBe(true);
  replica.dispose();
  expect(names()).toEqual(["createModel", "writeParams", "writeParams", "disposeModel"]);
});

test("one that could not be made is tried again", async () => {
  const { worker, answer, names } = scripted();
  const replica = replicaOn(worker, 1);
  replica.bringTo(0, params);
  await answer("no memory");
  await answer("the worker has no model 1");
  replica.bringTo(0, params);
  expect(names()).toEqual(["createModel", "writeParams", "createModel", "writeParams"]);
  await answer();
  await answer();
  expect(replica.isAt(0)).toBe(true);
});

test("an older preparation that fails late says nothing of the newer", async () => {
  const { worker, answer } = scripted();
  const replica = replicaOn(worker, 1);
  replica.bringTo(0, params);
  replica.bringTo(1, params);
  await answer();
  await answer("too late");
  await answer();
  expect(replica.isAt(1)).toBe(true);
});
