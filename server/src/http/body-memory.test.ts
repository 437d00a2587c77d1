import { expect, test } from 'vitest';
import { bodyMemory } from './body-memory.ts';

const MIB = 1024 * 1024;
const memory = () => bodyMemory({ all: 10 * MIB, each: 4 * MIB });

test('what has not come takes nothing', () => {
  const room = memory();
  for (let n = 0; n < 100; n += 1) room.open('slow').add(1024);
  room.open('quick').add(4 * MIB);
});

test('one owner cannot take the room of the others', () => {
  const room = memory();
  const first = room.open('a');
  first.add(3 * MIB);
  expect(() => room.open('a').add(2 * MIB)).toThrow(expect.objectContaining({ code: 'unavailable', retryAfter: 5 }));
  room.open('b').add(4 * MIB);
  first.release();
  room.open('a').add(4 * MIB);
});

test('all together have their limit', () => {
  const room = memory();
  for (const owner of ['a', 'b']) room.open(owner).add(4 * MIB);
  expect(() => room.open('c').add(3 * MIB)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  room.open('c').add(2 * MIB);
});

test('bytes are booked as they come, and given back once', () => {
  const room = memory();
  const booking = room.open('a');
  for (let n = 0; n < 4; n += 1) booking.add(MIB);
  expect(() => booking.add(1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  booking.release();
  booking.release();
  room.open('a').add(4 * MIB);
  expect(() => room.open('a').add(MIB)).toThrow(expect.objectContaining({ code: 'unavailable' }));
});
