/** The teacher's camera: every code that is held before it is added. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { classWords as words } from "./words.ts";
import type { ScanFrame } from "./readQr.ts";

/** @param onText called once for each text in a row. */
export function ClassCamera({ onText }: { onText: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<CameraProblem | null>(null);
  const give = useEffectEvent(onText);
  useEffect(() => {
    const end = new AbortController();
    let last = "";
    const see = (text: string) => {
      if (text !== last) give(text);
      last = text;
    };
    scanCamera(video.current!, see, end.signal).catch((error: unknown) => {
      if (end.signal.aborted) return;
      setProblem(error instanceof CameraError ? error.problem : "silent");
    });
    return () => end.abort();
  }, []);
  if (problem !== null)
    return (
      <p className="notice" role="alert" data-testid="class-camera-problem">
        {words.camera.problems[problem]}
      </p>
    );
  return (
    <figure className="class-camera">
      <video ref={video} muted playsInline data-testid="class-camera" />
      <figcaption className="note">{words.camera.hint}</figcaption>
    </figure>
  );
}

/** Why there are no frames: no camera, no permission, or it delivers none. */
type CameraProblem = "absent" | "denied" | "silent";

class CameraError extends Error {
  readonly problem: CameraProblem;

  constructor(problem: CameraProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Milliseconds between two looks. */
const PAUSE = 150;

/** Pixels of a frame's longer side: enough for a code that fills a third of the picture. */
const LONGEST = 960;

/** The texts in the present picture. */
type VideoReader = (video: HTMLVideoElement) => Promise<string[]>;

/**
 * Shows the camera in `video`, and calls `onText` with each text that it sees, again and again, until `signal` ends it.
 * @throws CameraError
 */
async function scanCamera(
  video: HTMLVideoElement,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const stream = await openCamera();
  const stop = () => stream.getTracks().forEach((track) => track.stop());
  if (signal.aborted) return stop();
  signal.addEventListener("abort", stop);
  video.srcObject = stream;
  await video.play();
  const look = (await browsersLook()) ?? workersLook(signal);
  while (!signal.aborted) {
    for (const text of await look(video)) onText(text);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** The one that looks away from the reader, where there are two. @throws CameraError */
async function openCamera(): Promise<MediaStream> {
  // Absent where the page is not served securely.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices?.getUserMedia) throw new CameraError("absent");
  const video = { facingMode: "environment", width: { ideal: 1280 } };
  return devices.getUserMedia({ video, audio: false }).catch((error: unknown) => {
    throw new CameraError(problemOf(error));
  });
}

function problemOf(error: unknown): CameraProblem {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  return name === "NotFoundError" || name === "OverconstrainedError" ? "absent" : "silent";
}

interface CodeDetector {
  detect(video: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

/** As far as it is used here: no browser has it without asking for its formats. */
interface Detectors {
  new (options: { formats: string[] }): CodeDetector;
  getSupportedFormats(): Promise<string[]>;
}

/** Null where the browser reads no QR codes. */
async function browsersLook(): Promise<VideoReader | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: Detectors };
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): string[] => []);
  if (!BarcodeDetector || !formats?.includes("qr_code")) return null;
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  return async (video) => {
    // A frame that cannot be read is like one without a code.
    const found = await detector.detect(video).catch(() => []);
    return found.map(({ rawValue }) => rawValue);
  };
}

function workersLook(signal: AbortSignal): VideoReader {
  const worker = new Worker(new URL("./scanWorker.ts", import.meta.url), { type: "module" });
  signal.addEventListener("abort", () => worker.terminate());
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  return async (video) => {
    const frame = context && frameOf(video, context);
    if (!frame) return [];
    const answer = new Promise<string | null>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<string | null>) => resolve(data);
      worker.onerror = () => resolve(null);
      signal.addEventListener("abort", () => resolve(null));
    });
    worker.postMessage(frame, [frame.data.buffer]);
    const text = await answer;
    return text === null ? [] : [text];
  };
}

/** Null before the first picture has come. */
function frameOf(video: HTMLVideoElement, context: CanvasRenderingContext2D): ScanFrame | null {
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0) return null;
  const scale = Math.min(1, LONGEST / Math.max(videoWidth, videoHeight));
  const [width, height] = [Math.round(videoWidth * scale), Math.round(videoHeight * scale)];
  Object.assign(context.canvas, { width, height });
  context.drawImage(video, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data };
}
