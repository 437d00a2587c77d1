/** Disabled when no master password can be entered (docs/spec/product.md §4). */
import { MASTER_PASSWORD_TEXTS as TEXTS } from '@passwordbroker/client/texts/master-password';
import { Tooltip } from '@passwordbroker/ui/overlays/tooltip';
import styles from './master-password.module.css';
import { isClickable, type MasterPasswordState } from '@passwordbroker/client/master-password/states';
import { useMasterPassword, useMasterPasswordView, useLockAfter } from './use-master-password.ts';
import { ChevronDown, Fingerprint, KeyRound, LifeBuoy, Lock, MonitorSmartphone } from 'lucide-react';
import { Suspense, useState } from 'react';
import { activityLog } from '../activity-log/activity-log.ts';
import { lazyPart } from '../lib/chunk.ts';
import { Menu } from '@passwordbroker/ui/overlays/menu';
import { kitOffer } from '../page/vault.ts';
import { KIT_BANNER_TEXTS } from '../texts/identity/recovery-kit-banner.ts';
import { useWhyNot } from '../vault/use-vault.ts';

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

/** docs/spec/product.md §4, docs/spec/decisions.md K5 */
const ChangeDialog = lazyPart('ChangeDialog', () => import('./change-dialog.tsx'));

interface LockMenuProps {
  readonly onOwnKey: () => void;
  readonly onCompare: () => void;
}

function LockMenu({ onOwnKey, onCompare }: LockMenuProps) {
  const masterPassword = useMasterPassword();
  const { state } = useMasterPasswordView();
  const whyNot = useWhyNot();
  const { minutes } = useLockAfter();
  const [isChanging, setChanging] = useState(false);
  const lockNow = () => {
    masterPassword.lock();
    activityLog.add(TEXTS.locked);
  };
  return (
    <>
      <Menu
        label={TEXTS.menu}
        icon={<ChevronDown size={12} />}
        className={styles['caret'] ?? ''}
        note={TEXTS.habits(minutes)}
        items={[
          { label: TEXTS.lockNow, icon: <Lock size={16} />, isDisabled: state !== 'validated', onPress: lockNow },
          { label: TEXTS.ownKey, icon: <Fingerprint size={16} />, onPress: onOwnKey },
          { label: TEXTS.compareBrowsers, icon: <MonitorSmartphone size={16} />, whyNot, onPress: onCompare },
          {
            label: KIT_BANNER_TEXTS.menu,
            icon: <LifeBuoy size={16} />,
            whyNot,
            onPress: () => kitOffer.put({ kind: 'chosen' }),
          },
          { label: TEXTS.changeMaster, icon: <KeyRound size={16} />, whyNot, onPress: () => setChanging(true) },
        ]}
      />
      {isChanging && (
        <Suspense fallback={null}>
          <ChangeDialog onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Five states, which differ in shape and colour. */
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

export function MasterPasswordEdge() {
  const { state } = useMasterPasswordView();
  return <div className={styles['edge']} data-state={state} aria-hidden="true" />;
}
