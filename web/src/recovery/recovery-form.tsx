import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { Archive } from 'lucide-react';
import type { FormEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import styles from '../identity/identity-frame.module.css';
import { useSiteRules } from '../identity/passwords/use-site-rules.ts';
import { SIGN_UP_TEXTS, RECOVERY_TEXTS as TEXTS } from '../texts/identity/signed-out.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { FileDrop } from '@passwordbroker/ui/inputs/file-drop';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField } from '@passwordbroker/ui/inputs/password-field';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { useRecovery } from './use-recovery.ts';
import { session } from '../page/page.ts';

export function RecoveryFormView() {
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
