/** Keeps one failing part from blanking the page, and shows what to do. */
import { Component, type ReactNode } from "react";
import { appWords } from "./strings.ts";
import { Button } from "../ui/Button.tsx";

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Shown in place of the part, above the error. */
  instead?: ReactNode;
  /** When this changes, a failed part is retried. */
  resetBy?: string;
}

interface BoundaryState {
  message: string | null;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, BoundaryState> {
  override state: BoundaryState = { message: null };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override componentDidUpdate({ resetBy }: ErrorBoundaryProps): void {
    if (resetBy !== this.props.resetBy && this.state.message !== null)
      this.setState({ message: null });
  }

  override render(): ReactNode {
    if (this.state.message === null) return this.props.children;
    return (
      <>
        {this.props.instead}
        <div role="alert" className="notice notice-problem" data-testid="part-broken">
          <strong>{appWords.partFailed}</strong>
          <p>{this.state.message}</p>
          <p>{appWords.reload}</p>
          <Button onClick={() => this.setState({ message: null })}>{appWords.retry}</Button>
        </div>
      </>
    );
  }
}
