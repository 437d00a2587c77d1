/** The lock in the header. Disabled when no master password can be entered (docs/spec/product.md §4). */
import { MASTER_PASSWORD_TEXTS as TEXTS } from '@passwordbroker/client/texts/master-password';
import { Tooltip } from '@passwordbroker/ui/overlays/tooltip';
import { LockGlyph } from './lock-glyph.tsx';
import { LockMenu, type LockMenuProps } from './lock-menu.tsx';
import styles from './master-password.module.css';
import { isClickable } from '@passwordbroker/client/master-password/states';
import { useMasterPassword, useMasterPasswordView } from './use-master-password.ts';

export function MasterPasswordIcon(menu: LockMenuProps) {
  const masterPassword = useMasterPassword();
  const { state, modal } = useMasterPasswordView();
  const isOff = !isClickable(state) || modal !== null;
  const text = TEXTS.tooltips[state];
  return (
    <span className={styles['lock']}>
      <Tooltip text={text} align="end">
        <button
          type="button"
          className={styles['icon']}
          data-state={state}
          aria-label={text}
          aria-disabled={isOff || undefined}
          onClick={() => {
            if (!isOff) masterPassword.open();
          }}
        >
          <LockGlyph state={state} />
        </button>
      </Tooltip>
      <LockMenu {...menu} />
    </span>
  );
}
