/** Whether account passwords and passkeys sign in beside the sign-in services, and what switching them off would do. */
import { changeSignIn, LOCAL_SIGN_INS, type SignInSettings } from '@passwordbroker/core/contract/site/site';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Badge } from '@passwordbroker/ui/display/badge';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Select } from '@passwordbroker/ui/inputs/select';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { ConfirmDialog } from '@passwordbroker/ui/overlays/confirm-dialog';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { tellDone } from '../../activity-log/activity-log.ts';
import { http } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';
import { ADMIN_TEXTS } from '../../texts/admin/admin.ts';
import { ADMIN_PROVIDERS_TEXTS } from '../../texts/admin/providers.ts';
import { ADMIN_SETTINGS_TEXTS } from '../../texts/admin/settings.ts';
import { ADMIN_PATHS } from '../admin-paths.ts';
import admin from '../admin.module.css';
import { SettingsCard, useSettingsForm } from '../settings/settings-card.tsx';
import styles from './providers.module.css';

const TEXTS = ADMIN_PROVIDERS_TEXTS.local;
const CHOICES = LOCAL_SIGN_INS.map((value) => ({ value, title: TEXTS.choices[value] }));

interface Props {
  readonly settings: SignInSettings;
  /** The caller's session began at an enabled sign-in service. */
  readonly isByProvider: boolean;
  readonly hasBreakGlass: boolean;
  readonly onSaved: (settings: SignInSettings) => void;
  /** Loads the numbers again. */
  readonly onOutdated: () => void;
}

type Choice = Pick<SignInSettings, 'local_sign_in'>;

export function LocalSignInCard({ settings, isByProvider, hasBreakGlass, onSaved, onOutdated }: Props) {
  const [isAsking, setAsking] = useState(false);
  const save = (body: Partial<SignInSettings>) => http.call(changeSignIn, { body });
  const form = useSettingsForm<SignInSettings>(settings, save, onSaved);
  const choice = form.values.local_sign_in;
  const isSwitchingOff = choice === 'off' && settings.local_sign_in !== 'off';
  const mayAsk = isByProvider && hasBreakGlass;
  const askFirst = {
    ...form,
    isChanged: mayAsk,
    submit: () => {
      setAsking(mayAsk);
      return Promise.resolve();
    },
  };
  return (
    <>
      <SettingsCard title={TEXTS.title} updatedAt={settings.updated_at} form={isSwitchingOff ? askFirst : form}>
        {settings.local_sign_in_overruled !== undefined && (
          <MessageBox tone="warning" lines={[TEXTS.overruled[settings.local_sign_in_overruled]]} />
        )}
        <div className={admin['two']}>
          <Select
            label={TEXTS.choice}
            hint={TEXTS.hint}
            value={choice}
            onChange={(value) => form.set({ local_sign_in: choiceOf(value) })}
            options={CHOICES}
          />
        </div>
        <Effect choice={choice} settings={settings} />
        {isSwitchingOff && <Needs isByProvider={isByProvider} hasBreakGlass={hasBreakGlass} />}
      </SettingsCard>
      {isAsking && (
        <SwitchOffDialog
          settings={settings}
          onDone={(saved) => {
            setAsking(false);
            onSaved(saved);
          }}
          onOutdated={onOutdated}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

const choiceOf = (value: string): Choice['local_sign_in'] => LOCAL_SIGN_INS.find((one) => one === value) ?? 'allowed';

function Effect({ choice, settings }: { readonly choice: Choice['local_sign_in']; readonly settings: SignInSettings }) {
  const { unlinked = 0 } = settings;
  if (choice === 'allowed') return <p>{TEXTS.allowed}</p>;
  return (
    <div className={styles['effect']}>
      {choice === 'off' ? <OffEffect settings={settings} /> : <p>{TEXTS.toLink(unlinked)}</p>}
      {unlinked > 0 && (
        <Link className={admin['back']} to={ADMIN_PATHS.usersOf('unlinked')}>
          {TEXTS.show}
        </Link>
      )}
    </div>
  );
}

function OffEffect({ settings }: { readonly settings: SignInSettings }) {
  const { unlinked = 0, accounts = 0, tokens = 0 } = settings;
  return (
    <>
      <p>{TEXTS.off}</p>
      <p>{TEXTS.isOff(unlinked, accounts)}</p>
      {tokens > 0 && <p>{TEXTS.tokens(tokens)}</p>}
    </>
  );
}

function Needs({ isByProvider, hasBreakGlass }: Pick<Props, 'isByProvider' | 'hasBreakGlass'>) {
  const needs = [
    { isMet: isByProvider, text: isByProvider ? TEXTS.signedIn : TEXTS.notSignedIn },
    { isMet: hasBreakGlass, text: hasBreakGlass ? TEXTS.hasBreakGlass : TEXTS.noBreakGlass },
  ];
  return (
    <div className={styles['effect']}>
      <h3 className={styles['title']}>{TEXTS.needs}</h3>
      <ul className={styles['needs']}>
        {needs.map(({ isMet, text }) => (
          <li key={text}>
            <Badge
              tone={isMet ? 'success' : 'warning'}
              text={isMet ? TEXTS.met : TEXTS.missing}
              icon={isMet ? <Check size={12} aria-hidden="true" /> : <X size={12} aria-hidden="true" />}
            />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface DialogProps {
  readonly settings: SignInSettings;
  readonly onDone: (saved: SignInSettings) => void;
  readonly onOutdated: () => void;
  readonly onClose: () => void;
}

/** The number of accounts that cannot sign in is typed. */
function SwitchOffDialog({ settings, onDone, onOutdated, onClose }: DialogProps) {
  const [typed, setTyped] = useState('');
  const { unlinked = 0 } = settings;
  const switchOff = async () => {
    try {
      const body = { local_sign_in: 'off', unlinked } as const;
      const saved = await freshSignIn.tryRun(() => http.call(changeSignIn, { body }));
      if (saved === null) return;
      tellDone(ADMIN_SETTINGS_TEXTS.saved);
      onDone(saved);
    } catch (failure) {
      // The number may have changed.
      onOutdated();
      throw failure;
    }
  };
  return (
    <ConfirmDialog
      title={TEXTS.question}
      cancel={ADMIN_TEXTS.cancel}
      confirm={TEXTS.confirm}
      confirming={TEXTS.confirming}
      isIncomplete={typed.trim() !== String(unlinked)}
      onConfirm={switchOff}
      onClose={onClose}
      problemOf={reasonOf}
    >
      <div className={styles['question']}>
        <OffEffect settings={settings} />
        <TextField
          label={TEXTS.type(unlinked)}
          inputMode="numeric"
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
      </div>
    </ConfirmDialog>
  );
}
