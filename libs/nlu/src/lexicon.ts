import { type Locale } from '@latch/contracts';
import { en } from './lexicon.en.ts';
import { es } from './lexicon.es.ts';
import { ptBr } from './lexicon.pt-br.ts';

/**
 * The closed vocabulary of one language. Phrases are written as people type them; they are folded when they are compiled. Nothing outside these lists (and
 * the words of the open proposal) can ever be part of a yes.
 */
export type Lexicon = {
  /** Complete ways of agreeing and of refusing. */
  readonly yes: readonly string[];
  readonly no: readonly string[];
  /** Doubt, not knowing, asking back: always unclear. */
  readonly doubt: readonly string[];
  /** Courtesy, greetings and interjections: may stand beside an answer, and are none. */
  readonly filler: readonly string[];
  /** Function words that cannot turn a meaning around. */
  readonly neutral: readonly string[];
  /** Words that take back or limit what was said ("mas", "se", "depois"). */
  readonly contrast: readonly string[];
  /** How a question begins that may follow a complete yes. */
  readonly question: readonly string[];
  /** Subjects that make such a question a condition (fees, penalties). */
  readonly condition: readonly string[];
  readonly negations: readonly string[];
  /** Giving up, in so many words. */
  readonly abandon: readonly string[];
  /** Orders to cancel: giving up, unless the open operation is itself a cancellation. */
  readonly cancelOrders: readonly string[];
  /** The bare verb, which is first tried as a value. */
  readonly cancelVerbs: readonly string[];
  readonly correction: readonly string[];
  readonly resume: readonly string[];
  readonly retry: readonly string[];
  readonly exclude: readonly string[];
  readonly only: readonly string[];
  /** Asking for more beside what is shown: verbs, and words such as "também". */
  readonly include: readonly string[];
  readonly also: readonly string[];
  /** What stands before the place of an item in the list ("o número 2"). */
  readonly placeNouns: readonly string[];
  /** Articles in the singular, where "o 2" is the second one and "os 2" are both. */
  readonly placeArticles: readonly string[];
  readonly replace: readonly string[];
  readonly replaceBy: readonly string[];
  /** What stands between a new thing and the one that it replaces ("1003 em vez de 1002"). */
  readonly insteadOf: readonly string[];
  readonly ordinals: Readonly<Record<string, number>>;
  readonly last: readonly string[];
  /** What stands between two things of which one is meant ("ou"). */
  readonly alternatives: readonly string[];
  /** How a wish is announced ("quero", "I'd like to"). */
  readonly request: readonly string[];
  /** Words without weight in routing. */
  readonly stopWords: readonly string[];
  /** Endings that a stem loses, longest first. */
  readonly endings: readonly string[];
  /** What people put before a value ("é o", "seria"). */
  readonly leadIns: readonly string[];
  /** What introduces a reason. */
  readonly because: readonly string[];
  readonly numbers: Readonly<Record<string, number>>;
  readonly scales: Readonly<Record<string, number>>;
  /** Denominators ("terço", "milésimo"). */
  readonly fractions: Readonly<Record<string, number>>;
  readonly numberJoin: readonly string[];
  readonly decimalWords: readonly string[];
  readonly divisionWords: readonly string[];
  readonly fractionWords: readonly string[];
  readonly months: readonly string[];
  /** From Sunday on; each with its spellings. */
  readonly weekdays: readonly (readonly string[])[];
  /** Phrase -> days from today. */
  readonly relativeDays: Readonly<Record<string, number>>;
  readonly daysAhead: readonly string[];
  readonly daysAgo: readonly string[];
  readonly dayUnits: Readonly<Record<string, number>>;
  /** Words that stand before a bare day of the month ("dia 10"). */
  readonly dayWords: readonly string[];
  /** Part of the day -> its one spelling. */
  readonly dayParts: Readonly<Record<string, string>>;
  /** Name of a currency -> ISO code; an empty code where the name belongs to several. */
  readonly currencies: Readonly<Record<string, string>>;
  readonly cents: readonly string[];
  /** Words after a currency's name that belong to it ("australianos"). */
  readonly centJoin: readonly string[];
  readonly isMonthFirst: boolean;
  /** The character that groups thousands. */
  readonly grouping: '.' | ',';
  readonly problems: {
    readonly pattern: (label: string) => string;
    readonly choices: (choices: string) => string;
    readonly minimum: (bound: number) => string;
    readonly maximum: (bound: number) => string;
    readonly date: string;
    readonly integer: string;
  };
};

/** The vocabulary of each language. */
export const lexicons: Readonly<Record<Locale, Lexicon>> = { 'pt-BR': ptBr, en, es };
