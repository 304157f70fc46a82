import { type OperationType } from './tool-invocation.ts';

/** The languages that an agent can speak and read. */
export type Locale = 'pt-BR' | 'en' | 'es';

/** JSON types that a parameter may declare in `args_schema`. */
export type ParameterType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

/** One parameter of a tool, as `args_schema` declares it. */
export type ParameterConfig = {
  readonly name: string;
  readonly type: ParameterType;
  /** `money` reads amounts with a currency, `date` reads dates; null reads the plain type. */
  readonly format: 'money' | 'date' | null;
  /** How the parameter is called in a sentence, such as "o número do pedido". */
  readonly label: string;
  readonly description: string | null;
  /** The question that asks for it; null: built from the label. */
  readonly userPrompt: string | null;
  /** Regular expression that a text value must match, unanchored as in JSON Schema. */
  readonly pattern: string | null;
  readonly enum: readonly (string | number)[] | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly default: unknown;
};

/** The languages whose month names an extraction reads. */
export type MonthLanguage = 'pt' | 'en' | 'es';

/**
 * One way to read a value out of what was said or known. The list is closed: each is pure, total and bounded, and a text that it cannot read is a failure and
 * never a guess.
 */
export type ExtractStrategy =
  /** "março de 2026" -> 3, or "2026-03"; the latter needs the year in the text. */
  | { readonly strategy: 'month_name'; readonly language: MonthLanguage; readonly output: 'number' | 'year_month' }
  /** "(11) 99999-9999" -> "11999999999". */
  | { readonly strategy: 'digits' }
  /** "5 de março de 2026", "05/03/2026" -> "2026-03-05". */
  | { readonly strategy: 'date'; readonly order: 'day_first' | 'month_first' }
  /** "R$ 1.234,56" -> 1234.56, or 123456 in minor units. */
  | { readonly strategy: 'money'; readonly output: 'number' | 'cents' }
  /** A group of a regular expression; 0 is the whole match. */
  | { readonly strategy: 'regex'; readonly pattern: string; readonly group: number | string }
  /** The first or last entry of a list, or of a text that the separator splits. */
  | { readonly strategy: 'first' | 'last'; readonly separator: string }
  /** The same value whatever is said. */
  | { readonly strategy: 'constant'; readonly value: unknown }
  | { readonly strategy: 'lower' | 'upper' | 'trim' };

/** How one argument is read (`extract`), before the proposal: what is shown is what is sent. */
export type ExtractRule = {
  /**
   * Where the value is taken from: null is what was given for the argument itself; else a path that begins with `arguments.` (another argument) or
   * `business_context.`.
   */
  readonly from: string | null;
  /** One after the other; each reads what the one before gave. */
  readonly strategies: readonly ExtractStrategy[];
};

/** How BusinessContext keys become arguments (`mcp_parameter_mapping.yaml`). */
export type ParameterMapping = {
  /** BusinessContext key -> argument name. */
  readonly map: Readonly<Record<string, string>>;
  /** Argument name -> value used when nothing else gave one. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The argument that carries the idempotency key, where the tool takes one; null: header and `_meta` only. */
  readonly idempotencyArgument: string | null;
  /** Argument name -> how it is read. Absent: every argument is sent as it was given. */
  readonly extract?: Readonly<Record<string, ExtractRule>>;
};

/** What happens to the rest of a workflow when a step fails, or nobody knows how it ended. */
export type OnStepError = 'stop' | 'continue';

/** One step of a workflow: one call of an MCP tool, or one per entry of a list. */
export type WorkflowStep = {
  readonly id: string;
  /** A tool of the same agent that is no workflow itself. */
  readonly tool: string;
  /**
   * Argument -> value. A text that begins with `$.` is wired: `$.arguments.<name>` (of the approved call), `$.steps.<id>.<path>` (the output of an earlier
   * step), `$.item` and `$.item.<path>` (the entry of `forEach`). `$$.` writes a literal `$.`.
   */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly onError: OnStepError;
  /** The list whose entries get a call each, as a wired path; null: one call. */
  readonly forEach: string | null;
  /** Calls of this step at the same time. */
  readonly maxParallel: number;
};

/** A tool that is run as ordered steps (`workflows.yaml`). */
export type WorkflowConfig = {
  readonly name: string;
  readonly steps: readonly WorkflowStep[];
  /** The id of the step whose result is the result of the tool; what fails after it is secondary. */
  readonly primary: string;
};

/** Bounds of one call, over what the parameters declare. A call that cannot be measured is refused. */
export type CallLimits = {
  /** Items of one call at most; null: no bound. */
  readonly maxItems: number | null;
  /** Argument name -> the highest amount of one call, over all entries where the argument is a list. */
  readonly maxAmounts: Readonly<Record<string, number>>;
};

/** One tool with its policy, both files merged. */
export type ToolConfig = {
  readonly name: string;
  readonly description: string;
  /** What the tool does, in words for the user: "o cancelamento do pedido". */
  readonly label: string;
  readonly server: string;
  readonly enabled: boolean;
  readonly operationType: OperationType;
  readonly requiresConfirmation: boolean;
  /** Parameters without which the tool cannot run, in the order in which they are asked for. */
  readonly requires: readonly string[];
  readonly parameters: Readonly<Record<string, ParameterConfig>>;
  readonly preValidation: { readonly tool: string; readonly failOpen: boolean } | null;
  readonly mapping: ParameterMapping;
  /** The operator's declaration that the same call may be repeated under its key. A server's own hint does not count. */
  readonly declaredIdempotent: boolean;
  /** A read-only tool that can tell what became of a call; null: nobody can be asked. */
  readonly reconcileTool: string | null;
  /** Total budget of a call, all attempts included. */
  readonly timeoutMs: number;
  /** At most this many attempts, where a retry is allowed at all. */
  readonly maxAttempts: number;
  /** Set where the tool is run as a workflow; it is then called step by step and never itself. */
  readonly workflow?: WorkflowConfig;
  /** Channels that may call it, further narrowed by the agent's; absent: all of the agent's. */
  readonly channels?: readonly string[];
  /** Absent: none beside those of the parameters. */
  readonly limits?: CallLimits;
  /** How long an answer may be given again, in seconds; only for reads. Absent: every call goes out. */
  readonly cacheTtlSeconds?: number;
  /** The schema that the executor has accepted for it, as the orchestrator read it; never from a file. Absent or null: none is pinned yet. */
  readonly schemaHash?: string | null;
};

/** One intent, and the tool that it starts. */
export type IntentConfig = {
  readonly intent: string;
  readonly route: string;
  readonly tool: string | null;
  /** Words and phrases of which one is enough to propose this intent. */
  readonly keywords: readonly string[];
  /** Sentences that mean it. */
  readonly examples: readonly string[];
  /** Fixed answer of an intent without a tool. */
  readonly reply: string | null;
};

/** Where the fields of a channel's request feed the business context (`identity.yaml`): BusinessContext key -> paths inside `payload`, the first with a value counts. */
export type IdentityConfig = {
  readonly everywhere: Readonly<Record<string, readonly string[]>>;
  /** Channel -> the same; looked at before `everywhere`. */
  readonly channels: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
};

/** Everything that the engine must know about one agent. Frozen; a transaction is pinned to `digest`. */
export type AgentConfig = {
  readonly agentId: string;
  readonly name: string;
  readonly locale: Locale;
  readonly timeZone: string;
  readonly tenants: readonly string[];
  readonly channels: readonly string[];
  readonly intents: readonly IntentConfig[];
  readonly tools: Readonly<Record<string, ToolConfig>>;
  /** Words of the agent's domain: any of them alone never interrupts a transaction. */
  readonly domainWords: readonly string[];
  /** Unclear answers in a row before a person is offered. */
  readonly maxClarifications: number;
  /** Seconds that a proposal may wait for its yes. */
  readonly confirmationTtlSeconds: number;
  /** Seconds that a question for a parameter may wait. */
  readonly collectionTtlSeconds: number;
  readonly maxParked: number;
  /** Absent: the business context is what the request says it is. */
  readonly identity?: IdentityConfig;
  /** SHA-256 of the canonical configuration. */
  readonly digest: string;
};

/** The process of an MCP server that is spoken to over its standard input and output. */
export type McpServerProcess = {
  readonly command: string;
  readonly args: readonly string[];
  /** Names of the environment variables that it gets, beside PATH, HOME and the like; their values come from the environment of the tool executor. */
  readonly env: readonly string[];
};

/** One MCP server. Secrets come from the environment, never from here. */
export type McpServerConfig = {
  readonly name: string;
  /** Its Streamable HTTP address; of a server with a `process`, `stdio:` and its command. */
  readonly url: string;
  /** Set where the server is a process that is spoken to over stdio. */
  readonly process?: McpServerProcess;
  readonly enabled: boolean;
  /** Time for connecting, or for a process to start. */
  readonly connectTimeoutMs: number;
  readonly maxConcurrentCalls: number;
  readonly maxResultBytes: number;
  readonly breaker: { readonly failures: number; readonly openMs: number };
};

/** The whole configuration folder, read and checked. */
export type PlatformConfig = {
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  readonly defaultAgentId: string | null;
  readonly defaultTenantId: string;
  readonly digest: string;
};
