import { isRecord } from '@latch/contracts';

/**
 * What the log of a service says of its end, for a person: the sentence of the last fatal line; where there is none, the last lines as they are.
 *
 * @param log its last lines: JSON objects as services write them, or anything else, such as what Node.js says of a file that is not there.
 */
export function whyItEnded(log: string): string {
  const sentences = log.split('\n').flatMap((line) => fatalSentence(line) ?? []);
  return sentences.at(-1) ?? log;
}

function fatalSentence(line: string): string | undefined {
  const said = jsonIn(line);
  if (!isRecord(said) || said['level'] !== 'fatal' || !isRecord(said['error'])) return undefined;
  const { message } = said['error'];
  return typeof message === 'string' && message !== '' ? message : undefined;
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
