/** Values of CXF with their types, and the credentials that have nothing else. */
import type { JsonObject } from '../json/json-object.ts';
import { namedField, namedLink, secretField } from '../json/named-fields.ts';
import type { TreeField } from '../tree.ts';

type Member = readonly [member: string, title: string];

const DOCUMENT: readonly Member[] = [
  ['nationality', 'Nationality'],
  ['fullName', 'Full name'],
  ['birthDate', 'Date of birth'],
  ['birthPlace', 'Place of birth'],
  ['sex', 'Sex'],
  ['issueDate', 'Issued'],
  ['expiryDate', 'Expires'],
  ['issuingAuthority', 'Issuing authority'],
];

/** Members in the order in which they are shown. */
export const CREDENTIALS: Readonly<Record<string, readonly Member[] | undefined>> = Object.assign(Object.create(null), {
  'api-key': [
    ['key', 'API key'],
    ['username', 'User name'],
    ['keyType', 'Key type'],
    ['url', 'URL'],
    ['validFrom', 'Valid from'],
    ['expiryDate', 'Expires'],
  ],
  wifi: [
    ['ssid', 'Network'],
    ['networkSecurityType', 'Security'],
    ['passphrase', 'Network password'],
    ['hidden', 'Hidden'],
  ],
  'credit-card': [
    ['fullName', 'Cardholder'],
    ['cardType', 'Brand'],
    ['number', 'Card number'],
    ['verificationNumber', 'Security code'],
    ['pin', 'PIN'],
    ['expiryDate', 'Expires'],
    ['validFrom', 'Valid from'],
  ],
  'person-name': [
    ['title', 'Title'],
    ['given', 'First name'],
    ['givenInformal', 'Nickname'],
    ['given2', 'Middle name'],
    ['surnamePrefix', 'Prefix of the last name'],
    ['surname', 'Last name'],
    ['surname2', 'Second last name'],
    ['credentials', 'Degree'],
    ['generation', 'Generation'],
  ],
  'identity-document': [
    ['documentNumber', 'Document number'],
    ['identificationNumber', 'Identification number'],
    ['issuingCountry', 'Issuing country'],
    ...DOCUMENT,
  ],
  'drivers-license': [
    ['fullName', 'Full name'],
    ['birthDate', 'Date of birth'],
    ['licenseNumber', 'Licence number'],
    ['licenseClass', 'Class'],
    ['issueDate', 'Issued'],
    ['expiryDate', 'Expires'],
    ['issuingAuthority', 'Issuing authority'],
    ['territory', 'Territory'],
    ['country', 'Country'],
  ],
  passport: [
    ['passportNumber', 'Passport number'],
    ['passportType', 'Kind of passport'],
    ['nationalIdentificationNumber', 'National identification number'],
    ['issuingCountry', 'Issuing country'],
    ...DOCUMENT,
  ],
} satisfies Record<string, readonly Member[]>);

/** Secret whatever the file says of their types. */
const SECRET = /^(?:key|passphrase|number|verificationNumber|pin|\w+Number)$/;

/** @param member of `holder`; null if `holder` is the field itself. @param heading before the title: 'Passport › ' */
export function editableField(holder: JsonObject, member: string | null, title: string, heading = ''): TreeField[] {
  const field = member === null ? holder : holder.object(member);
  const label = member === null ? '' : field.text('label');
  field.skip('id', 'label');
  const type = field.text('fieldType');
  const value = shownValue(type, member === null ? field.text('value') : editableValue(holder, member));
  const isSecret = type === 'concealed-string' || (member !== null && SECRET.test(member));
  const shown = `${heading}${label.trim() === '' ? title : label}`;
  if (member === 'url') return namedLink(shown, value);
  return isSecret ? secretField(shown, value) : namedField(shown, value);
}

/** The text of an editable field; early drafts of the format wrote it without its type. */
export function editableValue(holder: JsonObject, member: string): string {
  const plain = holder.text(member);
  if (plain !== '') return plain;
  const field = holder.object(member);
  field.skip('id', 'fieldType', 'label');
  return field.text('value');
}

export const labelOf = (holder: JsonObject, member: string): string => holder.object(member).text('label').trim();

function shownValue(type: string, value: string): string {
  if (type === 'boolean') return { true: 'yes', false: 'no' }[value.trim().toLowerCase()] ?? value;
  if (type === 'date') return value.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$1.$2.$3');
  return type === 'year-month' ? value.replace(/^(\d{4})-(\d{2})$/, '$1.$2') : value;
}
