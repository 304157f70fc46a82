import { type EventType } from '@latch/contracts';

/** What an alarm is about, in the words of ITU-T X.733. */
export type AlarmCondition = {
  readonly raise: EventType;
  readonly clear: EventType;
  readonly perceivedSeverity: 'minor' | 'major';
  readonly probableCause: string;
  /** In words, of a server or of one of its tools (`server/tool`). */
  readonly problem: (subject: string) => string;
};

/** The conditions that the executor raises and clears. */
export const conditions = {
  timeout: {
    raise: 'NOC.MCP_TIMEOUT',
    clear: 'NOC.MCP_TIMEOUT',
    perceivedSeverity: 'minor',
    probableCause: 'response_time_excessive',
    problem: (server) => `calls to the MCP server ${server} pass their deadline`,
  },
  down: {
    raise: 'NOC.MCP_SERVER_DOWN',
    clear: 'NOC.MCP_SERVER_UP',
    perceivedSeverity: 'major',
    probableCause: 'underlying_resource_unavailable',
    problem: (server) => `the MCP server ${server} is not called until it answers again`,
  },
  schema: {
    raise: 'NOC.TOOL_SCHEMA_CHANGED',
    clear: 'NOC.TOOL_SCHEMA_CHANGED',
    perceivedSeverity: 'major',
    probableCause: 'configuration_or_customization_error',
    problem: (tool) => `the tool ${tool} is not called until its changed schema is accepted`,
  },
} as const satisfies Record<string, AlarmCondition>;

/** The condition that an event type raises. */
export function conditionOf(raise: string): AlarmCondition | undefined {
  return Object.values(conditions).find((condition) => condition.raise === raise);
}
