import type { GroupTemplate } from '@passwordbroker/core/contract/groups/templates';
import { type DueKind, ENTRY_ICONS, type EntryIcon } from '@passwordbroker/core/domain/entry-marks';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { ENTRY_TEXTS } from '../../texts/entries/entries.ts';
import { TEMPLATE_TEXTS as TEXTS } from '../../texts/entries/marks.ts';

/** A field that the form of a new entry offers. An empty one is not saved. */
export interface TemplateField {
  /** Fields of several templates with the same key keep what was typed. */
  readonly key: string;
  readonly type: FieldType;
  readonly title: string;
  /** What the form calls the value; absent: the title. */
  readonly label?: string;
  /** Label of the login of a password; absent: no login. */
  readonly login?: string;
  /** A password that somebody else chooses: without generator. */
  readonly isGiven?: boolean;
}

interface Template {
  readonly icon: EntryIcon | '';
  /** What a due date means at first. */
  readonly due: DueKind;
  readonly dueLabel?: string;
  readonly fields: readonly TemplateField[];
}

export const TEMPLATE_NAMES = ['login', 'server', 'database', 'card', 'sshKey', 'token', 'note'] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

const { fields } = TEXTS;
const password = (title: string, login?: string): TemplateField => ({
  key: 'password',
  type: 'password',
  title,
  ...(login === undefined ? {} : { login }),
});
const more = (key: string, title: string): TemplateField => ({ key, type: 'password', title });
const link = (title: string): TemplateField => ({ key: 'link', type: 'link', title });
const note = (title: string, key = 'note'): TemplateField => ({ key, type: 'note', title });
const code: TemplateField = { key: 'TOTP', type: 'TOTP', title: fields.code, label: ENTRY_TEXTS.totp };
const file: TemplateField = { key: 'file', type: 'file', title: fields.file };

/** The fields of a new entry by what it is for. The entry itself remembers only the icon. */
export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  login: {
    icon: 'key',
    due: 'review',
    fields: [password(fields.password, fields.login), link(fields.link), code, note(fields.note), file],
  },
  server: {
    icon: 'server',
    due: 'review',
    fields: [password(fields.password, fields.login), link(fields.address), code, note(fields.note), file],
  },
  database: {
    icon: 'database',
    due: 'review',
    fields: [password(fields.password, fields.login), link(fields.address), note(fields.databaseName), file],
  },
  card: {
    icon: 'credit-card',
    due: 'expires',
    dueLabel: TEXTS.validUntil,
    fields: [
      { ...password(fields.cardNumber, fields.holder), isGiven: true },
      { ...more('security code', fields.securityCode), isGiven: true },
      { ...more('pin', fields.pin), isGiven: true },
      note(fields.bank),
    ],
  },
  sshKey: {
    icon: 'terminal',
    due: 'review',
    fields: [
      note(fields.privateKey),
      more('passphrase', fields.passphrase),
      note(fields.publicKey, 'public key'),
      link(fields.host),
      file,
    ],
  },
  token: {
    icon: 'plug',
    due: 'expires',
    dueLabel: TEXTS.endsOn,
    fields: [{ ...password(fields.token), isGiven: true }, link(fields.managedAt), note(fields.purpose)],
  },
  note: { icon: 'sticky-note', due: 'review', fields: [note(fields.note), file] },
};

/** A kind of entry that the form of a new entry offers. */
export interface Kind extends Template {
  /** `TemplateName`, or the id of a kind that a group added. */
  readonly id: string;
  readonly name: string;
}

export const BUILT_IN: readonly Kind[] = TEMPLATE_NAMES.map((id) => ({ id, name: TEXTS.names[id], ...TEMPLATES[id] }));

/** The first field of each type has the key of the built-in ones, so that a change of the kind keeps its value. */
export function kindOf({ template_id, name, icon, fields: all }: GroupTemplate): Kind {
  const keyOf = (at: number) => {
    const { type } = all[at] ?? { type: '' };
    const before = all.slice(0, at).filter((one) => one.type === type).length;
    return before === 0 ? type : `${type} ${before + 1}`;
  };
  return {
    id: template_id,
    name,
    icon: ENTRY_ICONS.find((one) => one === icon) ?? '',
    due: 'review',
    fields: all.map(({ type, title, login }, at) => ({
      key: keyOf(at),
      type,
      title,
      ...(login === null ? {} : { login }),
    })),
  };
}
