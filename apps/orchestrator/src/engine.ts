/** The engine without its shell, for the command line: replays, recorded histories, benchmarks. Nothing in here has an effect. */
export { agentFor, type AgentConfigs } from './agent-configs.ts';
export { type AcceptedSchema, effectiveAgent } from './effective-agent.ts';
export { invocationMessage, signalMessage } from './outgoing.ts';
export { responseMessage } from './response.ts';
export { type DecidedTurn, runTurn, type Turn } from './run-turn.ts';
export { toAppend } from './to-append.ts';
export { type DeadlineWork, type ToolResultWork, type TurnWork, type Work, workOfDeadline } from './work.ts';
