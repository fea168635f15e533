import { Button } from '../../ui/button.tsx';
import { Logo } from '../../ui/logo.tsx';
import { EmptyState, Panel } from '../../ui/panel.tsx';
import styles from './notice.module.css';

type NoticeProps = { text: string; button?: string; onPress?: () => unknown };

/** Instead of the console. */
export function Notice({ text, button, onPress }: NoticeProps) {
  return (
    <main className={styles.page}>
      <Logo className={styles.logo} />
      <Panel className={styles.panel}>
        <EmptyState text={text}>
          {button !== undefined && (
            <Button variant="primary" onClick={() => void onPress?.()}>
              {button}
            </Button>
          )}
        </EmptyState>
      </Panel>
    </main>
  );
}
