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

/** Reads within limits and minimum speed; books bytes as they arrive. */
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
    // Drains the rest, so that the response can be sent.
    request.raw.unpipe();
    request.raw.resume();
    // Our failure, even if the client has disconnected.
    if (error instanceof SpoolFailed) throw error.cause;
    if (!(error instanceof AppError) && request.raw.destroyed) throw new AppError('bad_request');
    throw error;
  } finally {
    endPace();
  }
}
