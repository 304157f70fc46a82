import { z } from 'zod';
import { Severity } from './event-envelope.ts';
import { Instant } from './instant.ts';
import { pinned } from './pinned.ts';

/**
 * The `alarm` block of a NOC event that describes a condition, in the words of ITU-T X.733. A condition is raised once and cleared once, under the same
 * `alarm_id`.
 *
 * @example { alarm_id: '5b1d…', perceived_severity: 'major', probable_cause: 'underlying_resource_unavailable', specific_problem: '…', raised_at: '2026-06-19T12:00:00Z', cleared_at: null }
 * @see ITU-T X.733; DESIGN section 3
 */
export const Alarm = z
  .looseObject({
    alarm_id: z.string().min(1).max(200).describe('The condition, from its raise to its clear.').meta(pinned('One condition: it is raised once and cleared once under this id.')),
    perceived_severity: Severity.describe('How grave it is; `cleared` ends the alarm.'),
    probable_cause: z.string().describe('The kind of cause, from X.733.'),
    specific_problem: z.string().describe('What is wrong, for a person.'),
    raised_at: Instant.describe('When the condition began, UTC.'),
    cleared_at: Instant.nullish().describe('When it ended, UTC; null while it lasts.'),
  })
  .meta({ description: 'The `alarm` block of a NOC event that describes a condition, in the words of ITU-T X.733.', 'x-source': 'DESIGN section 3' });
export type Alarm = z.infer<typeof Alarm>;
