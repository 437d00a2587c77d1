/** Which program wrote a JSON file or a ZIP archive with one, as far as the beginning and the names in it show. */
import { ExchangeError } from '../exchange-error.ts';
import { topMembers } from './json-object.ts';

interface Seen {
  readonly text: string | null;
  /** Of the files in a ZIP archive; null if it is none. */
  readonly names: readonly string[] | null;
}

const hasAny = (members: ReadonlyMap<string, string>, ...names: readonly string[]) =>
  names.some((name) => members.has(name));
const isTrue = (members: ReadonlyMap<string, string>, name: string) => members.get(name)?.startsWith('true') ?? false;

export const is1Pux = ({ names }: Seen): boolean =>
  names !== null && names.includes('export.attributes') && names.includes('export.data');

export const isBitwardenZip = ({ names }: Seen): boolean => names?.includes('data.json') ?? false;

/** @throws ExchangeError for an export that opens only in the account that made it */
export function isBitwarden({ text }: Seen): boolean {
  const top = topMembers(text ?? '');
  if (!top.has('encrypted') || !hasAny(top, 'items', 'data', 'folders', 'collections')) return false;
  if (isTrue(top, 'encrypted') && !isTrue(top, 'passwordProtected'))
    throw new ExchangeError(
      'unsupported',
      'This export opens only in the Bitwarden account that made it. Export again with “Password protected” or without encryption.',
    );
  return true;
}

export const isProtectedBitwarden = ({ text }: Seen): boolean => isTrue(topMembers(text ?? ''), 'passwordProtected');

/** @throws ExchangeError for an export that is encrypted with PGP */
export function isProtonPass({ text, names }: Seen): boolean {
  if (
    names?.some((name) => /^[^/]+\/data\.pgp$/.test(name)) ??
    text?.startsWith('-----BEGIN PGP MESSAGE-----') ??
    false
  )
    throw new ExchangeError(
      'unsupported',
      'This export is encrypted with PGP. Export it from Proton Pass without, or decrypt it first.',
    );
  if (names !== null) return protonData(names) !== undefined;
  const top = topMembers(text ?? '');
  return top.get('vaults')?.startsWith('{') === true && hasAny(top, 'version', 'userId');
}

export const protonData = (names: readonly string[]): string | undefined =>
  names.find((name) => /^[^/]+\/data\.json$/.test(name));

export function isKeeper({ text }: Seen): boolean {
  const top = topMembers(text ?? '');
  return [top.get('records'), top.get('shared_folders')].some((value) => value?.startsWith('[') === true);
}

/** @throws ExchangeError for a transfer between two apps */
export function isCxf({ text, names }: Seen): boolean {
  if (names?.includes('index.jwe') === true)
    throw new ExchangeError(
      'unsupported',
      'This is a transfer between two apps (CXP) and opens in the receiving app only. Export to a file instead.',
    );
  const top = topMembers(text ?? '');
  return names === null ? top.has('exporterRpId') && hasAny(top, 'accounts', 'version') : names.includes('cxf.json');
}
