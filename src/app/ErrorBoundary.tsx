/** Keeps one failing part from blanking the page, and says what to do. */
import { Component, type ReactNode } from "react";
import { strings } from "./strings.ts";

interface State {
  message: string | null;
}

export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { message: null };

  static getDerivedStateFromError(error: unknown): State {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.message === null) return this.props.children;
    return (
      <div role="alert" className="notice notice-problem">
        <strong>{strings.partFailed}</strong>
        <p>{this.state.message}</p>
        <p>{strings.reload}</p>
      </div>
    );
  }
}
