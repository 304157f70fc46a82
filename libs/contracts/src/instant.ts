import { z } from 'zod';

/** A UTC instant in ISO-8601 with `Z`, or with an offset as some producers send it: `2026-06-19T12:00:00Z`. */
export const Instant = z.iso.datetime({ offset: true });
export type Instant = z.infer<typeof Instant>;
