/** The teacher's camera: every code that is held before it is added. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { CameraError, scanCamera, type CameraProblem } from "./classScan.ts";
import { classWords as words } from "./words.ts";

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
