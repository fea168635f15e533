import fs from 'node:fs';
import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';
import { makePrivateFolder } from '../storage/data-folder.ts';
// Which codes a line may have.
import './log-codes.ts';
import { plainError } from '../plain-error.ts';
import { traceIdOf } from './traces.ts';

/** Lines wait in memory up to this size while the disk is full or the reader is slow. */
const MAX_WAITING_BYTES = 1_000_000;
const RETRY_AFTER_MS = 1_000;
const STANDARD_OUTPUT = 1;

/** The log must never end the process: if it cannot be written, lines wait, then are dropped and counted. */
export function openLog({
  logLevel,
  logFile,
  dataDir,
  traces,
}: Pick<Config, 'logLevel' | 'logFile' | 'dataDir' | 'traces'>): Logger {
  // The log is the first file in the data folder.
  if (logFile !== undefined) makePrivateFolder(dataDir);
  const file = logFile === undefined ? STANDARD_OUTPUT : fs.openSync(logFile, 'a', 0o600);
  const options = {
    level: logLevel,
    base: { pid: process.pid },
    serializers: { err: plainError },
    ...(traces && { mixin: traceOf }),
  };
  const destination = createDestination(file, (droppedLines, err) =>
    logger.error(
      { code: 'LOG_LOST', err, droppedLines },
      'the log could not be written, and lines were lost',
    ),
  );
  const logger = pino(options, destination);
  return logger;
}

/** Leads from a line about an entry to its trace. */
function traceOf(line: object): object {
  if ('entryId' in line && typeof line.entryId === 'string') return { traceId: traceIdOf(line.entryId) };
  if ('entryIds' in line && Array.isArray(line.entryIds)) return { traceIds: line.entryIds.map(traceIdOf) };
  return {};
}

/**
 * Writes in the background, one chunk at a time. Pino's own destination waits for ever for a full disk when the
 * process ends, and stops writing once its buffer has been full.
 */
function createDestination(file: number, onRecovered: (droppedLines: number, failure: unknown) => void) {
  let waiting: string[] = [];
  let waitingBytes = 0;
  let writing: Buffer | undefined;
  let failure: unknown;
  let droppedLines = 0;

  const writeNext = (): void => {
    if (writing) return;
    writing = Buffer.from(waiting.join(''));
    waiting = [];
    waitingBytes = 0;
    if (writing.length === 0) writing = undefined;
    else fs.write(file, writing, onWritten);
  };
  const onWritten = (error: NodeJS.ErrnoException | null, written: number): void => {
    if (error) {
      failure = error;
      setTimeout(() => fs.write(file, writing!, onWritten), RETRY_AFTER_MS).unref();
      return;
    }
    const rest = writing!.subarray(written);
    writing = rest.length > 0 ? rest : undefined;
    if (writing) {
      fs.write(file, writing, onWritten);
      return;
    }
    if (droppedLines > 0) {
      const lost = droppedLines;
      droppedLines = 0;
      onRecovered(lost, failure);
    }
    writeNext();
  };
  // Nothing more can be done for lines that the disk does not take now.
  process.once('exit', () => {
    try {
      fs.writeSync(file, Buffer.concat([writing ?? Buffer.alloc(0), Buffer.from(waiting.join(''))]));
    } catch {}
  });
  return {
    write: (line: string): void => {
      if (waitingBytes + line.length > MAX_WAITING_BYTES) {
        droppedLines++;
        return;
      }
      waiting.push(line);
      waitingBytes += line.length;
      writeNext();
    },
  };
}
