/** Append only: fields are sorted in this order, and local copies store the index. */
export const FIELD_TYPES = ['password', 'link', 'note', 'file', 'TOTP'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

const LIST_OF_TYPE = {
  password: 'passwords',
  link: 'links',
  note: 'notes',
  file: 'files',
  TOTP: 'TOTPs',
} as const satisfies Record<FieldType, string>;

/** The fields of an entry as the API names them (docs/spec/product.md §9): one list for each type. */
type FieldLists<Field> = { [Type in FieldType as (typeof LIST_OF_TYPE)[Type]]: Extract<Field, { type: Type }>[] };

/** Splits fields by type and keeps their order. */
export function toFieldLists<Field extends { readonly type: FieldType }>(fields: readonly Field[]): FieldLists<Field> {
  const lists = Object.fromEntries(FIELD_TYPES.map((type) => [LIST_OF_TYPE[type], [] as Field[]]));
  for (const field of fields) lists[LIST_OF_TYPE[field.type]]?.push(field);
  return lists as FieldLists<Field>;
}

type ListName = (typeof LIST_OF_TYPE)[FieldType];

/** All fields of an entry, type by type. */
export const listedFields = <Entry extends Readonly<Record<ListName, readonly unknown[]>>>(
  entry: Entry,
): Entry[ListName][number][] => FIELD_TYPES.flatMap((type) => entry[LIST_OF_TYPE[type]]);

export const TOTP_ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
export type TotpAlgorithm = (typeof TOTP_ALGORITHMS)[number];
