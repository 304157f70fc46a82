import { type Locale } from '@latch/contracts';

/** The words of the evidence page. */
export type PageTexts = {
  readonly title: string;
  readonly transaction: string;
  readonly conversation: string;
  readonly tool: string;
  readonly status: string;
  readonly outcome: string;
  readonly started: string;
  readonly ended: string;
  readonly items: string;
  readonly item: string;
  readonly protocol: string;
  readonly reason: string;
  readonly chat: string;
  readonly user: string;
  readonly agent: string;
  readonly erased: string;
  readonly timeline: string;
  readonly event: string;
  readonly at: string;
  readonly hash: string;
  readonly calls: string;
  readonly attempts: string;
  readonly purpose: string;
  readonly proof: string;
  readonly proved: string;
  readonly notProved: string;
  readonly exported: string;
  readonly head: string;
  readonly configuration: string;
  readonly seal: string;
  readonly noSeal: string;
  readonly howToCheck: string;
  readonly succeeded: string;
  readonly failed: string;
  readonly unknown: string;
};

/** The words in each language; the page is in the agent's. */
export const pageTexts: Readonly<Record<Locale, PageTexts>> = {
  en: {
    title: 'Evidence of a transaction',
    transaction: 'Transaction',
    conversation: 'Conversation',
    tool: 'Tool',
    status: 'State',
    outcome: 'Outcome',
    started: 'Began',
    ended: 'Ended',
    items: 'Items',
    item: 'Item',
    protocol: 'Protocol',
    reason: 'Reason',
    chat: 'Conversation in words',
    user: 'User',
    agent: 'Agent',
    erased: 'erased',
    timeline: 'Timeline',
    event: 'Event',
    at: 'At (UTC)',
    hash: 'Hash',
    calls: 'Tool calls',
    attempts: 'Attempts',
    purpose: 'Purpose',
    proof: 'Proof',
    proved: 'This file proves itself: chain, capsules, receipts, items and seals fit together.',
    notProved: 'This file does NOT prove itself:',
    exported: 'Exported',
    head: 'Head of the chain',
    configuration: 'Configuration',
    seal: 'Seal',
    noSeal: 'No seal covers the conversation yet.',
    howToCheck: 'This page is for reading. The proof is the JSON file: latch verify FILE.',
    succeeded: 'succeeded',
    failed: 'failed',
    unknown: 'unknown',
  },
  'pt-BR': {
    title: 'Evidência de uma transação',
    transaction: 'Transação',
    conversation: 'Conversa',
    tool: 'Ferramenta',
    status: 'Estado',
    outcome: 'Resultado',
    started: 'Início',
    ended: 'Fim',
    items: 'Itens',
    item: 'Item',
    protocol: 'Protocolo',
    reason: 'Motivo',
    chat: 'A conversa em palavras',
    user: 'Usuário',
    agent: 'Agente',
    erased: 'apagado',
    timeline: 'Linha do tempo',
    event: 'Evento',
    at: 'Quando (UTC)',
    hash: 'Hash',
    calls: 'Chamadas de ferramentas',
    attempts: 'Tentativas',
    purpose: 'Finalidade',
    proof: 'Prova',
    proved: 'Este arquivo se comprova: cadeia, cápsulas, recibos, itens e selos conferem.',
    notProved: 'Este arquivo NÃO se comprova:',
    exported: 'Exportado',
    head: 'Fim da cadeia',
    configuration: 'Configuração',
    seal: 'Selo',
    noSeal: 'Nenhum selo cobre a conversa ainda.',
    howToCheck: 'Esta página é para leitura. A prova é o arquivo JSON: latch verify ARQUIVO.',
    succeeded: 'concluído',
    failed: 'não concluído',
    unknown: 'desconhecido',
  },
  es: {
    title: 'Evidencia de una transacción',
    transaction: 'Transacción',
    conversation: 'Conversación',
    tool: 'Herramienta',
    status: 'Estado',
    outcome: 'Resultado',
    started: 'Inicio',
    ended: 'Fin',
    items: 'Elementos',
    item: 'Elemento',
    protocol: 'Protocolo',
    reason: 'Motivo',
    chat: 'La conversación en palabras',
    user: 'Usuario',
    agent: 'Agente',
    erased: 'borrado',
    timeline: 'Cronología',
    event: 'Evento',
    at: 'Cuándo (UTC)',
    hash: 'Hash',
    calls: 'Llamadas a herramientas',
    attempts: 'Intentos',
    purpose: 'Finalidad',
    proof: 'Prueba',
    proved: 'Este archivo se comprueba: cadena, cápsulas, recibos, elementos y sellos encajan.',
    notProved: 'Este archivo NO se comprueba:',
    exported: 'Exportado',
    head: 'Fin de la cadena',
    configuration: 'Configuración',
    seal: 'Sello',
    noSeal: 'Ningún sello cubre la conversación todavía.',
    howToCheck: 'Esta página es para leer. La prueba es el archivo JSON: latch verify ARCHIVO.',
    succeeded: 'concluido',
    failed: 'no concluido',
    unknown: 'desconocido',
  },
};
