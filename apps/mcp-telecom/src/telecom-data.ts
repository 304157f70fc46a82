/** One additional service or product of the catalogue, contracted on the sample line. Names and prices are invented. */
export type Service = {
  readonly id: string;
  /** The canonical name: what is shown, sent and cancelled. */
  readonly name: string;
  /** Other names that customers use. */
  readonly aliases: readonly string[];
  readonly priceCents: number;
  /**
   * Whether the partner's platform knows the subscription. "Aya Audiobooks Premium" is on the invoice but not there: the validator finds it and
   * the cancellation fails with `not_found`, as in the source document's example (seeds/000 section 5).
   */
  readonly isAtPartner: boolean;
};

/** What the sample customer has contracted. */
export const services: readonly Service[] = [
  { id: '1001', name: 'TIM Fashion Mensal', aliases: ['tim fashion'], priceCents: 1499, isAtPartner: true },
  { id: '1002', name: 'Aya Audiobooks Premium', aliases: ['aya audiobooks'], priceCents: 1999, isAtPartner: false },
  { id: '1003', name: 'Neymar Jr', aliases: ['neymar'], priceCents: 1299, isAtPartner: true },
  { id: '1004', name: 'TIM CTRL Redes Sociais 8.0', aliases: ['tim ctrl'], priceCents: 7199, isAtPartner: true },
  { id: '1005', name: 'TIM Filmes e Séries', aliases: ['filmes e séries'], priceCents: 2490, isAtPartner: true },
  { id: '1006', name: 'Clube de Leitura', aliases: [], priceCents: 990, isAtPartner: true },
  { id: '1007', name: 'Antivírus Plus', aliases: ['antivirus'], priceCents: 590, isAtPartner: true },
  { id: '1008', name: 'Pacote Esportes', aliases: ['esportes'], priceCents: 3490, isAtPartner: true },
];

/** One line of an invoice. */
export type InvoiceLine = { readonly descricao: string; readonly valorCents: number };

/** One invoice. Persons are invented. */
export type Invoice = {
  readonly invoiceId: string;
  readonly msisdn: string;
  readonly titular: string;
  readonly referencia: string;
  readonly vencimento: string;
  readonly status: 'ABERTA' | 'PAGA';
  readonly lines: readonly InvoiceLine[];
};

/** Lines that exist; a line without an open invoice gives a valid empty answer. */
export const lines: readonly string[] = ['11999999999', '21988887777', '31977776666'];

/** The invoices. 3000131180 is the one of SPEC-012 section 9: R$ 249,90, ABERTA. */
export const invoices: readonly Invoice[] = [
  {
    invoiceId: '3000131180',
    msisdn: '11999999999',
    titular: 'Marina Alves Prado',
    referencia: '2026-11',
    vencimento: '2026-12-10',
    status: 'ABERTA',
    lines: [
      { descricao: 'Plano TIM Controle 30GB', valorCents: 11999 },
      { descricao: 'TIM CTRL Redes Sociais 8.0', valorCents: 7199 },
      { descricao: 'Aya Audiobooks Premium', valorCents: 1999 },
      { descricao: 'TIM Fashion Mensal', valorCents: 1499 },
      { descricao: 'Neymar Jr', valorCents: 1299 },
      { descricao: 'Juros e multa da fatura anterior', valorCents: 995 },
    ],
  },
  {
    invoiceId: '3000129977',
    msisdn: '11999999999',
    titular: 'Marina Alves Prado',
    referencia: '2026-10',
    vencimento: '2026-11-10',
    status: 'PAGA',
    lines: [{ descricao: 'Plano TIM Controle 30GB', valorCents: 11999 }],
  },
  {
    invoiceId: '3000140002',
    msisdn: '21988887777',
    titular: 'João Batista Queiroz',
    referencia: '2026-11',
    vencimento: '2026-12-15',
    status: 'ABERTA',
    lines: [
      { descricao: 'Plano TIM Black 50GB', valorCents: 14999 },
      { descricao: 'Pacote Esportes', valorCents: 3490 },
    ],
  },
];
