/** Types of stops.mjs, for the TypeScript of the commands. */
export function wantsJson(args: readonly string[]): boolean;
export function answerStops(args: readonly string[]): void;
export function endAnswers(): void;
