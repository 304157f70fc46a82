export { type AgainstReport, againstReport } from './against-report.ts';
export { JoinInOrder } from './join-in-order.ts';
export { joinReports } from './join-reports.ts';
export { joinSummaries } from './join-summaries.ts';
export { type NoStateReason, rebuildStream, type RebuildVerdict, stateAt } from './rebuild-stream.ts';
export { type AgainstVerdict, redecideAgainst, type StepDifference } from './redecide-against.ts';
export { type PinnedConfigs, pinnedConfigs, redecideStream, type RedecideVerdict } from './redecide-stream.ts';
export { type ReplayProgress, replayStreams, type ReplaySummary } from './replay-streams.ts';
export { factsOf, identityOf, isWhole, livePartOf } from './stream-facts.ts';
