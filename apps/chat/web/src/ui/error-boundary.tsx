import { Component, type ReactNode } from "react";

interface ErrorBoundaryProps {
  /** Shown when the children fail to render. */
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** Limits a rendering error to a part of the page. Change its key to retry. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
