export { type AgainstReport, againstReport, type ConversationDifference, type KindCount } from './against-report.ts';
export { firstDifference, type ValueDifference } from './first-difference.ts';
export {
  type NoStateReason,
  rebuildStream,
  type RebuildVerdict,
  stateAt,
  type StateAtVersion,
} from './rebuild-stream.ts';
export { type AgainstVerdict, redecideAgainst, type StepDifference } from './redecide-against.ts';
export { type PinnedConfigs, pinnedConfigs, redecideStream, type RedecideVerdict } from './redecide-stream.ts';
export {
  type ReplayFinding,
  type ReplayOptions,
  type ReplayProgress,
  replayStreams,
  type ReplaySummary,
} from './replay-streams.ts';
export { type AspectDifference, type DifferenceKind, differenceKinds, differencesOf } from './step-aspects.ts';
export { factsOf, identityOf, isWhole, type LivePart, livePartOf } from './stream-facts.ts';
