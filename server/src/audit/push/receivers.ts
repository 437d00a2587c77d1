/**
 * Syslog (RFC 5424) over UDP (RFC 5426) or TCP with octet counting (RFC 6587 §3.4.1). It has no
 * acknowledgement, so network losses go unnoticed.
 */
import { connect, isIPv6, type Socket } from 'node:net';
import type { ChainHead, PublishedHead } from '../chain/links-and-checkpoints.ts';
import { asRecord, severityOf, type LinkedRow } from '../export-format.ts';
import { DELIVERY_WITHIN, type Delivery, type Receiver } from './push-log.ts';

/** Facility 13 is 'log audit'. */
const FACILITY = 13;
const WARNING = 4;
const NOTICE = 5;
const INFORMATIONAL = 6;
/** Enterprise number for documentation (RFC 5612). */
const STRUCTURE = 'audit@32473';
const PORTS: Readonly<Record<string, number>> = { 'udp:': 514, 'tcp:': 601 };

/**
 * @param target `udp://host[:514]` or `tcp://host[:601]`
 * @param origin URL of this server
 */
export function syslogReceiver(target: string, origin: string): Receiver {
  const { protocol, hostname, port } = new URL(target);
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const place = { host, port: port === '' ? (PORTS[protocol] ?? 514) : Number(port) };
  const wire = protocol === 'tcp:' ? overTcp(place) : overUdp(place);
  const sender = new URL(origin).hostname;
  return {
    name: 'syslog',
    async deliver({ rows, head }: Delivery, signal) {
      const messages = rows.map((row) => messageOf(sender, row));
      if (head !== null) messages.push(headMessage(sender, head));
      await wire.send(messages, signal);
    },
    close: () => wire.close(),
  };
}

function messageOf(sender: string, row: LinkedRow): string {
  const { created_at, event_type, seq, hash } = row;
  const worry = severityOf(event_type);
  const severity = worry >= 7 ? WARNING : worry >= 5 ? NOTICE : INFORMATIONAL;
  const chain = { seq: seq ?? 0, hash: Buffer.from(hash ?? []).toString('hex') };
  return message({ severity, sender, time: created_at, id: event_type, chain, text: JSON.stringify(asRecord(row)) });
}

const headMessage = (sender: string, { seq, hash, key }: PublishedHead) =>
  message({
    severity: INFORMATIONAL,
    sender,
    time: Date.now(),
    id: 'audit_head',
    chain: { seq, hash },
    text: JSON.stringify({ seq, hash, key }),
  });

interface Message {
  readonly severity: number;
  readonly sender: string;
  readonly time: number;
  readonly id: string;
  readonly chain: ChainHead;
  readonly text: string;
}

function message({ severity, sender, time, id, chain, text }: Message): string {
  const priority = FACILITY * 8 + severity;
  const head = `<${priority}>1 ${new Date(time).toISOString()} ${sender} passwordbroker ${process.pid} ${id}`;
  return `${head} [${STRUCTURE} seq="${chain.seq}" hash="${chain.hash}"] ${text}`;
}

interface ReceiverAddress {
  readonly host: string;
  readonly port: number;
}

interface Wire {
  send(messages: readonly string[], signal: AbortSignal): Promise<void>;
  close(): void;
}

function overUdp({ host, port }: ReceiverAddress): Wire {
  const open = async () => {
    // Loaded on demand: few servers send by UDP.
    const { createSocket } = await import('node:dgram');
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4').unref();
    // Send errors reach the callback of `send`.
    socket.on('error', () => {});
    return socket;
  };
  let opened: ReturnType<typeof open> | null = null;
  return {
    async send(messages, signal) {
      const socket = await (opened ??= open());
      for (const text of messages) {
        signal.throwIfAborted();
        await new Promise<void>((resolve, reject) => {
          socket.send(Buffer.from(text), port, host, (error) => (error === null ? resolve() : reject(error)));
        });
      }
    },
    close: () => void opened?.then((socket) => socket.close()),
  };
}

function overTcp({ host, port }: ReceiverAddress): Wire {
  let socket: Socket | null = null;
  const open = () => {
    const made = connect({ host, port });
    made.setNoDelay(true);
    // Discards received data; otherwise the end of the connection would go unnoticed.
    made.resume();
    made.on('error', () => {});
    made.once('close', () => {
      if (socket === made) socket = null;
    });
    return made;
  };
  return {
    async send(messages, signal) {
      const opened = (socket ??= open());
      const frames = messages.map((text) => `${Buffer.byteLength(text)} ${text}`).join('');
      const within = AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_WITHIN)]);
      await new Promise<void>((resolve, reject) => {
        const giveUp = () => void opened.destroy(new Error('The receiver takes nothing'));
        within.addEventListener('abort', giveUp, { once: true });
        // The callback also gets connection errors.
        opened.write(frames, (error) => {
          within.removeEventListener('abort', giveUp);
          if (error === null || error === undefined) resolve();
          else reject(error);
        });
      });
    },
    close: () => socket?.destroy(),
  };
}

/**
 * POSTs `{rows, head}`; any 2xx acknowledges. URL credentials become HTTP basic authentication. Redirects are
 * refused.
 */
export function webhookReceiver(target: string): Receiver {
  const url = new URL(target);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  const headers = {
    'content-type': 'application/json',
    ...(credentials === ':' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
  };
  return {
    name: 'webhook',
    async deliver({ rows, head }, signal) {
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify({ rows: rows.map(asRecord), head }),
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(DELIVERY_WITHIN)]),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`The receiver answered ${answer.status}`);
    },
    close() {},
  };
}
