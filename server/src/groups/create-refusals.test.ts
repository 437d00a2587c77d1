/**
 * The form that the key of a new group needs to be stored: grants, commitment, first roster
 * (docs/spec/crypto.md §19, T118).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeBase64, encodeBase64, encodeHex } from '@passwordbroker/core/crypto/bytes';
import { signRoster } from '@passwordbroker/core/domain/rosters/roster';
import type { RosterContent } from '@passwordbroker/core/domain/rosters/roster';
import { sealedGroup } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { storedGroups } from './testing/stored-groups.ts';

const PATH = '/passwordBroker/api/entryGroups';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterAll(() => app.stop());

type Body = Awaited<ReturnType<typeof sealedGroup>>['body'];
type Change = (body: Body) => object | Promise<object>;

async function refused(change: Change, expected: object): Promise<void> {
  const { body } = await sealedGroup(ada);
  const json = { ...body, ...(await change(body)) };
  const before = await storedGroups(app);
  const answer = await ada.request({ path: PATH, json });
  expect({ status: answer.status, ...answer.json() }, answer.text).toMatchObject(expected);
  expect(await storedGroups(app)).toEqual(before);
}

const grantOf = ({ grants }: Body) => grants[0]!;
const grants = (change: (body: Body) => object): Change => {
  return (body) => ({ grants: [{ ...grantOf(body), ...change(body) }] });
};
/** Changes the decoded bytes. */
const recoded = (text: string, change: (bytes: Uint8Array) => Uint8Array) =>
  encodeBase64(new Uint8Array(change(decodeBase64(text))));
const shorter = (bytes: Uint8Array) => bytes.subarray(1);
const longer = (bytes: Uint8Array) => new Uint8Array([...bytes, 0]);
const flipped = (bytes: Uint8Array) => bytes.with(0, (bytes[0] ?? 0) ^ 1);

const mismatch = { status: 409, code: 'rewrap_set_mismatch' };
const conflict = { status: 409, code: 'roster_conflict', details: { current_seq: null } };
const malformed = (member: string, label: string) => ({
  status: 422,
  code: 'bad_sealed_value',
  errors: { [member]: [`The ${label} is malformed.`] },
});
const invalid = (member: string, text: string) => ({ status: 422, code: 'validation', errors: { [member]: [text] } });

test('a well-formed group is stored, so each refusal below is caused by its change', async () => {
  const { body } = await sealedGroup(ada);
  const answer = await ada.request({ path: PATH, json: body });
  expect(answer.status, answer.text).toBe(201);
});

describe('grants', () => {
  const WRAP = 'encrypted_aes_password';
  const wrapMalformed = malformed(`grants.0.${WRAP}`, 'encrypted aes password');
  test.each<[string, Change, object]>([
    ['an empty list', () => ({ grants: [] }), invalid('grants', 'The grants is required.')],
    ['not a list', () => ({ grants: 'all' }), invalid('grants', 'The grants must be a list.')],
    ['a wrap of 383 bytes', grants((b) => ({ [WRAP]: recoded(grantOf(b)[WRAP], shorter) })), wrapMalformed],
    ['a wrap of 385 bytes', grants((b) => ({ [WRAP]: recoded(grantOf(b)[WRAP], longer) })), wrapMalformed],
    ['a wrap for a key of 4096 bits', grants(() => ({ [WRAP]: encodeBase64(new Uint8Array(512)) })), wrapMalformed],
    ['a wrap that is not base64', grants((b) => ({ [WRAP]: `${grantOf(b)[WRAP]}\n` })), wrapMalformed],
    [
      'an unknown role',
      grants(() => ({ role: 'guest' })),
      invalid('grants.0.role', 'The role must be one of: admin, moderator, member.'),
    ],
    ['the creator as moderator', grants(() => ({ role: 'moderator' })), mismatch],
    ['for another user', grants(() => ({ user_id: bob.userId })), mismatch],
    ['for an unknown user', grants(() => ({ user_id: UNKNOWN })), mismatch],
    ['under another key', grants(() => ({ recipient_fpr: bob.keyring.fingerprint })), mismatch],
    ['under a key in upper case', grants((b) => ({ recipient_fpr: grantOf(b).recipient_fpr.toUpperCase() })), mismatch],
    ['twice for the creator', (b) => ({ grants: [grantOf(b), grantOf(b)] }), mismatch],
    [
      'one more for a person outside the group',
      async (b) => ({ grants: [grantOf(b), (await sealedGroup(bob)).body.grants[0]] }),
      mismatch,
    ],
  ])('%s', (_, change, expected) => refused(change, expected));
});

describe('the commitment', () => {
  const COMMIT = 'gk_commit_base64';
  const bad = malformed(COMMIT, 'gk commit base64');
  test.each<[string, Change, object]>([
    ['of 31 bytes', (b) => ({ [COMMIT]: recoded(b[COMMIT], shorter) }), bad],
    ['of 33 bytes', (b) => ({ [COMMIT]: recoded(b[COMMIT], longer) }), bad],
    ['that is not base64', () => ({ [COMMIT]: '!' }), bad],
    ['that is absent', () => ({ [COMMIT]: undefined }), bad],
    ['that differs from the roster', (b) => ({ [COMMIT]: recoded(b[COMMIT], flipped) }), conflict],
    ['of another group', async () => ({ [COMMIT]: (await sealedGroup(ada)).body[COMMIT] }), conflict],
  ])('%s', (_, change, expected) => refused(change, expected));
});

const withoutProof = (): Partial<RosterContent> => ({ hasProof: undefined as never });

/** A correctly signed roster that belongs to the body, with a change. */
const signed = (change: (content: RosterContent) => Partial<RosterContent>, by = () => ada): Change => {
  return (body) => {
    const { keyring } = ada;
    const content = {
      groupId: body.entry_group_id,
      seq: 0,
      prev: '',
      gkVersion: 1,
      gkCommit: encodeHex(decodeBase64(body.gk_commit_base64)),
      members: [{ userId: keyring.userId, role: 'admin' as const, fingerprint: keyring.fingerprint }],
      signer: keyring.userId,
      ts: 1_772_350_200,
      hasProof: true as const,
    };
    return signRoster(by().keyring, { ...content, ...change(content) });
  };
};
const bobAs = (role: 'admin' | 'member') => ({ userId: bob.userId, role, fingerprint: bob.keyring.fingerprint });

describe('the first roster', () => {
  const [ROSTER, SIG] = ['roster_base64', 'roster_sig_base64'] as const;
  const bad = malformed(ROSTER, 'roster base64');
  test.each<[string, Change, object]>([
    ['absent', () => ({ [ROSTER]: undefined }), bad],
    ['without its signature', () => ({ [SIG]: undefined }), malformed(SIG, 'roster sig base64')],
    ['no base64', () => ({ [ROSTER]: '!' }), bad],
    ['with a changed byte', (b) => ({ [ROSTER]: recoded(b[ROSTER], flipped) }), bad],
    ['with an additional byte', (b) => ({ [ROSTER]: recoded(b[ROSTER], longer) }), bad],
    ['with a signature with a changed byte', (b) => ({ [SIG]: recoded(b[SIG], flipped) }), bad],
    ['with a signature of 63 bytes', (b) => ({ [SIG]: recoded(b[SIG], shorter) }), bad],
    [
      'signed by another person',
      signed(
        () => ({}),
        () => bob,
      ),
      bad,
    ],
    ['of another group', signed(() => ({ groupId: UNKNOWN })), bad],
    [
      'where the creator is not admin',
      signed(({ members: [self] }) => ({ members: [{ ...self!, role: 'member' }, bobAs('admin')] })),
      bad,
    ],
    ['without the creator', signed(() => ({ members: [bobAs('admin')] })), bad],
    [
      'with the creator under another key',
      signed(({ members: [self] }) => ({ members: [{ ...self!, fingerprint: '0'.repeat(64) }] })),
      bad,
    ],
    ['without anybody', signed(() => ({ members: [] })), bad],
    ['with the creator twice', signed(({ members: [self] }) => ({ members: [self!, self!] })), bad],
    ['with the first number and a previous roster', signed(() => ({ prev: '0'.repeat(64) })), bad],
    ['with the second number', signed(() => ({ seq: 1, prev: '0'.repeat(64) })), conflict],
    ['of a second key version', signed(() => ({ gkVersion: 2 })), conflict],
    ['of another commitment', signed(() => ({ gkCommit: '0'.repeat(64) })), conflict],
    ['with an additional member', signed(({ members }) => ({ members: [...members, bobAs('member')] })), conflict],
  ])('%s', (_, change, expected) => refused(change, expected));
});

describe('the key proof of the roster', () => {
  const [PROOF, PREV] = ['roster_proof_base64', 'roster_proof_prev_base64'] as const;
  const bad = malformed(PROOF, 'roster proof base64');
  test.each<[string, Change, object]>([
    ['absent', () => ({ [PROOF]: undefined }), bad],
    ['of 31 bytes', (b) => ({ [PROOF]: recoded(b[PROOF] ?? '', shorter) }), bad],
    ['of 33 bytes', (b) => ({ [PROOF]: recoded(b[PROOF] ?? '', longer) }), bad],
    ['that is not base64', () => ({ [PROOF]: '!' }), bad],
    ['beside a roster that announces none', signed(withoutProof), bad],
    [
      'of a former key, which does not exist',
      (b) => ({ [PREV]: b[PROOF] }),
      malformed(PREV, 'roster proof prev base64'),
    ],
  ])('%s', (_, change, expected) => refused(change, expected));

  test('absent with a roster of release 1.0, which does not mention it: accepted', async () => {
    const { body } = await sealedGroup(ada);
    const roster = await signed(withoutProof)(body);
    const answer = await ada.request({ path: PATH, json: { ...body, ...roster, [PROOF]: undefined } });
    expect(answer.status, answer.text).toBe(201);
  });
});

describe('the other members', () => {
  test.each<[string, object, object]>([
    ['no name', { name: undefined }, invalid('name', 'The name is required.')],
    ['a blank name', { name: ' \t' }, invalid('name', 'The name is required.')],
    [
      'a name that is too long',
      { name: 'x'.repeat(256) },
      invalid('name', 'The name is too long (at most 255 characters).'),
    ],
    ['no id', { entry_group_id: undefined }, invalid('entry_group_id', 'The entry group id is required.')],
    ['a malformed id', { entry_group_id: 'g' }, invalid('entry_group_id', 'The entry group id is not a valid id.')],
    ['a second key version', { gk_version: 2 }, invalid('gk_version', 'The gk version must be between 1 and 1.')],
    ['a master password', { master_password: 'x' }, invalid('master_password', 'The master password is not expected.')],
    [
      'neither true nor false',
      { same_members_as_parent: 'maybe' },
      invalid('same_members_as_parent', 'The same members as parent must be true or false.'),
    ],
  ])('%s', (_, members, expected) => refused(() => members, expected));
});
