import { expect, test } from 'vitest';
import { bodyMemory } from './body-memory.ts';

const MIB = 1024 * 1024;
const memory = () => bodyMemory({ all: 12 * MIB, small: 2 * MIB, eachPerson: 4 * MIB, eachAddress: MIB });

const person = (name: string) => ({ name, isGuest: false });
const guest = (name: string) => ({ name, isGuest: true });

test('bytes that have not arrived take no memory', () => {
  const room = memory();
  for (let n = 0; n < 100; n += 1) room.open(person('slow')).add(1024);
  room.open(person('quick')).add(4 * MIB);
});

test('one owner cannot take the memory of others', () => {
  const room = memory();
  const first = room.open(person('a'));
  first.add(3 * MIB);
  expect(() => room.open(person('a')).add(2 * MIB)).toThrow(
    expect.objectContaining({ code: 'unavailable', retryAfter: 5 }),
  );
  room.open(person('b')).add(4 * MIB);
  first.release();
  room.open(person('a')).add(4 * MIB);
});

test('all owners share one limit', () => {
  const room = memory();
  for (const owner of ['a', 'b']) room.open(person(owner)).add(4 * MIB);
  expect(() => room.open(person('c')).add(3 * MIB)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  room.open(person('c')).add(2 * MIB);
});

test('bytes are booked on arrival and released once', () => {
  const room = memory();
  const booking = room.open(person('a'));
  for (let n = 0; n < 4; n += 1) booking.add(MIB);
  expect(() => booking.add(1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  booking.release();
  booking.release();
  room.open(person('a')).add(4 * MIB);
  expect(() => room.open(person('a')).add(MIB)).toThrow(expect.objectContaining({ code: 'unavailable' }));
});

test('the first byte is booked: a guest has the share of the address, and all guests that of small bodies (T155)', () => {
  const room = memory();
  const busy = expect.objectContaining({ code: 'unavailable' });
  for (let n = 0; n < 8; n += 1) room.open(guest('192.0.2.1')).add(128 * 1024);
  expect(() => room.open(guest('192.0.2.1')).add(8 * 1024)).toThrow(busy);
  for (let n = 0; n < 8; n += 1) room.open(guest('192.0.2.2')).add(128 * 1024);
  expect(() => room.open(guest('192.0.2.3')).add(8 * 1024)).toThrow(busy);
  room.open(person('a')).add(MIB);
});

test('large bodies leave room for small ones', () => {
  const room = memory();
  for (const name of ['a', 'b']) room.open(person(name)).add(4 * MIB);
  room.open(person('c')).add(2 * MIB);
  expect(() => room.open(person('d')).add(MIB)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  for (let n = 0; n < 16; n += 1) room.open(person('d')).add(128 * 1024);
  expect(() => room.open(person('d')).add(8 * 1024)).toThrow(expect.objectContaining({ code: 'unavailable' }));
});

test('the first 4 KiB of a body are always accepted', () => {
  const room = memory();
  const busy = expect.objectContaining({ code: 'unavailable' });
  for (let n = 0; n < 16; n += 1) room.open(guest(`192.0.2.${n % 2}`)).add(128 * 1024);
  const small = room.open(guest('192.0.2.9'));
  for (let n = 0; n < 4; n += 1) small.add(1024);
  expect(() => small.add(1)).toThrow(busy);
  for (const name of ['a', 'b']) room.open(person(name)).add(3.9 * MIB);
  for (let n = 0; n < 16; n += 1) room.open(person('d')).add(128 * 1024);
  expect(() => room.open(person('d')).add(256 * 1024)).toThrow(busy);
  room.open(person('d')).add(4 * 1024);
});
