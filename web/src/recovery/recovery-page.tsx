/** `/identity/initialRecovery` (docs/spec/product.md §2, docs/spec/decisions.md I8, I10). */
import { useEffect, type FormEvent, useRef, useState } from 'react';
import { Navigate, Link, useNavigate } from 'react-router';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { IdentityFrame, WaitingPage } from '../identity/identity-frame.tsx';
import { HOME } from '../session/guard.tsx';
import { useSession } from '../session/use-session.ts';
import { IDENTITY_TEXTS } from '../texts/identity/identity.ts';
import { RECOVERY_TEXTS as TEXTS, SIGN_UP_TEXTS } from '../texts/identity/signed-out.ts';
import { session, http } from '../page/page.ts';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { Archive } from 'lucide-react';
import styles from '../identity/identity-frame.module.css';
import { useSiteRules } from '../identity/passwords/use-site-rules.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { FileDrop } from '@passwordbroker/ui/inputs/file-drop';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import {
  afterEvent,
  canStart,
  NO_PROBLEMS,
  recover,
  type RecoveryEvent,
  type RecoveryForm,
  type RecoveryState,
} from './recover.ts';

export function RecoveryPage() {
  const { status } = useSession();
  usePageTitle(TEXTS.page);
  useEffect(() => {
    if (status === 'loading') void session.check();
    if (status === 'signup') session.beginRecovery();
  }, [status]);

  if (status === 'loading' || status === 'signup') return <WaitingPage text={IDENTITY_TEXTS.loading} />;
  // A server with users cannot be restored here.
  if (status !== 'initial recovery') return <Navigate to="/identity/loading" replace state={HOME} />;
  return (
    <IdentityFrame
      side={
        <>
          <h2>{TEXTS.side}</h2>
          <p>{TEXTS.sideText}</p>
        </>
      }
    >
      <RecoveryFormView />
    </IdentityFrame>
  );
}

function RecoveryFormView() {
  const { rules } = useSiteRules();
  const { state, form, problems, sent, set, refuseFile, submit } = useRecovery();
  if (state === 'done') return <Restored />;
  const isBusy = state === 'in_process';
  const begin = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  const { file } = form;
  return (
    <form onSubmit={begin} noValidate>
      <Title />
      {rules?.setup_token_required === true && (
        <TextField
          label={SIGN_UP_TEXTS.setupToken}
          hint={SIGN_UP_TEXTS.setupTokenHint}
          value={form.setupToken}
          onChange={(setupToken) => set({ setupToken })}
          size="lg"
          autoComplete="off"
          isLocked={isBusy}
        />
      )}
      <FileDrop
        label={TEXTS.file}
        prompt={{ text: TEXTS.drop, choose: TEXTS.choose, hint: TEXTS.fileKind }}
        icon={<Archive size={18} />}
        chosen={file === null ? null : { name: file.name, hint: formatFileSize(file.size) }}
        replace={TEXTS.replace}
        error={problems.file}
        isDisabled={isBusy}
        autoFocus
        onFiles={([first, ...others]) => {
          if (others.length > 0) refuseFile(TEXTS.oneFileOnly);
          else set({ file: first });
        }}
      />
      <PasswordField
        label={TEXTS.password}
        isOptional
        value={form.password}
        onChange={(password) => set({ password })}
        size="lg"
        error={problems.password}
        isLocked={isBusy}
      />
      {problems.other.length > 0 && <MessageBox tone="danger" lines={problems.other} />}
      {isBusy && <ProgressBar label={sent === null ? TEXTS.restoring : TEXTS.uploading} value={sent} />}
      <Button variant="primary" size="lg" type="submit" isBlock busy={isBusy} busyLabel={TEXTS.recovering}>
        {TEXTS.submit}
      </Button>
      {!isBusy && (
        <p className={styles['alternative']}>
          <Link to="/identity/signup">{TEXTS.createInstead}</Link>
        </p>
      )}
    </form>
  );
}

const Title = () => (
  <div className={styles['heading']}>
    <h1>{TEXTS.page}</h1>
  </div>
);

function Restored() {
  const navigate = useNavigate();
  const leave = () => {
    session.endRecovery();
    void navigate('/identity/login', { replace: true });
  };
  return (
    <div className={styles['stack']}>
      <Title />
      <MessageBox tone="success" lines={[TEXTS.done, TEXTS.doneWhat]} />
      <Button variant="primary" size="lg" isBlock autoFocus onPress={leave}>
        {TEXTS.goToLogin}
      </Button>
    </div>
  );
}

const EMPTY: RecoveryForm = { file: null, password: '', setupToken: '' };

/** Asks before the tab is closed during the upload. */
function useKeptOpen(isWanted: boolean) {
  useEffect(() => {
    if (!isWanted) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isWanted]);
}

function useRecovery() {
  const machine = useRef<RecoveryState>('await');
  const [state, setState] = useState<RecoveryState>('await');
  const [form, setForm] = useState(EMPTY);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  /** Percent; null once everything is sent. */
  const [sent, setSent] = useState<number | null>(0);
  const pass = (event: RecoveryEvent) => {
    machine.current = afterEvent(machine.current, event);
    setState(machine.current);
  };
  useKeptOpen(state === 'in_process');

  async function submit(): Promise<void> {
    if (!canStart(machine.current)) return;
    pass(form.file === null ? 'refused' : 'start');
    setProblems(NO_PROBLEMS);
    setSent(0);
    const onSent = (done: number, total: number) => setSent(done >= total ? null : Math.floor((done / total) * 100));
    const found = await recover(http, form, onSent);
    setProblems(found ?? NO_PROBLEMS);
    pass(found === null ? 'restored' : 'failed');
  }

  return {
    state,
    form,
    problems,
    sent,
    set: (change: Partial<RecoveryForm>) => setForm((now) => ({ ...now, ...change })),
    refuseFile: (text: string) => setProblems({ ...NO_PROBLEMS, file: text }),
    submit,
  };
}
