import { DatabaseX, Check } from 'lucide-react';
import { useState } from 'react';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword, useMasterPasswordView } from '../master-password/use-master-password.ts';
import { formatTime } from '../lib/format.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { OFFLINE_TEXTS as TEXTS } from '../texts/offline.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { Switch } from '@passwordbroker/ui/inputs/switch';
import type { OfflineState, PartName, PartState } from '@passwordbroker/client/offline/offline';
import styles from './offline.module.css';
import { ToOnline } from './offline-banner.tsx';
import { useOffline } from './use-offline.ts';
import { offline } from '../page/vault.ts';
import { Select } from '@passwordbroker/ui/inputs/select';
import { Badge } from '@passwordbroker/ui/display/badge';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';

const PARTS = ['key', 'database', 'salt'] as const;
const WORKING = new Set(['loading', 'updating', 'enable']);

interface Props {
  readonly title: string;
  /** Confirms before the copy is deleted. */
  readonly onDisable: () => void;
}

export function OfflinePanel({ title, onDisable }: Props) {
  const state = useOffline();
  const [problem, setProblem] = useState<string | null>(null);
  const masterPassword = useMasterPassword();
  const act = (work: () => Promise<void>) => {
    setProblem(null);
    work().catch((failure: unknown) => {
      if (!(failure instanceof MasterPasswordCancelled)) setProblem(reasonOf(failure));
    });
  };
  const enable = () => masterPassword.use(() => offline.enable(), { label: TEXTS.enableAct });
  const whyNot = hindrance(state);
  const isSwitching = state.syncMode === 'enable' || state.syncMode === 'disable';
  return (
    <>
      <div className={styles['head']}>
        <h2 className={styles['title']}>{title}</h2>
        <Switch
          label={TEXTS.enable}
          isLabelHidden
          isOn={state.enabled}
          busy={isSwitching}
          whyNot={whyNot}
          onChange={(isOn) => (isOn ? act(enable) : onDisable())}
        />
      </div>
      <div className={styles['body']}>
        {whyNot !== null && <p className={styles['hint']}>{whyNot}</p>}
        {!state.enabled && whyNot === null && (
          <>
            <p>{TEXTS.what}</p>
            <p className={styles['hint']}>{TEXTS.release}</p>
          </>
        )}
        {problem !== null && state.allowed && <MessageBox tone="danger" lines={[problem]} />}
        {state.syncMode === 'disable' && <ProgressBar label={TEXTS.wiping} value={null} />}
        {state.enabled && <Copy state={state} onSwitch={act} />}
      </div>
    </>
  );
}

interface CopyProps {
  readonly state: OfflineState;
  readonly onSwitch: (work: () => Promise<void>) => void;
}

/** Before the first bytes arrive there is no percentage. */
function progressOf(progress: number | null) {
  if (progress === null) return { label: TEXTS.preparing, value: null };
  return progress === 0 ? { label: TEXTS.waiting, value: null } : { label: TEXTS.downloading, value: progress * 100 };
}

/** Null if the file size can be chosen. */
function whyNoFiles({ databaseMode, filesAllowed }: OfflineState): string | null {
  if (databaseMode === 'offline') return TEXTS.notOffline;
  return filesAllowed ? null : TEXTS.filesForbidden;
}

function Copy({ state, onSwitch }: CopyProps) {
  const { parts, databaseMode, syncMode, progress, copyOf } = state;
  const masterPassword = useMasterPassword();
  const isLocked = useMasterPasswordView().state !== 'validated';
  const isOnline = databaseMode !== 'offline';
  const isReady = PARTS.every((part) => parts[part] === 'synchronized');
  const isWorking = isOnline && WORKING.has(syncMode);
  return (
    <>
      {isOnline && (
        <dl className={styles['parts']}>
          {PARTS.map((part) => (
            <PartBadge key={part} name={part} state={parts[part]} isBusy={isWorking} />
          ))}
        </dl>
      )}
      {isWorking && !isReady && <ProgressBar {...progressOf(progress)} />}
      {isOnline && isLocked && parts.database !== 'synchronized' && (
        <div className={styles['unlock']}>
          <p className={styles['hint']}>{TEXTS.needsUnlock}</p>
          <Button size="sm" onPress={() => masterPassword.open()}>
            {TEXTS.unlock}
          </Button>
        </div>
      )}
      {syncMode === 'error' && state.problem !== null && (
        <MessageBox tone="warning" lines={[TEXTS.failed(state.problem)]} />
      )}
      <p className={styles['hint']}>{copyOf === null ? TEXTS.noCopy : TEXTS.copyOf(formatTime(copyOf * 1000))}</p>
      <div className={styles['settings']}>
        <FileLimit limit={state.filesAllowed ? state.fileLimit : 0} whyNot={whyNoFiles(state)} onChoose={onSwitch} />
        <Checkbox
          isSelected={state.keepAtLogout}
          onChange={(keep) => onSwitch(() => offline.setKeepAtLogout(keep))}
          hint={TEXTS.keepHint}
        >
          {TEXTS.keep}
        </Checkbox>
        {state.isLasting !== null && (
          <p className={styles['hint']}>{state.isLasting ? TEXTS.lasting : TEXTS.notLasting}</p>
        )}
        <p className={styles['hint']}>{TEXTS.release}</p>
      </div>
      <div className={styles['switch']}>
        {isOnline ? (
          <>
            <Button
              size="sm"
              isBlock
              icon={<DatabaseX size={16} />}
              busy={databaseMode === 'switching_to_offline'}
              busyLabel={TEXTS.switching}
              isDisabled={!isReady}
              onPress={() =>
                onSwitch(() => masterPassword.use(() => offline.switchToOffline(), { label: TEXTS.switchAct }))
              }
            >
              {TEXTS.switchToOffline}
            </Button>
            <p className={styles['hint']}>{isReady ? TEXTS.readyHint : TEXTS.whenReady}</p>
          </>
        ) : (
          <ToOnline isBlock />
        )}
      </div>
    </>
  );
}

/** Null if offline mode can be changed now. */
function hindrance({ allowed, enabled, databaseMode }: OfflineState): string | null {
  if (databaseMode === 'offline') return TEXTS.stayOffline;
  return allowed || enabled ? null : TEXTS.forbidden;
}

const MB = 1_000_000;
const CHOICES = [0, MB, 10 * MB, 100 * MB] as const;

interface FileLimitProps {
  /** Bytes; 0: none. */
  readonly limit: number;
  readonly whyNot: string | null;
  readonly onChoose: (work: () => Promise<void>) => void;
}

function FileLimit({ limit, whyNot, onChoose }: FileLimitProps) {
  // An earlier version may have set another limit.
  const choices = [...new Set([...CHOICES, limit])].toSorted((one, other) => one - other);
  return (
    <Select
      label={TEXTS.files}
      hint={whyNot ?? TEXTS.filesHint}
      size="sm"
      isDisabled={whyNot !== null}
      value={String(limit)}
      options={choices.map((bytes) => ({ value: String(bytes), title: titleOf(bytes) }))}
      onChange={(value) => onChoose(() => offline.setFileLimit(Number(value)))}
    />
  );
}

const titleOf = (bytes: number) => (bytes === 0 ? TEXTS.fileChoices.none : TEXTS.fileChoices.upTo(`${bytes / MB} MB`));

const TONES = { not_loaded: 'plain', download_required: 'info', synchronized: 'success' } as const;

interface PartBadgeProps {
  readonly name: PartName;
  readonly state: PartState;
  readonly isBusy: boolean;
}

/** Named as in docs/spec/product.md §4. */
function PartBadge({ name, state, isBusy }: PartBadgeProps) {
  return (
    <div className={styles['part']} data-part={name}>
      <dt>{TEXTS.parts[name]}</dt>
      <dd>
        <Badge
          tone={TONES[state]}
          text={state}
          icon={state === 'synchronized' ? <Check size={12} /> : isBusy ? <Spinner /> : undefined}
        />
      </dd>
    </div>
  );
}

/** @param props.title empty where the surrounding dialog has a title */
export function OfflineSettings({ title = TEXTS.title }: { readonly title?: string }) {
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <OfflinePanel title={title} onDisable={() => setRemoving(true)} />
      {isRemoving && <RemoveCopyDialog onClose={() => setRemoving(false)} />}
    </>
  );
}

function RemoveCopyDialog({ onClose }: { readonly onClose: () => void }) {
  const remove = async () => {
    await offline.disable();
    onClose();
  };
  return (
    <ConfirmDialog
      title={TEXTS.disableTitle}
      cancel={TEXTS.cancel}
      confirm={TEXTS.disable}
      confirming={TEXTS.disabling}
      onConfirm={remove}
      onClose={onClose}
      problemOf={reasonOf}
    >
      {TEXTS.disableText}
    </ConfirmDialog>
  );
}

/** For a small screen without the icon. */
export function OfflineDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={TEXTS.title} onClose={onClose}>
      <div className={styles['sheet']}>
        <OfflineSettings title={TEXTS.enable} />
      </div>
    </Dialog>
  );
}
