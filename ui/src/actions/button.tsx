import { type ReactNode, type Ref, useId } from 'react';
import styles from './button.module.css';
import { Spinner } from '../feedback/spinner.tsx';
import { Tooltip } from '../overlays/tooltip.tsx';

interface ButtonProps {
  readonly children: ReactNode;
  /** A fuller name for those who do not see what it stands beside; it begins with the visible one. */
  readonly label?: string;
  readonly variant?: 'primary' | 'secondary' | 'ghost' | 'danger-quiet' | 'danger';
  readonly size?: 'sm' | 'md' | 'lg';
  readonly type?: 'button' | 'submit';
  /** Id of the form that a submit button outside of it belongs to. */
  readonly form?: string;
  /** Keeps its place, shows a spinner and `busyLabel`, and answers no press. */
  readonly busy?: boolean;
  readonly busyLabel?: string;
  readonly icon?: ReactNode;
  readonly isDisabled?: boolean;
  /** A reason makes it disabled, and is what its tooltip says. */
  readonly whyNot?: string | null;
  readonly isBlock?: boolean;
  readonly autoFocus?: boolean;
  /** Of a button that opens and closes what has that id. */
  readonly expanded?: { readonly isOpen: boolean; readonly id: string };
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onPress?: () => void;
}

/** Disabled and busy buttons stay in the tab order and say so, so that nobody loses his place. */
export function Button(props: ButtonProps) {
  const { children, variant = 'secondary', size = 'md', type = 'button', form, busy = false, busyLabel, icon } = props;
  const { isDisabled = false, whyNot = null, isBlock = false, autoFocus, label, expanded, ref, onPress } = props;
  const reason = useId();
  const isOff = isDisabled || busy || whyNot !== null;
  const classes = [styles['button'], styles[variant], styles[size], busy && styles['busy'], isBlock && styles['block']];
  const button = (
    <button
      ref={ref}
      type={type}
      form={form}
      className={classes.filter(Boolean).join(' ')}
      aria-label={busy ? undefined : label}
      aria-disabled={isOff || undefined}
      aria-describedby={whyNot === null ? undefined : reason}
      autoFocus={autoFocus}
      aria-expanded={expanded?.isOpen}
      aria-controls={expanded?.isOpen === true ? expanded.id : undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onPress?.();
      }}
    >
      {busy ? <Spinner /> : icon !== undefined && <span className={styles['icon']}>{icon}</span>}
      {busy ? (busyLabel ?? children) : children}
    </button>
  );
  if (whyNot === null) return button;
  return (
    <Tooltip text={whyNot} id={reason}>
      {button}
    </Tooltip>
  );
}
