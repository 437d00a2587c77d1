/** The code of Argon2id inside the file that runs it: the policy of its worker (threats-and-tests W3) lets that fetch nothing. */
import plain from 'argon2id/dist/no-simd.wasm?inline';
import simd from 'argon2id/dist/simd.wasm?inline';
import { type Bytes, decodeBase64 } from '../bytes.ts';

const bytesOf = (address: string): Bytes => decodeBase64(address.slice(address.indexOf(',') + 1));

export const simdCode = (): Bytes => bytesOf(simd);
export const plainCode = (): Bytes => bytesOf(plain);
