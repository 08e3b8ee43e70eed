import { Component, type ReactNode } from "react";

interface ErrorBoundaryProps {
  /** Shown instead of what cannot be rendered. */
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** Without one, a part of the page that fails to render takes the whole page with it. Give it a key to try again. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
