import { SaxesParser } from 'saxes';
import { type Bytes, concat, decodeHex, utf8 } from '../../../crypto/bytes.ts';
import { digest } from '../../../crypto/exchange/file-ciphers.ts';
import { ExchangeError } from '../exchange-error.ts';
import type { Given } from '../formats.ts';
import { fromBase64 } from '../one-time-password.ts';
import { needsMore } from './header.ts';

/** SHA-256 of the digest of the password and the key of the file. Beside a key file, an empty password is none. @throws ExchangeError */
export async function compositeKey({ password, keyFile }: Given): Promise<Bytes> {
  const isPassword = keyFile === undefined || (password ?? '') !== '';
  const parts = [
    ...(isPassword ? [await digest('SHA-256', utf8(password ?? ''))] : []),
    ...(keyFile === undefined ? [] : [await keyOfFile(keyFile)]),
  ];
  return digest('SHA-256', concat(...parts));
}

/** Larger ones are no XML; KeePass writes less than one KiB. */
const XML_BYTES = 64 * 1024;

/** 32 bytes: of XML 1 or 2, raw, in hexadecimal digits, or the digest of any other file. */
async function keyOfFile(file: Bytes): Promise<Bytes> {
  if (file.length === 32) return file;
  const text = file.length <= XML_BYTES ? new TextDecoder().decode(file) : '';
  if (file.length === 64 && /^[0-9a-f]{64}$/i.test(text)) return decodeHex(text);
  const written = text.trimStart().startsWith('<') ? readXml(text) : null;
  if (written === null) return digest('SHA-256', file);
  const { version, data, hash } = written;
  const key = keyOfData(version, data.replaceAll(/\s/g, ''));
  if (key === null) throw broken();
  if (hash !== null) {
    const start = (await digest('SHA-256', key)).slice(0, 4);
    if (!/^[0-9a-f]{8}$/i.test(hash) || !decodeHex(hash).every((byte, at) => byte === start[at])) throw broken();
  }
  return key;
}

const broken = () => new ExchangeError('unreadable', 'The key file is damaged.');

function keyOfData(version: string, data: string): Bytes | null {
  try {
    if (version.startsWith('1.0')) return fromBase64(data);
    return version.startsWith('2.') ? decodeHex(data) : null;
  } catch {
    return null;
  }
}

interface WrittenKey {
  readonly version: string;
  readonly data: string;
  readonly hash: string | null;
}

/** Null if it is no XML key file. @throws ExchangeError for files of key providers */
function readXml(text: string): WrittenKey | null {
  const path: string[] = [];
  const found = { version: '', data: '', hash: null as string | null };
  const parser = new SaxesParser({ xmlns: false });
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name);
    if (path.join('/') === 'KeyFile/Key/Data') found.hash = (attributes as Record<string, string>)['Hash'] ?? null;
    // OtpKeyProv and KeeChallenge keep the real key in such files.
    if (path.length === 1 && (name === 'OtpInfo' || name === 'data')) throw needsMore();
  });
  parser.on('text', (part) => {
    if (path.join('/') === 'KeyFile/Meta/Version') found.version += part.trim();
    if (path.join('/') === 'KeyFile/Key/Data') found.data += part;
  });
  parser.on('closetag', () => path.pop());
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof ExchangeError) throw error;
    return null;
  }
  return found.data === '' ? null : found;
}
