import { useState } from 'react';
import { activityLog } from '../../activity-log/activity-log.ts';
import { clipboard } from '../../lib/clipboard.ts';
import { FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { desk } from '../../page/vault.ts';
import { useVault } from '../../vault/use-vault.ts';
import type { FieldPath, Revealed, Disagreement } from '@passwordbroker/client/vault/vault';
import { copiedNotice } from './copied-notice.ts';
import { presentCode, presentTotp } from '../totp/totp-clock.ts';
import { problemText } from '../table/problem-text.ts';
import { useFileSave } from '../file/use-file-save.ts';
import { useSecret, type Secret } from './use-secret.ts';
import { openableLink } from '@passwordbroker/core/domain/fields/link';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';

export type Copied = 'value' | 'login' | 'key';

export interface FieldVerbs {
  readonly secret: Secret;
  /** What was copied last, and how often in total. */
  readonly copied: { readonly what: Copied; readonly count: number } | null;
  /** Download progress from 0 to 1, or null. */
  readonly saving: number | null;
  readonly problem: string | null;
  /** Lines about sealed data that differs from the list. */
  readonly disagreement: readonly string[];
  readonly toggle: () => void;
  readonly copyValue: () => Promise<void>;
  readonly copyLogin: () => Promise<void>;
  readonly copyKey: () => Promise<void>;
  /** Opens the address of a link in a new tab. */
  readonly openLink: () => Promise<void>;
  readonly save: () => Promise<void>;
}

const isCode = (opened: Revealed) => presentTotp(opened) !== null;

export function useFieldVerbs(path: FieldPath, announce: (text: string) => void): FieldVerbs {
  const vault = useVault();
  const { field } = path;
  const { title } = field;
  const secret = useSecret(
    (signal, purpose) => vault.read.reveal(path, signal, purpose),
    TEXTS.reveal(title),
    field.rev,
    isCode,
  );
  const [copied, setCopied] = useState<FieldVerbs['copied']>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const file = useFileSave((watched) => vault.read.openFile(path, watched), title);
  const last = secret.opened ?? file.saved;

  const copy = async (what: Copied, notice: string, write: () => Promise<void>) => {
    setProblem(null);
    try {
      await write();
    } catch (failure) {
      setProblem(problemText(failure));
      return;
    }
    setCopied((before) => ({ what, count: (before?.count ?? 0) + 1 }));
    announce(notice);
    activityLog.add(notice);
  };
  const copyOpened = async (what: Copied, notice: string, textOf: (opened: Revealed) => string) => {
    const opened = await secret.take(TEXTS.copy(title), 'copy');
    if (opened !== null) await copy(what, notice, () => clipboard.copySecret(textOf(opened)));
  };

  return {
    secret,
    copied,
    saving: file.saving,
    problem: problem ?? secret.problem ?? file.problem,
    disagreement: last === null || last.disagreements.length === 0 ? [] : disagreementLines(last),
    toggle() {
      setProblem(null);
      if (field.type === 'file') return;
      if (secret.shown === null) void secret.show();
      else secret.hide();
    },
    async copyValue() {
      if (field.type === 'file') return;
      if (field.type === 'TOTP') {
        await copyOpened('value', TEXTS.activity.totpCopied(title), (opened) => presentCode(opened));
        return;
      }
      await copyOpened('value', copiedNotice(field.type, title), ({ text }) => text);
    },
    async copyLogin() {
      if (field.type !== 'password') return;
      const login = secret.shown?.login ?? field.login;
      await copy('login', TEXTS.activity.loginCopied(title), () => clipboard.copyPlain(login));
      desk.use(path.entryId);
    },
    async copyKey() {
      if (field.type === 'TOTP') await copyOpened('key', copiedNotice(field.type, title), ({ text }) => text);
    },
    async openLink() {
      if (field.type !== 'link') return;
      setProblem(null);
      const opened = await secret.take(TEXTS.open(title));
      if (opened === null) return;
      try {
        openInNewTab(opened.text);
      } catch (failure) {
        setProblem(problemText(failure));
      }
    },
    async save() {
      if (field.type === 'file') await file.save();
    },
  };
}

/**
 * With `noopener` the browser does not tell whether it blocked the tab, so this asks first whether it would.
 * @throws Error with a sentence for the person
 */
export function openInNewTab(text: string): void {
  const address = openableLink(text);
  if (address === null) throw new Error(TEXTS.notALink);
  if ('userActivation' in navigator && !navigator.userActivation.isActive) throw new Error(TEXTS.tabBlocked);
  window.open(address.href, '_blank', 'noopener,noreferrer');
}

type OfList = Exclude<Disagreement, 'older'>;

const LINES: Readonly<Record<OfList, (revealed: Revealed) => string>> = {
  title: ({ title }) => `${TEXTS.sealedTitle}: ${title}`,
  login: ({ login }) => `${TEXTS.sealedLogin}: ${login ?? ''}`,
  totp: ({ totp }) =>
    totp === null ? '' : `${TEXTS.sealedTotp}: ${TEXTS.algorithms[totp.algorithm]}, ${TEXTS.secondsLeft(totp.period)}`,
  file: ({ file }) =>
    file === null ? '' : `${TEXTS.sealedFile}: ${file.name}, ${file.mime}, ${formatFileSize(file.size)}`,
};

/** Says that the value is old, or that the list differs from what was sealed. */
export function disagreementLines(revealed: Revealed): readonly string[] {
  const { disagreements } = revealed;
  const ofList = disagreements.filter((what): what is OfList => what !== 'older');
  const older = disagreements.includes('older') ? [TEXTS.older] : [];
  if (ofList.length === 0) return older;
  return [...older, TEXTS.disagrees(ofList), ...ofList.map((what) => LINES[what](revealed))];
}
