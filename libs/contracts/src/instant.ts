import { z } from 'zod';

/**
 * A UTC instant in ISO-8601 with `Z`, or with an offset as some producers send it.
 *
 * @example '2026-06-19T12:00:00Z'
 * @see SPEC-012 section 13
 */
export const Instant = z.iso.datetime({ offset: true });
export type Instant = z.infer<typeof Instant>;
