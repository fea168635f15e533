import { AmbientGround } from '../art/ambient-ground.tsx';
import styles from './loading-screen.module.css';

export function LoadingScreen({ label }: { label: string }) {
  return (
    <div className={styles.screen} role="status" aria-label={label}>
      <AmbientGround />
      <img className={styles.mark} src="/mark.svg" width={96} height={96} alt="" />
    </div>
  );
}
