import { noteField, passwordField } from '../tree-builder.ts';
import { type CsvKind, pathOf } from './found.ts';
import { isArray, isObject, jsonOf } from './programs.ts';

const SLASH = /\//;
const TYPES = new Set(['', 'password', 'note', 'credit_card', 'identity']);

export const NORDPASS: CsvKind = {
  // Header: NordPass's export of 2024 to 2026 as several importers quote it; the columns with `?` came later.
  id: 'nordpass-csv',
  label: 'NordPass (CSV)',
  columns: {
    name: 'title',
    url: 'url',
    additional_urls: 'none',
    username: 'login',
    password: 'password',
    note: 'notes',
    cardholdername: { text: 'Cardholder name' },
    cardnumber: { secret: 'Card number' },
    cvc: { secret: 'CVC' },
    pin: { secret: 'PIN' },
    expirydate: { text: 'Expiry date' },
    zipcode: { text: 'ZIP code' },
    folder: 'group',
    shared_folder: 'none',
    full_name: { text: 'Full name' },
    phone_number: { text: 'Phone number' },
    email: { text: 'E-mail' },
    address1: { text: 'Address' },
    address2: { text: 'Address, second line' },
    city: { text: 'City' },
    country: { text: 'Country' },
    state: { text: 'State' },
    type: 'none',
    custom_fields: 'none',
    totp: 'totp',
  },
  optional: ['additional_urls', 'pin', 'shared_folder', 'type', 'custom_fields', 'totp'],
  separator: SLASH,
  adjust(found, cell, tree) {
    if (cell('type') === 'folder') {
      tree.group(pathOf(cell('name'), SLASH));
      return false;
    }
    if (!TYPES.has(cell('type'))) found.others.push(noteField('Type', cell('type')));
    const shared = cell('shared_folder');
    if (shared !== '' && found.path.length === 0) found.path = pathOf(shared, SLASH);
    else if (shared !== '') found.others.push(noteField('Shared folder', shared));
    const more = cell('additional_urls');
    found.urls.push(...(jsonOf(more, isArray)?.map(String) ?? (more === '' ? [] : more.split(','))));
    const custom = cell('custom_fields');
    const fields = jsonOf(custom, isArray);
    if (fields === null && custom !== '') found.others.push(noteField('Custom fields', custom));
    for (const field of fields ?? []) {
      const { label, type, value } = isObject(field) ? field : { label: '', type: '', value: field };
      const title = typeof label === 'string' && label.trim() !== '' ? label : 'Custom field';
      const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
      found.others.push(type === 'hidden' ? passwordField(title, '', text) : noteField(title, text));
    }
    return true;
  },
};
