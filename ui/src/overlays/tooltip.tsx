import { type ReactNode, useState } from 'react';
import styles from './tooltip.module.css';

interface TooltipProps {
  readonly text: string;
  /** For a control that is described by it. */
  readonly id?: string;
  /** Which edge of the control it lines up with; `end` near the right border of the window. */
  readonly align?: 'center' | 'start' | 'end';
  /** While the control has something of its own open in its place. */
  readonly isHidden?: boolean;
  readonly children: ReactNode;
}

/** Opens on hover after a moment and on focus at once, closes on Escape. The control itself carries the name for screen readers. */
export function Tooltip({ text, id, align = 'center', isHidden = false, children }: TooltipProps) {
  const [isDismissed, setDismissed] = useState(false);
  return (
    <span
      className={styles['wrap']}
      role="presentation"
      data-dismissed={isDismissed || isHidden}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setDismissed(true);
      }}
      // Pressed is understood: the tip would only cover what comes of it.
      onPointerDown={() => setDismissed(true)}
      // What it opened takes the focus while the pointer rests here still.
      onBlur={({ currentTarget }) => setDismissed((was) => was && currentTarget.matches(':hover'))}
      onMouseLeave={() => setDismissed(false)}
    >
      {children}
      <span id={id} className={`${styles['tip']} ${styles[align] ?? ''}`} aria-hidden="true">
        {text}
      </span>
    </span>
  );
}
