/** The lock icon in its five states, which differ in shape and colour. */
import styles from './master-password.module.css';
import type { MasterPasswordState } from '@passwordbroker/client/master-password/states';

interface Shape {
  readonly isFilled: boolean;
  /** SVG path drawn on the body. */
  readonly mark: string;
}

const SHAPES: Readonly<Record<MasterPasswordState, Shape>> = {
  'not entered': { isFilled: false, mark: 'M8 10v1.4' },
  'in-entry': { isFilled: false, mark: 'M5.8 10.5h.01M8 10.5h.01M10.2 10.5h.01' },
  entered: { isFilled: true, mark: 'M8 9.6v1.8' },
  validated: { isFilled: true, mark: 'm5.7 10.6 1.6 1.6 3-3.2' },
  incorrect: { isFilled: true, mark: 'm6.3 8.9 3.4 3.4M9.7 8.9l-3.4 3.4' },
};

interface Props {
  readonly state: MasterPasswordState;
  readonly size?: number;
}

export function LockGlyph({ state, size = 18 }: Props) {
  const { isFilled, mark } = SHAPES[state];
  return (
    <svg className={styles['glyph']} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {isFilled ? (
        <rect className={styles['body']} x={2.4} y={6.4} width={11.2} height={8.2} rx={1.9} />
      ) : (
        <rect x={3} y={7} width={10} height={7} rx={1.6} />
      )}
      <path d="M5.2 7V5a2.8 2.8 0 0 1 5.6 0v2" />
      <path className={isFilled ? styles['knocked'] : undefined} d={mark} />
    </svg>
  );
}
