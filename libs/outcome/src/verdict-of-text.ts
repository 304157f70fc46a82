import { limits } from './limits.ts';
import { business, permission, transient, validation, type Verdict } from './verdict.ts';

/**
 * Reads the category out of an error's words (English, Portuguese, Spanish). Text is the weakest evidence and is asked last: only where a tool
 * says nothing structured. The first row that matches wins; null when none does, and then the failure stays unclassified and unretried.
 */
export function verdictOfText(text: string): Verdict | null {
  const folded = fold(text.slice(0, limits.errorChars));
  return [...plainRows, ...hintRows].find(({ pattern }) => pattern.test(folded))?.verdict ?? null;
}

/**
 * Whether a text that nobody flagged as an error states one. Only the plain rows count: "cancelled", "closed" or "formato" explain a failure
 * where one is known, and are the normal words of a success otherwise.
 */
export function statesFailure(text: string): boolean {
  const folded = fold(text.slice(0, limits.errorChars));
  return plainRows.some(({ pattern }) => pattern.test(folded)) && !/\b(?:success|sucesso|exito)/.test(folded);
}

/**
 * Whether the words describe a loss in the middle of the work (a time-out, a broken connection) rather than a refusal before it: then the tool
 * itself does not know whether the effect came about.
 */
export function soundsUnfinished(text: string): boolean {
  return unfinished.test(fold(text.slice(0, limits.errorChars)));
}

/** Whether the tool complains about the size of its own answer; the caller can then be told to ask for less. */
export function complainsAboutSize(text: string): boolean {
  return tooMuch.test(fold(text.slice(0, limits.errorChars)));
}

/** Lower case without accents, with the separators of codes such as `not_found` and `item-nao-encontrado` read as spaces. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[_-]/g, ' ');
}

const unfinished =
  /time ?d? ?out\b|timeout\b|deadline exceeded|deadline_exceeded|connection (?:was )?(?:reset|lost|closed|aborted|dropped|terminated)|econnreset|socket hang up|tempo (?:limite )?(?:esgotado|excedido)|tiempo de espera/;

const tooMuch =
  /\b(?:too (?:large|many (?:tokens|results|rows|records|items))|narrow (?:the|your)|\d+ tokens?, limit|exceeds? (?:the )?(?:maximum|max|size|token|length)|payload too large|resposta muito grande|muitos resultados)/;

type Row = { readonly verdict: Verdict; readonly pattern: RegExp };

function row(verdict: Verdict, ...alternatives: readonly string[]): Row {
  return { verdict, pattern: new RegExp(`(?:^|[^a-z0-9])(?:${alternatives.join('|')})`) };
}

/**
 * In this order, because the words overlap: "insufficient permissions" is no lack of balance, "rate limit exceeded" no wrong value,
 * "flight not available" no outage.
 */
const plainRows: readonly Row[] = [
  // A quota is a limit of the contract: no wait inside a conversation lifts it, although it reads like throttling.
  row(business, 'insufficient quota', 'quota (?:exhausted|exceeded)', 'plan limit', 'billing', 'cota esgotada'),
  row(
    permission,
    'access (?:is )?(?:denied|forbidden)',
    'permission denied',
    'forbidden\\b',
    'unauthori[sz]ed\\b',
    'unauthenticated\\b',
    'not (?:authori[sz]ed|permitted)\\b',
    '(?:insufficient|missing|no|lacks?) (?:permissions?|privileges?|scopes?|access)\\b',
    'not allowed to (?:access|read|write|use|call|view)',
    'invalid (?:api key|token|credentials?)',
    '(?:token|credential|session token)s? (?:has |is )?expired',
    'acesso (?:negado|proibido)',
    'sem (?:permissao|autorizacao|acesso)\\b',
    'nao autorizad[oa]',
    'sin permiso',
    'no autorizad[oa]',
  ),
  row(
    transient,
    'time ?d? ?out\\b',
    'timeout\\b',
    'deadline exceeded',
    '(?:temporar\\w*|currently|momentarily) (?:unavailable|indisponivel|offline|down)',
    '(?:service|server|upstream|backend|gateway|database|host|api) (?:is |was )?(?:temporar\\w* )?(?:unavailable|unreachable|overloaded|down)\\b',
    'upstream unavailable',
    'rate limit',
    'throttl',
    'too many requests',
    'try again (?:later|in |shortly)',
    'retry (?:later|after|in )',
    'e?conn(?:ection)? ?(?:reset|refused|closed|lost|aborted|dropped)',
    'connection (?:was )?(?:reset|refused|closed|lost|aborted|dropped|terminated)',
    'socket hang up',
    'network error',
    'fetch failed',
    'deadlock',
    'serialization failure',
    'could not serialize access',
    'idempotency key in use',
    '(?:session not found|session expired|no valid session)',
    'request (?:is )?(?:still )?in progress',
    'tempo (?:limite )?(?:esgotado|excedido)',
    'tempo limite',
    '(?:servico|sistema|servidor) (?:esta )?(?:temporariamente )?(?:indisponivel|fora do ar)',
    'indisponivel (?:no momento|temporariamente)',
    'temporariamente',
    'tente (?:novamente )?mais tarde',
    'tiempo de espera',
    'no disponible temporalmente',
    'intentelo mas tarde',
  ),
  row(validation, tooMuch.source),
  row(
    business,
    'insufficient\\b',
    'not enough\\b',
    'not available\\b',
    'not eligible',
    'ineligible',
    'already \\w+',
    "(?:can ?not|can'?t|could not) be (?:cancell?ed|modified|returned|exchanged|changed|refunded|processed|shipped|deleted|updated|booked)",
    'non (?:pending|delivered|cancell?able|refundable)',
    'out of stock',
    'sold out',
    'not (?:cancell?able|refundable|allowed)\\b',
    'saldo insuficiente',
    'insuficiente',
    'nao (?:elegivel|disponivel|permitid[oa]|pode ser)',
    'ja (?:foi |esta )?\\w+d[oa]\\b',
    'prazo (?:expirado|encerrado|vencido)',
    'no (?:elegible|disponible|se puede)',
    'ya (?:fue |esta )?\\w+d[oa]\\b',
  ),
  row(
    validation,
    'not found',
    'unknown (?:tool|argument|parameter|field|value|id|order|product|user|item)',
    'no such',
    "does ?n[o']t exist",
    'invalid\\b',
    'malformed',
    'missing (?:required |mandatory )?\\w+',
    '(?:required|mandatory) (?:parameter|field|argument|property)',
    '(?:is|are) required',
    'out of range',
    'does not (?:match|add up)',
    'do(?:es)? not add up',
    'bad request',
    'wrong (?:type|format|value)',
    'unrecogni[sz]ed',
    '(?:nao|no) (?:foi )?encontrad[oa]',
    'inexistente',
    'nao existe',
    'no existe',
    'invalid[oa]',
  ),
];

/** Words that explain a failure which is known from elsewhere, and prove none. */
const hintRows: readonly Row[] = [
  row(
    business,
    'policy\\b',
    'limit (?:reached|exceeded)',
    'locked\\b',
    'fidelity',
    '(?:is |was )?(?:expired|closed|shipped|delivered|cancell?ed)\\b',
    'in dispute',
    'conflict\\b',
    'fidelidade',
    'unavailable\\b',
    'agotad[oa]',
  ),
  row(
    validation,
    'required\\b',
    'expected \\w+',
    'must (?:be|have|match|not|contain)',
    'validation',
    'formato',
    'ausente',
    'deve (?:ser|ter|conter)',
    'debe (?:ser|tener)',
    'obrigatori[oa]',
    'obligatori[oa]',
  ),
];
