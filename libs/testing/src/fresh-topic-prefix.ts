import { randomBytes } from 'node:crypto';

/** A prefix for topic and group names (`LATCH_TOPIC_PREFIX`) that no other suite has. */
export function freshTopicPrefix(): string {
  return `test-${randomBytes(6).toString('hex')}-`;
}
