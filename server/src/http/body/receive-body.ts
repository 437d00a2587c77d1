/** The body of a request, read in the way of its type. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Booking } from './body-memory.ts';
import { fromForm, fromJson, readAll } from './body.ts';
import type { BodyKind, BodyLimits, JsonPart, ReceivedBody } from './body.ts';
import type { Semaphore } from '../../platform/semaphore.ts';
import { demandPace } from '../connection.ts';
import { receiveMultipart } from './multipart.ts';
import { SpoolFailed } from './spool.ts';
import type { Spool } from './spool.ts';

interface Reading {
  readonly limits: BodyLimits;
  readonly booking: Booking;
  readonly cutting: Semaphore;
  readonly jsonPart: JsonPart | undefined;
  readonly spool: Spool | null;
}

/** Reads the body within its limits, from whoever does not drip it; every byte is booked as it comes. */
export async function receiveBody(request: FastifyRequest, kind: BodyKind, reading: Reading): Promise<ReceivedBody> {
  const { limits, booking, cutting, jsonPart, spool } = reading;
  const endPace = demandPace(request);
  try {
    switch (kind) {
      case 'json':
        return await fromJson(await readAll(request, limits.whole, booking), jsonPart);
      case 'form':
        return fromForm(await readAll(request, limits.whole, booking));
      case 'multipart':
        return await receiveMultipart(request, limits, { booking, cutting, jsonPart, spool });
    }
  } catch (error) {
    // What is still on its way is let pass, so that the answer can leave; nothing of it is kept.
    request.raw.unpipe();
    request.raw.resume();
    // A failure of ours is on record, whether he who sent it still waits or not.
    if (error instanceof SpoolFailed) throw error.cause;
    // Somebody who went away in the middle is no failure of ours, and reads no answer.
    if (!(error instanceof AppError) && request.raw.destroyed) throw new AppError('bad_request');
    throw error;
  } finally {
    endPace();
  }
}
