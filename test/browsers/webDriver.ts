/** WebKit for the checks: Debian's WebKitWebDriver with MiniBrowser, controlled over HTTP, on a virtual screen. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { AnyBrowser, Tab } from "./tab.ts";

const DRIVER = "/usr/bin/WebKitWebDriver";
const LIBRARIES = "/usr/lib";
const NEEDED = "WebKit is needed: install webkit2gtk-driver and xvfb.";

/** WebDriver's names of keys that write nothing. */
const KEYS: Readonly<Record<string, string>> = {
  "\n": "\uE007",
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Escape: "\uE00C",
  End: "\uE010",
  Home: "\uE011",
  ArrowUp: "\uE013",
  ArrowDown: "\uE015",
};

/** Below the folder of the machine's architecture; the newest of several. */
function findMiniBrowser(): string | null {
  const found = readdirSync(LIBRARIES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      ["4.1", "4.0"].map((api) => join(LIBRARIES, name, `webkit2gtk-${api}`, "MiniBrowser")),
    );
  return found.find((path) => existsSync(path)) ?? null;
}

/** @throws Error saying in one sentence what to install. */
export async function launchWebKit(): Promise<AnyBrowser> {
  const binary = findMiniBrowser();
  if (binary === null || !existsSync(DRIVER)) throw new Error(NEEDED);
  const screen = await startScreen();
  const port = await freePort();
  const env = { ...process.env, DISPLAY: screen.display, GDK_BACKEND: "x11" };
  const driver = spawn(DRIVER, [`--port=${port}`], { env, stdio: "ignore" });
  const base = `http://127.0.0.1:${port}`;
  const end = async () => {
    await ended(driver);
    await ended(screen.process);
  };
  try {
    await answers(base);
    const version = await versionOf(base, binary);
    return { name: "WebKit", version, open: () => openTab(base, binary), close: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** An X server without a screen; it chooses its own number. */
async function startScreen(): Promise<{ display: string; process: ChildProcess }> {
  const args = ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"];
  const server = spawn("Xvfb", args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const display = await new Promise<string>((resolve, reject) => {
    server.on("error", () => reject(new Error(NEEDED)));
    server.on("exit", () => reject(new Error("Xvfb ended before it was ready.")));
    server.stdio[3]!.once("data", (data: Buffer) => resolve(`:${data.toString().trim()}`));
  });
  return { display, process: server };
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill();
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** @throws Error where the driver says nothing for ten seconds. */
async function answers(base: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if (
      await fetch(`${base}/status`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("WebKitWebDriver does not answer.");
}

/** @throws Error with what the driver says. */
async function ask<T>(address: string, body?: unknown, method = "POST"): Promise<T> {
  const sent = method === "POST" && { body: JSON.stringify(body ?? {}) };
  const answer = await fetch(address, { method, ...sent });
  const { value } = (await answer.json()) as { value: T & { message?: string; error?: string } };
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

interface Session {
  sessionId: string;
  capabilities: { browserVersion?: string };
}

function startSession(base: string, binary: string): Promise<Session> {
  const own = { binary, args: ["--automation"] };
  return ask<Session>(`${base}/session`, {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": own } },
  });
}

async function versionOf(base: string, binary: string): Promise<string> {
  const { sessionId, capabilities } = await startSession(base, binary);
  await ask(`${base}/session/${sessionId}`, null, "DELETE");
  return capabilities.browserVersion ?? "";
}

/** A session is a browser of its own, which keeps nothing when it ends. */
async function openTab(base: string, binary: string): Promise<Tab> {
  const { sessionId } = await startSession(base, binary);
  const session = `${base}/session/${sessionId}`;
  await ask(`${session}/timeouts`, { script: 600_000, pageLoad: 120_000 });
  await ask(`${session}/window/rect`, { x: 0, y: 0, width: 1280, height: 900 });
  const act = async (actions: unknown[]) => {
    await ask(`${session}/actions`, { actions });
  };
  return {
    goto: (url) => ask(`${session}/url`, { url }),
    reload: () => ask(`${session}/refresh`),
    evaluate: (expression) =>
      ask(`${session}/execute/sync`, { script: `return (${expression});`, args: [] }),
    clickAt: (x, y) => act([clickAction(x, y)]),
    // In one go: menus forget what was typed a second before.
    type: (text) => act([keyActions([...text].map((letter) => [letter]))]),
    press: (keys) => act([keyActions([keys.split("+")])]),
    close: () => ask(session, null, "DELETE"),
  };
}

function clickAction(x: number, y: number): unknown {
  const actions = [
    { type: "pointerMove", duration: 0, x, y, origin: "viewport" },
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ];
  return { type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions };
}

/** Chords one after the other: down in their order, up the other way round. */
function keyActions(chords: readonly string[][]): unknown {
  const actions = chords.flatMap((names) => {
    const values = names.map((name) => KEYS[name] ?? name);
    const down = values.map((value) => ({ type: "keyDown", value }));
    return [...down, ...values.toReversed().map((value) => ({ type: "keyUp", value }))];
  });
  return { type: "key", id: "keys", actions };
}
