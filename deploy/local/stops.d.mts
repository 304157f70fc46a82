/** Types of stops.mjs, for the TypeScript of the commands. */
export function wantsJson(args: readonly string[]): boolean;
export function answerStops(args: readonly string[]): void;
export function endAnswers(): void;
export function answerStop(signal: string): never;
export function reported(): void;
export function isReported(): boolean;
export function endCouldNotRun(args: readonly string[], reason: string): never;
