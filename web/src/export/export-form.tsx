/** What, into which kind of file, and with which password. */
import { type FormEvent, useId, useState } from 'react';
import { ArrowRight } from 'lucide-react';
import type { SiteSettings } from '@passwordbroker/core/contract/site/site';
import { type ExportFormat, isEncrypted } from '@passwordbroker/core/domain/exchange/export-formats';
import { KINDS, offeredKinds } from '@passwordbroker/client/vault/entries/export-scope';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { Select } from '@passwordbroker/ui/inputs/select';
import { PasswordField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, FormVerbs } from '@passwordbroker/ui/overlays/dialog';
import { estimateStrengths } from '../identity/passwords/judge-passwords.ts';
import styles from '../import/import-dialog.module.css';
import { EXPORT_TEXTS as TEXTS } from '../texts/entries/export.ts';
import type { ExportScope, ExportWhat } from './scope.ts';
import type { ExportRun } from './use-export.ts';

export interface ExportChoice {
  readonly format: ExportFormat;
  readonly history: boolean;
  readonly files: boolean;
  readonly password: string;
}

export const FIRST_CHOICE: ExportChoice = {
  format: offeredKinds(false)[0] ?? 'kdbx',
  history: true,
  files: true,
  password: '',
};

/** Scores of zxcvbn below this are easy to guess. */
const STRONG = 3;

interface Props {
  readonly run: ExportRun;
  readonly what: ExportWhat;
  readonly scope: ExportScope;
  readonly site: Pick<SiteSettings, 'export_by' | 'export_plain'>;
  readonly choice: ExportChoice;
  readonly onChoose: (choice: ExportChoice) => void;
  readonly onClose: () => void;
}

export function ExportForm({ run, what, scope, site, choice, onChoose, onClose }: Props) {
  const form = useId();
  const [repeated, setRepeated] = useState(choice.password);
  const [leavesOut, setLeavesOut] = useState(false);
  const [errors, setErrors] = useState<{ readonly password?: string; readonly repeated?: string }>({});
  /** The weak password that the person was told about. */
  const [warned, setWarned] = useState<string | null>(null);
  const isBusy = run.state.at === 'preparing';
  const { format, history, files, password } = choice;
  const kind = KINDS[format];
  const { groups, refused } = scope;
  const names = refused.map(({ title }) => title).join(', ');
  const isOff = site.export_by === 'nobody' || groups.length === 0;
  const set = (changes: Partial<ExportChoice>) => {
    onChoose({ ...choice, ...changes });
    setErrors({});
    setWarned(null);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isOff || (refused.length > 0 && !leavesOut)) return;
    if (isEncrypted(format)) {
      const missing = password === '' ? { password: TEXTS.passwordMissing } : {};
      const differs = password !== '' && password !== repeated ? { repeated: TEXTS.passwordsDiffer } : {};
      setErrors({ ...missing, ...differs });
      if (password === '' || password !== repeated) return;
      const [score = null] = await estimateStrengths({ passwords: [password], about: [scope.name] });
      if (score !== null && score < STRONG && warned !== password) {
        setWarned(password);
        return;
      }
    }
    await run.prepare({
      scope: what.kind === 'entries' ? { entries: [...what.entryIds] } : { groups: groups.map(({ id }) => id) },
      format,
      history: kind.history && history,
      files: kind.files && files,
    });
  };

  return (
    <Dialog
      key="form"
      title={TEXTS.title}
      subtitle={subtitleOf(what, scope)}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        isOff ? (
          <Button variant="secondary" onPress={onClose}>
            {TEXTS.close}
          </Button>
        ) : (
          <FormVerbs
            form={form}
            cancel={TEXTS.cancel}
            onCancel={isBusy ? () => void run.cancel() : onClose}
            isHeld={false}
            submit={TEXTS.next}
            submitting={TEXTS.preparing}
            isBusy={isBusy}
            isDisabled={refused.length > 0 && !leavesOut}
            icon={<ArrowRight size={16} />}
          />
        )
      }
    >
      <form id={form} className={styles['body']} onSubmit={(event) => void submit(event)} noValidate>
        <Notices run={run} />
        {isOff ? (
          <MessageBox
            tone="info"
            lines={site.export_by === 'nobody' ? [TEXTS.off] : [TEXTS.nothing, TEXTS.leastRole[site.export_by]]}
          />
        ) : (
          <>
            {refused.length > 0 && (
              <>
                <MessageBox
                  tone="warning"
                  lines={[
                    TEXTS.refused(refused.length, names),
                    ...(site.export_by === 'nobody' ? [] : [TEXTS.leastRole[site.export_by]]),
                  ]}
                />
                <Checkbox isSelected={leavesOut} onChange={setLeavesOut}>
                  {TEXTS.leaveOut}
                </Checkbox>
              </>
            )}
            <Select
              label={TEXTS.kind}
              value={format}
              onChange={(value) => set({ format: value as ExportFormat })}
              options={offeredKinds(site.export_plain).map((one) => ({ value: one, title: TEXTS.kinds[one] }))}
              {...(site.export_plain ? {} : { hint: TEXTS.plainOff })}
            />
            {kind.history && (
              <Checkbox isSelected={history} onChange={(on) => set({ history: on })}>
                {TEXTS.history}
              </Checkbox>
            )}
            {kind.files && (
              <Checkbox isSelected={files} onChange={(on) => set({ files: on })}>
                {TEXTS.files}
              </Checkbox>
            )}
            {isEncrypted(format) ? (
              <>
                <PasswordField
                  label={TEXTS.password}
                  hint={TEXTS.passwordHint}
                  value={password}
                  onChange={(typed) => set({ password: typed })}
                  autoComplete="new-password"
                  {...(errors.password === undefined ? {} : { error: errors.password })}
                />
                <PasswordField
                  label={TEXTS.repeat}
                  value={repeated}
                  onChange={(typed) => {
                    setErrors({});
                    setRepeated(typed);
                  }}
                  autoComplete="new-password"
                  {...(errors.repeated === undefined ? {} : { error: errors.repeated })}
                />
                {warned !== null && <MessageBox tone="warning" lines={[TEXTS.weak]} />}
              </>
            ) : (
              <MessageBox tone="danger" lines={[TEXTS.plain]} />
            )}
          </>
        )}
      </form>
    </Dialog>
  );
}

function subtitleOf(what: ExportWhat, { groups, entryIds, name }: ExportScope): string {
  if (what.kind === 'group') return TEXTS.ofGroup(name, Math.max(0, groups.length - 1));
  return what.kind === 'entries' ? TEXTS.ofEntries(entryIds.length) : TEXTS.ofAll(groups.length);
}

function Notices({ run: { problem, other, cancelled, endOther } }: Pick<Props, 'run'>) {
  return (
    <>
      {cancelled !== null && <MessageBox tone="info" lines={[TEXTS.cancelled(cancelled)]} />}
      {problem !== null && <MessageBox tone="danger" lines={[problem]} />}
      {other !== null && (
        <MessageBox tone="warning" lines={[TEXTS.another]}>
          <Button variant="secondary" size="sm" onPress={() => void endOther()}>
            {TEXTS.endOther}
          </Button>
        </MessageBox>
      )}
    </>
  );
}
