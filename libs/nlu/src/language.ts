import { type Locale } from '@latch/contracts';
import { type Lexicon, lexicons } from './lexicon.ts';
import { compileList, type PhraseTable } from './phrases.ts';
import { stemOf } from './stem.ts';

/** The lexicon of one language, compiled for reading. Short answers and farewells are understood in the neighbouring languages too. */
export type Language = {
  readonly lexicon: Lexicon;
  /** Remembered stems; see `stemIn`. */
  readonly stems: Map<string, string>;
  readonly yes: PhraseTable<string>;
  readonly no: PhraseTable<string>;
  readonly doubt: PhraseTable<string>;
  readonly filler: PhraseTable<string>;
  readonly neutral: PhraseTable<string>;
  readonly contrast: PhraseTable<string>;
  readonly question: PhraseTable<string>;
  readonly condition: PhraseTable<string>;
  readonly negations: ReadonlySet<string>;
  readonly abandon: PhraseTable<string>;
  readonly cancelOrders: PhraseTable<string>;
  readonly cancelVerbs: PhraseTable<string>;
  readonly correction: PhraseTable<string>;
  readonly resume: PhraseTable<string>;
  readonly retry: PhraseTable<string>;
  readonly exclude: PhraseTable<string>;
  readonly only: PhraseTable<string>;
  readonly include: PhraseTable<string>;
  readonly also: PhraseTable<string>;
  readonly placeNouns: ReadonlySet<string>;
  readonly placeArticles: ReadonlySet<string>;
  readonly replace: PhraseTable<string>;
  readonly replaceBy: PhraseTable<string>;
  readonly insteadOf: PhraseTable<string>;
  readonly request: PhraseTable<string>;
  readonly leadIns: PhraseTable<string>;
  readonly because: PhraseTable<string>;
  readonly stopWords: ReadonlySet<string>;
};

/** The short answers that are taken from a neighbouring language; its other words mean other things too often ("seguro", "vale"). */
const neighbourYes: Readonly<Record<Locale, readonly string[]>> = {
  'pt-BR': ['sim', 'claro que sim', 'sim por favor'],
  en: ['yes', 'yeah', 'yep', 'yes please', 'ok', 'okay', 'sure', 'of course'],
  es: ['sí', 'claro que sí', 'por supuesto', 'sí por favor'],
};
const neighbourNo: Readonly<Record<Locale, readonly string[]>> = {
  'pt-BR': ['não', 'não obrigado', 'não obrigada', 'claro que não'],
  en: ['no', 'nope', 'no thanks', 'no thank you', 'of course not'],
  es: ['no', 'no gracias', 'claro que no'],
};

const compiled = new Map<Locale, Language>();

/** The compiled language of a locale; compiled once. */
export function languageOf(locale: Locale): Language {
  const known = compiled.get(locale);
  if (known !== undefined) return known;
  const language = compileLanguage(locale);
  compiled.set(locale, language);
  return language;
}

function compileLanguage(locale: Locale): Language {
  const lexicon = lexicons[locale];
  const neighbours = Object.values(lexicons).filter((other) => other !== lexicon);
  const neighbourLocales = (['pt-BR', 'en', 'es'] as const).filter((other) => other !== locale);
  const all = [lexicon, ...neighbours];
  return {
    ...compileAnswers(lexicon, all, neighbourLocales),
    lexicon,
    stems: new Map(),
    negations: new Set(lexicon.negations.map((word) => word.replace("'", ' '))),
    abandon: compileList(all.flatMap((each) => each.abandon)),
    cancelOrders: compileList(all.flatMap((each) => each.cancelOrders)),
    cancelVerbs: compileList(all.flatMap((each) => each.cancelVerbs)),
    correction: compileList(lexicon.correction),
    resume: compileList(all.flatMap((each) => each.resume)),
    retry: compileList(all.flatMap((each) => each.retry)),
    exclude: compileList(lexicon.exclude),
    only: compileList(lexicon.only),
    include: compileList(lexicon.include),
    also: compileList(lexicon.also),
    placeNouns: new Set(lexicon.placeNouns),
    placeArticles: new Set(lexicon.placeArticles),
    replace: compileList(lexicon.replace),
    replaceBy: compileList(lexicon.replaceBy),
    insteadOf: compileList(lexicon.insteadOf),
    request: compileList(lexicon.request),
    leadIns: compileList([...lexicon.leadIns, ...lexicon.filler]),
    because: compileList(lexicon.because),
    stopWords: new Set(lexicon.stopWords),
  };
}

type Answers = Pick<Language, 'yes' | 'no' | 'doubt' | 'filler' | 'neutral' | 'contrast' | 'question' | 'condition'>;

function compileAnswers(lexicon: Lexicon, all: readonly Lexicon[], neighbours: readonly Locale[]): Answers {
  return {
    yes: compileList([...lexicon.yes, ...neighbours.flatMap((locale) => neighbourYes[locale])]),
    no: compileList([...lexicon.no, ...neighbours.flatMap((locale) => neighbourNo[locale])]),
    doubt: compileList(all.flatMap((each) => each.doubt)),
    filler: compileList(all.flatMap((each) => each.filler)),
    neutral: compileList(lexicon.neutral),
    contrast: compileList(lexicon.contrast),
    question: compileList(lexicon.question),
    condition: compileList(lexicon.condition),
  };
}

/** Stems are remembered for the words that keep coming; the memory is emptied before a flood of words could make it grow. */
const mostStems = 8_192;
const longestRemembered = 32;

/** The stem of a folded word in this language. */
export function stemIn(language: Language, word: string): string {
  const known = language.stems.get(word);
  if (known !== undefined) return known;
  const stem = stemOf(word, language.lexicon.endings);
  if (word.length > longestRemembered) return stem;
  if (language.stems.size >= mostStems) language.stems.clear();
  language.stems.set(word, stem);
  return stem;
}
