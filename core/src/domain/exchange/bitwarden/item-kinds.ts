/** Fields of Bitwarden's kinds of items, beside logins and notes. */
import type { JsonObject } from '../json/json-object.ts';
import {
  addressField,
  allNamedFields,
  namedField,
  type NamedMember,
  namedFields,
  shownMonth,
} from '../json/named-fields.ts';
import type { TreeField } from '../tree.ts';

const CARD: readonly NamedMember[] = [
  ['cardholderName', 'Cardholder'],
  ['brand', 'Brand'],
  ['number', 'Card number', 'secret'],
  ['code', 'Security code', 'secret'],
];
const PERSON: readonly NamedMember[] = [
  ['title', 'Title'],
  ['firstName', 'First name'],
  ['middleName', 'Middle name'],
  ['lastName', 'Last name'],
  ['username', 'User name'],
  ['company', 'Company'],
  ['email', 'E-mail'],
  ['phone', 'Phone'],
  ['ssn', 'Social security number', 'secret'],
  ['passportNumber', 'Passport number', 'secret'],
  ['licenseNumber', 'Licence number', 'secret'],
];
const ADDRESS = ['address1', 'address2', 'address3', 'city', 'state', 'postalCode', 'country'];
const SSH_KEY: readonly NamedMember[] = [
  ['privateKey', 'Private key', 'secret'],
  ['publicKey', 'Public key'],
  ['keyFingerprint', 'Fingerprint'],
];
const BANK_ACCOUNT: readonly NamedMember[] = [
  ['bankName', 'Bank'],
  ['nameOnAccount', 'Name on account'],
  ['accountType', 'Account type'],
  ['accountNumber', 'Account number', 'secret'],
  ['routingNumber', 'Routing number'],
  ['branchNumber', 'Branch number'],
  ['pin', 'PIN', 'secret'],
  ['swiftCode', 'SWIFT code'],
  ['iban', 'IBAN', 'secret'],
  ['bankContactPhone', 'Bank phone'],
];

const KINDS = ['card', 'identity', 'sshKey', 'bankAccount', 'driversLicense', 'passport'];

/** Of whichever of them the item has. */
export function fieldsOfKind(item: JsonObject): TreeField[] {
  // Most are logins.
  if (KINDS.every((kind) => (item.peek(kind) ?? null) === null)) return [];
  const [card, identity] = [item.object('card'), item.object('identity')];
  return [
    ...namedFields(card, CARD),
    ...expiryOf(card),
    ...namedFields(identity, PERSON),
    ...addressField(
      'Address',
      ADDRESS.map((line) => identity.text(line)),
    ),
    ...namedFields(item.object('sshKey'), SSH_KEY),
    ...namedFields(item.object('bankAccount'), BANK_ACCOUNT),
    ...allNamedFields(item.object('driversLicense')),
    ...allNamedFields(item.object('passport')),
  ];
}

function expiryOf(card: JsonObject): TreeField[] {
  const [year, month] = [card.text('expYear'), card.text('expMonth')];
  const both = shownMonth(year, month);
  return both === null
    ? [...namedField('Expiry month', month), ...namedField('Expiry year', year)]
    : namedField('Expires', both);
}
