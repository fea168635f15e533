import { Component, type ReactNode } from 'react';

type Props = {
  /** Shown instead of the children after an error; `retry` renders them again. */
  fallback: (retry: () => void) => ReactNode;
  children: ReactNode;
};

export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    const { fallback, children } = this.props;
    return this.state.hasFailed ? fallback(() => this.setState({ hasFailed: false })) : children;
  }
}
