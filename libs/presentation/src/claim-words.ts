/**
 * Folded word beginnings that claim an outcome, in pt-BR, en and es together: a model may answer in another language than it was asked in. A failure or a doubt
 * in a clause outweighs a success in it ("não foi concluído").
 */
export const claimWords = {
  failed: [
    'nao',
    'nada ',
    'nothing ',
    'not ',
    'no ',
    "n't",
    'could not',
    'fail',
    'falh',
    'fracas',
    'fallo',
    'fallid',
    'erro',
    'error',
    'recus',
    'rechaz',
    'reject',
    'unable',
    'impossi',
    'negad',
    'denied',
    'sem sucesso',
    'unsuccess',
    'indispon',
    'unavail',
  ],
  unknown: [
    'desconhec',
    'desconoc',
    'unknown',
    'not known',
    'no known',
    'verificand',
    'checking',
    'ainda sem',
    'ainda nao sei',
    'todavia sin',
    'todavia no se',
    'pendente',
    'pending',
    'pendiente',
    'sem resultado',
    'sin resultado',
    'do not know',
  ],
  succeeded: [
    'concluid',
    'conclui',
    'complet',
    'done',
    'success',
    'sucesso',
    'exito',
    'cancelad',
    'cancelled',
    'canceled',
    'cancelei',
    'cancele ',
    'realizad',
    'efetuad',
    'efectuad',
    'feito',
    'hecho',
    'pronto',
    'listo',
    'executad',
    'ejecutad',
    'processad',
    'procesad',
    'finaliz',
    'ativad',
    'activad',
    'confirmad',
    'confirmed',
    'refunded',
    'reembolsad',
    'estornad',
    'foi feit',
    'devolvid',
    'registrad',
  ],
} as const;

/** What a stretch of text claims about an outcome; null: nothing. */
export type Claim = keyof typeof claimWords;

/** The outcome that a folded clause claims. */
export function claimOf(clause: string): Claim | null {
  const padded = ` ${clause} `;
  const has = (kind: Claim): boolean => claimWords[kind].some((word) => padded.includes(startsWord(word)));
  if (has('unknown')) return 'unknown';
  if (has('failed')) return 'failed';
  return has('succeeded') ? 'succeeded' : null;
}

function startsWord(word: string): string {
  return word === "n't" ? word : ` ${word}`;
}
