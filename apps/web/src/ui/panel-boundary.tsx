import { Component, type ReactNode } from 'react';
import { TEXT } from '../shared/text.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { Panel } from './panel.tsx';

type Props = { children: ReactNode };

/** Keeps a fault inside the panel it happened in. */
export class PanelBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Panel>
        <EmptyState text={TEXT.panelFailed}>
          <Button size="sm" onClick={() => this.setState({ hasFailed: false })}>
            {TEXT.tryAgain}
          </Button>
        </EmptyState>
      </Panel>
    );
  }
}
