/** A status in a word or two; a bad one has an icon in addition to its colour. */
import type { ReactNode } from "react";
import { Icon } from "./Icon.tsx";

interface BadgeProps {
  tone?: "plain" | "bad";
  title?: string | undefined;
  testId?: string;
  children: ReactNode;
}

export function Badge({ tone = "plain", title, testId, children }: BadgeProps) {
  return (
    <span className={tone === "bad" ? "chip chip-bad" : "chip"} title={title} data-testid={testId}>
      {tone === "bad" && <Icon name="alert" size={14} />}
      {children}
    </span>
  );
}
