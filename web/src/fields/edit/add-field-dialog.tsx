import { useEffect, useRef, useState } from 'react';
import { generatePassword } from '@passwordbroker/core/domain/fields/password-generator';
import type { Entry } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { useMasterPassword, useMasterPasswordView } from '../../master-password/use-master-password.ts';
import { ADD_FIELD_TEXTS as TEXTS, FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { PasswordField } from '@passwordbroker/ui/inputs/password-field';
import { SegmentedRadio } from '@passwordbroker/ui/inputs/segmented-radio';
import { toast } from '@passwordbroker/ui/feedback/toast';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';
import { FIELD_ICONS } from '../table/field-kind.tsx';
import { DEFAULT_SETTINGS } from '../generator/generator-settings.ts';
import { DraftInputs } from './draft-inputs.tsx';
import { FieldFormDialog } from './field-form-dialog.tsx';
import { type Draft, FRESH_DRAFT } from './new-field.ts';
import { useAddField } from './use-add-field.ts';

interface Props {
  readonly entry: Entry;
  readonly write: VaultWrite;
  readonly onClose: () => void;
}

const TYPES = (['password', 'TOTP', 'link', 'note', 'file'] as const satisfies FieldType[]).map((type) => {
  const Icon = FIELD_ICONS[type];
  return { value: type, label: FIELD_TEXTS.kinds[type], icon: <Icon size={14} aria-hidden="true" /> };
});

/** Adds a field of one of the five types (docs/spec/product.md §5). */
export function AddFieldDialog({ entry, write, onClose }: Props) {
  const masterPassword = useMasterPassword();
  useMasterPasswordView();
  const [draft, setDraft] = useState<Draft>(() => ({ ...FRESH_DRAFT, password: generatePassword(DEFAULT_SETTINGS) }));
  const [typed, setTyped] = useState('');
  const adding = useAddField({ entryGroupId: entry.entry_group_id, entryId: entry.entry_id }, write);
  const { errors } = adding;
  const isBusy = adding.state === 'in progress';
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));

  const submit = async () => {
    // A later lock must not show it again.
    setTyped('');
    if (await adding.submit(draft, typed)) onClose();
  };
  const close = () => {
    adding.cancel();
    onClose();
  };
  // The draft is as secret as a stored value: a lock drops it.
  useOnLocked(() => {
    close();
    toast(TEXTS.locked);
  });
  return (
    <FieldFormDialog
      title={TEXTS.title}
      subtitle={TEXTS.within(entry.title)}
      cancel={TEXTS.cancel}
      submit={TEXTS.submit}
      submitting={TEXTS.adding}
      isBusy={isBusy}
      canStop={draft.type === 'file'}
      problem={errors.other}
      onSubmit={() => void submit()}
      onClose={close}
    >
      <SegmentedRadio
        label={TEXTS.type}
        value={draft.type}
        options={TYPES}
        onChange={(type) => {
          adding.clear();
          change({ type });
        }}
        isDisabled={isBusy}
      />
      <DraftInputs draft={draft} errors={errors} onChange={change} sent={adding.sent} />
      {!masterPassword.isRemembered() && (
        <PasswordField
          label={TEXTS.masterPassword}
          value={typed}
          onChange={setTyped}
          hint={TEXTS.masterPasswordHint}
          autoComplete="off"
          {...(errors.master_password === undefined ? {} : { error: errors.master_password })}
        />
      )}
    </FieldFormDialog>
  );
}

/** Calls `onLocked` at each lock, not after a wrong master password. */
function useOnLocked(onLocked: () => void): void {
  const masterPassword = useMasterPassword();
  const listener = useRef(onLocked);
  useEffect(() => {
    listener.current = onLocked;
  }, [onLocked]);
  useEffect(() => {
    let wasOpen = masterPassword.isRemembered();
    return masterPassword.subscribe(() => {
      const isOpen = masterPassword.isRemembered();
      const isLocked = wasOpen && !isOpen;
      wasOpen = isOpen;
      if (isLocked) listener.current();
    });
  }, [masterPassword]);
}
