import { type Locale } from '@latch/contracts';
import { type WrongValue } from './describe-problem.ts';
import { en } from './texts.en.ts';
import { es } from './texts.es.ts';
import { ptBr } from './texts.pt-br.ts';

/**
 * Every sentence of one language. `tool` is a tool's label with its article ("o cancelamento do pedido"), so a sentence never puts a preposition that would
 * contract with it before it.
 */
export type Texts = {
  readonly help: string;
  readonly helpWith: string;
  readonly askFor: (label: string) => string;
  readonly notUnderstood: string;
  readonly confirm: (tool: string) => string;
  readonly confirmWhy: { readonly unclear: string; readonly amended: string; readonly renewed: string };
  readonly answerYesOrNo: string;
  readonly answerOrChange: string;
  readonly likelyRefused: string;
  readonly done: (tool: string) => string;
  readonly partlyDone: (tool: string) => string;
  readonly notDone: (tool: string) => string;
  /** Somebody is asking the domain system. */
  readonly unknown: (tool: string) => string;
  /** Nobody can be asked: a person has to look. */
  readonly unknownForPerson: (tool: string) => string;
  readonly readFailed: (tool: string) => string;
  readonly counts: (counts: ItemCounts) => string;
  readonly itemSucceeded: string;
  readonly itemFailed: string;
  readonly itemUnknown: string;
  readonly protocol: (protocol: string) => string;
  readonly nothingFound: string;
  readonly reason: (reason: string) => string;
  readonly byCategory: { readonly transient: string; readonly permission: string };
  readonly alternatives: string;
  readonly afterwards: (reason: string) => string;
  readonly retryItems: string;
  readonly retryAll: string;
  readonly laterOnly: string;
  /** After a refusal for a wrong value that is not asked for again. */
  readonly correctValue: string;
  readonly wrongValue: WrongValue;
  readonly notEligible: (tool: string) => string;
  readonly validationFailed: (tool: string) => string;
  readonly cancelled: (tool: string) => string;
  readonly expired: (tool: string) => string;
  readonly working: (tool: string) => string;
  readonly parked: (tool: string) => string;
  readonly offerResume: (tool: string) => string;
  readonly resumed: (tool: string) => string;
  readonly nothingToConfirm: string;
  readonly staleConfirmation: string;
  readonly notYoursToConfirm: string;
  readonly handoff: string;
  readonly inconsistent: string;
  readonly yes: string;
  readonly no: string;
  readonly more: (count: number) => string;
  readonly attachment: string;
  /** What Latch says of a failure by its code in the error catalogue, to stand within a sentence. */
  readonly byCode: Readonly<Record<string, string>>;
  /** Codes that tools give as reasons. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Names of common fields of results, without accents and in snake_case. */
  readonly fields: Readonly<Record<string, string>>;
  /** Words of the language as programs write them, and as people do. */
  readonly accents: Readonly<Record<string, string>>;
};

/** How many items had which outcome. */
export type ItemCounts = { readonly succeeded: number; readonly failed: number; readonly unknown: number };

/** The sentences of each language. */
export const texts: Readonly<Record<Locale, Texts>> = { 'pt-BR': ptBr, en, es };
