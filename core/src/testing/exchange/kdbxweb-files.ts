/** KDBX files written and read by kdbxweb, the second implementation in tests. */
import { Consts, Credentials, CryptoEngine, Int64, Kdbx, KdbxUuid, ProtectedValue, type VarDictionary } from 'kdbxweb';
import type { Bytes } from '../../crypto/bytes.ts';
import { fileArgon2 } from '../../domain/exchange/file-argon2.ts';

const ARGON2_TYPES = { 0: 'argon2d', 2: 'argon2id' } as const;

CryptoEngine.setArgon2Impl(async (password, salt, memoryKib, iterations, length, parallelism, type) => {
  const [given, salted] = [new Uint8Array(password), new Uint8Array(salt)];
  const own = { password: given, salt: salted, memoryKib, iterations, length, parallelism };
  return (await fileArgon2({ type: ARGON2_TYPES[type], ...own })).buffer;
});

export interface KdbxForm {
  readonly major: 3 | 4;
  readonly cipher: 'AES' | 'ChaCha20';
  readonly kdf: 'AES' | 'argon2d' | 'argon2id';
  readonly isCompressed: boolean;
}

/** kdbxweb writes over the key file that it is given. */
export const credentialsOf = (password: string | null, keyFile: Bytes | null = null): Credentials =>
  new Credentials(password === null ? null : ProtectedValue.fromString(password), keyFile?.slice());

const KDFS = { AES: Consts.KdfId.Aes, argon2d: Consts.KdfId.Argon2d, argon2id: Consts.KdfId.Argon2id } as const;

/** A database with cheap derivation, filled by `fill`. */
export async function writtenByKdbxweb(
  form: KdbxForm,
  credentials: Credentials,
  fill: (database: Kdbx) => void | Promise<void>,
): Promise<Bytes> {
  const database = Kdbx.create(credentials, 'Passwords');
  database.setVersion(form.major);
  if (form.major === 4) {
    database.setKdf(KDFS[form.kdf]);
    makeCheap(database.header.kdfParameters, form.kdf);
  } else database.header.keyEncryptionRounds = 600;
  database.header.dataCipherUuid = new KdbxUuid(Consts.CipherId[form.cipher === 'AES' ? 'Aes' : 'ChaCha20']);
  database.header.compression = form.isCompressed ? Consts.CompressionAlgorithm.GZip : Consts.CompressionAlgorithm.None;
  await fill(database);
  return new Uint8Array(await database.save());
}

export const readByKdbxweb = (file: Bytes, credentials: Credentials): Promise<Kdbx> =>
  Kdbx.load(file.slice().buffer, credentials);

/** Types of a dictionary's values. */
const [U32, U64] = [0x04, 0x05];

function makeCheap(parameters: VarDictionary | undefined, kdf: KdbxForm['kdf']): void {
  if (kdf === 'AES') parameters?.set('R', U64, Int64.from(600));
  else {
    parameters?.set('M', U64, Int64.from(1024 * 1024));
    parameters?.set('I', U64, Int64.from(2));
    parameters?.set('P', U32, 2);
  }
}
