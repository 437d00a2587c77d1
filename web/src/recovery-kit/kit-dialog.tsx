import { type FormEvent, useId, useState } from 'react';
import { Printer } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { PasswordField, TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, firstFocus, FormVerbs, useFirstFocus } from '@passwordbroker/ui/overlays/dialog';
import { tellDone } from '../activity-log/activity-log.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { useWhyNot } from '../vault/use-vault.ts';
import { KIT_TEXTS as TEXTS } from '../texts/identity/recovery-kit.ts';
import type { KitOffer } from './kit-offer.ts';
import { KitSheet, ShownKit, useKitWords } from './kit-sheet.tsx';
import { LostGroups } from './lost-groups.tsx';
import styles from './recovery-kit.module.css';
import { useKitTime } from './use-kit-time.ts';
import { type Kit, useKit } from './use-kit.ts';

interface Props {
  readonly offer: Exclude<KitOffer, { kind: 'signed up' }>;
  readonly onClose: () => void;
}

export function KitDialog({ offer, onClose }: Props) {
  const masterPassword = useMasterPassword();
  const queries = useQueryClient();
  const isOpenEnded = offer.kind !== 'chosen' && !offer.canPutOff;
  const kit = useKit(() => {
    tellDone(TEXTS.done);
    void queries.invalidateQueries({ queryKey: ['account'] });
    onClose();
  });
  // Where the site asks for a kit, what is closed is the vault.
  const close = () => {
    if (isOpenEnded) masterPassword.lock();
    onClose();
  };
  const cancel = isOpenEnded ? TEXTS.lock : offer.kind === 'chosen' ? TEXTS.cancel : TEXTS.later;
  switch (kit.step) {
    case 'master password':
      return <AskMasterPassword kit={kit} offer={offer} cancel={cancel} onClose={close} />;
    case 'shown':
      return <ShowKit kit={kit} cancel={cancel} onClose={close} />;
    case 'asked':
      return <TypeBack kit={kit} onClose={close} />;
  }
}

interface StepProps {
  readonly kit: Kit;
  readonly onClose: () => void;
}

function introOf({ kind }: Props['offer'], hasKit: boolean): string | null {
  if (kind === 'required') return TEXTS.introRequired;
  if (kind === 'used') return TEXTS.introUsed;
  return hasKit ? TEXTS.introReplace : null;
}

function AskMasterPassword({ kit, offer, cancel, onClose }: StepProps & { offer: Props['offer']; cancel: string }) {
  const form = useId();
  const [input, focusAgain] = useFirstFocus();
  const [typed, setTyped] = useState('');
  const whyNot = useWhyNot();
  const intro = introOf(offer, (useKitTime().data ?? null) !== null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (whyNot !== null) return;
    await kit.make(typed);
    setTyped('');
    focusAgain();
  };
  return (
    <Dialog
      title={TEXTS.title}
      subtitle={TEXTS.intro}
      onClose={onClose}
      isBusy={kit.isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={cancel}
          onCancel={onClose}
          submit={TEXTS.make}
          submitting={TEXTS.making}
          isBusy={kit.isBusy}
        />
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void submit(event)} noValidate autoComplete="off">
        {intro !== null && <p className={styles['text']}>{intro}</p>}
        {offer.kind === 'required' && <LostGroups />}
        <Problems lines={whyNot === null ? kit.problems : [whyNot]} />
        <PasswordField
          ref={input}
          label={TEXTS.masterPassword}
          value={typed}
          onChange={setTyped}
          size="lg"
          autoComplete="off"
        />
      </form>
    </Dialog>
  );
}

function ShowKit({ kit: { kit, go }, cancel, onClose }: StepProps & { cancel: string }) {
  const words = useKitWords(kit?.madeAt ?? 0);
  if (kit === null) return null;
  return (
    <>
      <Dialog
        title={TEXTS.title}
        subtitle={TEXTS.shownHint}
        size="md"
        onClose={onClose}
        footer={
          <>
            <Button variant="ghost" onPress={onClose}>
              {cancel}
            </Button>
            <Button ref={firstFocus} icon={<Printer size={16} />} onPress={() => print()}>
              {TEXTS.print}
            </Button>
            <Button variant="primary" onPress={() => go('asked')}>
              {TEXTS.next}
            </Button>
          </>
        }
      >
        <ShownKit written={kit.written} words={words} />
      </Dialog>
      <KitSheet written={kit.written} words={words} />
    </>
  );
}

function TypeBack({ kit, onClose }: StepProps) {
  const form = useId();
  const [input, focusAgain] = useFirstFocus();
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [check, setCheck] = useState('');
  const [at, next] = kit.asked;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await kit.confirm({ first, second, check });
    focusAgain();
  };
  const typing = { size: 'lg', autoComplete: 'off', mono: true } as const;
  return (
    <Dialog
      title={TEXTS.title}
      subtitle={TEXTS.askedHint}
      onClose={onClose}
      isBusy={kit.isBusy}
      footer={
        <FormVerbs
          form={form}
          cancel={TEXTS.showAgain}
          onCancel={() => kit.go('shown')}
          submit={TEXTS.confirm}
          submitting={TEXTS.storing}
          isBusy={kit.isBusy}
        />
      }
    >
      <form id={form} className={styles['form']} onSubmit={(event) => void submit(event)} noValidate autoComplete="off">
        <TextField
          ref={input}
          label={TEXTS.typeGroup(at)}
          value={first}
          onChange={setFirst}
          maxLength={8}
          {...typing}
        />
        <TextField label={TEXTS.typeGroup(next)} value={second} onChange={setSecond} maxLength={8} {...typing} />
        <TextField label={TEXTS.typeCheck} value={check} onChange={setCheck} maxLength={4} {...typing} />
        <Problems lines={kit.problems} />
      </form>
    </Dialog>
  );
}

function Problems({ lines }: { readonly lines: readonly string[] }) {
  return lines.length === 0 ? null : <MessageBox tone="danger" lines={lines} />;
}
