import { type Lexicon } from './lexicon.ts';
import { phrases } from './phrases.ts';

/** Brazilian Portuguese, with what European Portuguese says differently. */
export const ptBr: Lexicon = {
  yes: phrases(`sim|s|ss|claro|claro que sim|com certeza|certamente|certo|ta certo|esta certo|certinho|correto|esta correto|exato|exatamente
    isso|isso mesmo|e isso|e isso mesmo|isso ai|isso sim|perfeito|otimo|ok|okay|okey|blz|beleza|ta bom|esta bom|ta ok|tudo certo|tudo bem|esta bem
    pode|pode sim|pode ser|pode confirmar|pode prosseguir|pode seguir|pode fazer|pode continuar|pode mandar|pode ir|manda ver|vai em frente|vai fundo
    segue|siga|siga em frente|prossiga|prosseguir|confirmo|eu confirmo|confirmado|confirma|confirmar|confirme|quero sim|aceito|concordo
    de acordo|estou de acordo|fechado|combinado|positivo|afirmativo|uhum|aham|sem duvida|sem duvidas|bora|faz isso|faca isso|pode crer|e sim
    👍|👌|✅|✔|☑|🆗`),
  no: phrases(`nao|n|nn|nops|nem pensar|de jeito nenhum|de forma alguma|de modo algum|jamais|nunca|negativo|claro que nao|com certeza nao|certamente nao
    isso nao|agora nao|nao agora|melhor nao|acho melhor nao|nao quero|nao precisa|nao pode|nada disso|nao e isso|errado|esta errado|incorreto|recuso|nao aceito
    hoje nao|ainda nao|👎|❌|🚫`),
  doubt:
    phrases(`nao tenho certeza|nao sei|sei la|nao sei se|talvez|acho que sim|acho que nao|acho|acho que|quem sabe|depende|nao entendi|como assim|sera|tenho duvida
    tenho duvidas|tem certeza|por que|por que nao|que tal|e se|nao tenho|hein|nao lembro|nao e que|nao e nao|nao que|mais ou menos|🤔|🙄|😕`),
  filler:
    phrases(`por favor|entendi|entendido|pfv|pf|por gentileza|obrigado|obrigada|muito obrigado|muito obrigada|brigado|valeu|vlw|oi|ola|bom dia|boa tarde|boa noite|ah|eh|hum|hmm|bem|bom|entao
    opa|ne|ta|viu|tchau|agradeco|nao tem problema|sem problema|sem problemas|desculpa|desculpe|de nada|por enquanto|olha|ops|tranquilo|rs|kkk|haha
    😊|🙂|😀|😃|😄|😁|🙏|❤|👏|🎉`),
  neutral:
    phrases(`saber se|dizer se|so isso|e so isso|somente isso|o|a|os|as|um|uma|e|de|do|da|dos|das|em|na|nos|nas|ao|aos|que|eu|me|meu|minha|meus|minhas|isso|esse|essa|este|esta|esses|essas|ele|ela|eles|elas|todos|todas|tudo
    ja|mesmo|agora|entao|la|ai|pra|para|por|com|vou|vamos|esta|estao|ser|fazer|quero|pode|podem|mim|lo|la|los|las|ambos`),
  contrast:
    phrases(`mas|porem|so que|contudo|entretanto|se|caso|desde que|a menos que|quando|depois|antes|amanha|ainda|exceto|menos|fora|tirando|somente|apenas|so|em vez|ao inves|outro|outra|outros|outras
    muda|mude|mudar|altera|alterar|altere|troca|trocar|troque|espera|espere|calma|pera|perai`),
  question: phrases(
    `qual|quais|quanto|quanta|quantos|quantas|onde|quem|como|quando|que horas|tem|voces tem|ha|sabe|pode me dizer|pode me informar|me diz|me diga|queria saber|gostaria de saber|posso saber`,
  ),
  condition: phrases(
    'multa|taxa|taxas|custo|custa|cobranca|cobrado|cobrada|tarifa|reembolso|estorno|juros|consequencia|perco|pagar',
  ),
  negations: phrases('nao|nem|nunca|jamais|sem'),
  abandon:
    phrases(`esquece|esqueca|esquece isso|esqueca isso|esquece tudo|deixa pra la|deixa para la|deixe pra la|deixe para la|deixa quieto|deixa assim|deixa isso pra la|deixa|desisto|desisti|eu desisto|vou desistir
    nao quero mais|nao quero mais nada|eu nao quero mais|nao quero mais isso|nao precisa mais|nao quero continuar|nao vou mais querer|para|pare|parar|para tudo|pare tudo|sair|encerra|encerrar|encerre|chega|aborta|abortar
    cancela tudo|cancela isso|cancele isso|cancela isso ai|cancela a operacao|cancelar a operacao|cancele a operacao|cancela essa operacao|cancela a solicitacao|cancelar a solicitacao|cancelar essa solicitacao|cancela o cancelamento
    quero cancelar a operacao|quero cancelar a solicitacao|quero cancelar essa solicitacao|quero desistir|mudei de ideia|nao quero mais cancelar|nao quero mais fazer isso`),
  cancelOrders: phrases('cancela|cancele|pode cancelar|quero cancelar|cancela ai|cancela por favor'),
  cancelVerbs: phrases('cancelar'),
  correction:
    phrases(`me enganei|enganei me|eu me enganei|errei|eu errei|quis dizer|eu quis dizer|queria dizer|na verdade|alias|digo|ops|opa errei|corrigindo|correcao|esquece o que eu disse|nao era isso|estava errado|mudei de ideia
    pensando bem|melhor dizendo|ou melhor|o certo e|o correto e`),
  resume: phrases(
    `continua|continuar|continue|vamos continuar|quero continuar|pode continuar|retoma|retomar|retome|vamos retomar|quero retomar|volta|voltar|vamos voltar|quero voltar|volta ao anterior|voltar ao anterior|prosseguir|onde paramos`,
  ),
  retry:
    phrases(`tenta de novo|tente de novo|tentar de novo|tenta novamente|tente novamente|tentar novamente|tenta outra vez|tente outra vez|tentar outra vez|repete|repita|repetir|refaz|refaca|reprocessa|reprocessar|reprocesse
    pode tentar de novo|pode tentar novamente|quero tentar de novo|quero tentar novamente|tenta mais uma vez`),
  exclude: phrases(
    'menos|exceto|tirando|fora|a nao ser|com excecao de|sem|tira|tire|tirar|remove|remova|remover|retira|retire|retirar|exclui|exclua|excluir|mas nao|deixa de fora',
  ),
  only: phrases('so|somente|apenas|unicamente|so quero|quero so|quero apenas|quero somente'),
  include: phrases(
    'inclui|inclua|incluir|inclue|adiciona|adicione|adicionar|acrescenta|acrescente|acrescentar|poe tambem|coloca tambem|coloque tambem|bota tambem|junta|junte',
  ),
  also: phrases('tambem|alem disso'),
  placeNouns: phrases('numero|numeros|n|nº|item|itens|opcao|opcoes|posicao|linha|linhas'),
  placeArticles: phrases('o|a|do|da|no|na|ao'),
  replace: phrases('troca|troque|trocar|substitui|substitua|substituir|muda|mude|mudar|altera|altere|alterar'),
  replaceBy: phrases('por|pelo|pela|para|pra'),
  alternatives: phrases('ou'),
  insteadOf: phrases(
    'em vez de|em vez do|em vez da|em vez dos|em vez das|ao inves de|ao inves do|ao inves da|no lugar de|no lugar do|no lugar da',
  ),
  ordinals: {
    primeiro: 1,
    primeira: 1,
    primeiros: 1,
    primeiras: 1,
    segundo: 2,
    segunda: 2,
    terceiro: 3,
    terceira: 3,
    quarto: 4,
    quarta: 4,
    quinto: 5,
    quinta: 5,
  },
  last: phrases('ultimo|ultima|ultimos|ultimas'),
  request: phrases(
    `quero|eu quero|queria|eu queria|gostaria de|eu gostaria de|preciso|eu preciso|preciso de|desejo|quero que|vou querer|pode|poderia|voce pode|voces podem|da pra|da para|tem como|agora quero|agora eu quero|me ajuda a|por favor`,
  ),
  stopWords:
    phrases(`o|a|os|as|um|uma|uns|umas|de|do|da|dos|das|em|no|na|nos|nas|ao|aos|e|ou|que|eu|me|meu|minha|meus|minhas|esse|essa|este|esta|isso|isto|se|para|pra|por|pelo|pela|com|seu|sua|la|ai|aqui|ja|agora|quero|queria|gostaria|preciso|desejo
    pode|poderia|favor|voce|voces|sao|ser|estao|ate|mim|algum|alguma|lhe|oi|ola|bom|boa|dia|tarde|noite|obrigado|obrigada|entao|todos|todas`),
  endings: phrases(
    `amentos|imentos|amento|imento|acoes|acao|ando|endo|indo|aram|eram|iram|ados|adas|idos|idas|ado|ada|ido|ida|ava|aria|eria|iria|amos|emos|imos|ara|asse|esse|isse|eis|ar|er|ir|ei|ou|am|em|os|as|es|is|io|a|e|o|s`,
  ),
  leadIns:
    phrases(`e|eh|e o|e a|e os|e as|sao|sao os|sao as|seria|seria o|seria a|foi|foi o|foi a|era|o meu e|a minha e|o nome e|esse e|esta aqui|aqui esta|aqui|segue|anota ai|acho que e|acho que|acho que uns|acho que umas|uns|umas|o|a|os|as
    pode cancelar|cancelar|cancela|cancele|quero cancelar|quero|gostaria de|queria|pode ser|pode|eu quero|ah|bom|bem|entao|olha|por favor|eu quis dizer|quis dizer|na verdade|na verdade e|me enganei|ops|digo|de|do|da|no|na|em|por`),
  because: phrases(
    'porque|pois|por causa de|por causa do|por causa da|ja que|uma vez que|devido a|devido ao|pq|por que|motivo',
  ),
  numbers: {
    zero: 0,
    um: 1,
    uma: 1,
    dois: 2,
    duas: 2,
    tres: 3,
    quatro: 4,
    cinco: 5,
    seis: 6,
    sete: 7,
    oito: 8,
    nove: 9,
    dez: 10,
    onze: 11,
    doze: 12,
    treze: 13,
    catorze: 14,
    quatorze: 14,
    quinze: 15,
    dezesseis: 16,
    dezasseis: 16,
    dezessete: 17,
    dezassete: 17,
    dezoito: 18,
    dezenove: 19,
    dezanove: 19,
    vinte: 20,
    trinta: 30,
    quarenta: 40,
    cinquenta: 50,
    sessenta: 60,
    setenta: 70,
    oitenta: 80,
    noventa: 90,
    cem: 100,
    cento: 100,
    duzentos: 200,
    duzentas: 200,
    trezentos: 300,
    trezentas: 300,
    quatrocentos: 400,
    quatrocentas: 400,
    quinhentos: 500,
    quinhentas: 500,
    seiscentos: 600,
    seiscentas: 600,
    setecentos: 700,
    setecentas: 700,
    oitocentos: 800,
    oitocentas: 800,
    novecentos: 900,
    novecentas: 900,
  },
  scales: {
    mil: 1e3,
    milhao: 1e6,
    milhoes: 1e6,
    bilhao: 1e9,
    bilhoes: 1e9,
    trilhao: 1e12,
    trilhoes: 1e12,
    duzia: 12,
    duzias: 12,
    par: 2,
    pares: 2,
  },
  fractions: {
    meio: 2,
    meia: 2,
    terco: 3,
    tercos: 3,
    quarto: 4,
    quartos: 4,
    quinto: 5,
    quintos: 5,
    sexto: 6,
    sextos: 6,
    setimo: 7,
    setimos: 7,
    oitavo: 8,
    oitavos: 8,
    nono: 9,
    nonos: 9,
    decimo: 10,
    decimos: 10,
    centesimo: 100,
    centesimos: 100,
    milesimo: 1000,
    milesimos: 1000,
  },
  numberJoin: phrases('e'),
  decimalWords: phrases('virgula|ponto'),
  divisionWords: phrases('sobre'),
  fractionWords: phrases('avo|avos'),
  months: phrases('janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro'),
  weekdays: [
    ['domingo'],
    ['segunda', 'segunda feira'],
    ['terca', 'terca feira'],
    ['quarta', 'quarta feira'],
    ['quinta', 'quinta feira'],
    ['sexta', 'sexta feira'],
    ['sabado'],
  ],
  relativeDays: { hoje: 0, amanha: 1, 'depois de amanha': 2, ontem: -1, anteontem: -2, 'antes de ontem': -2 },
  daysAhead: phrases('daqui a|daqui|dentro de|em'),
  daysAgo: phrases('ha|atras'),
  dayUnits: { dia: 1, dias: 1, semana: 7, semanas: 7 },
  dayWords: phrases('dia|no dia'),
  dayParts: { manha: 'manha', tarde: 'tarde', noite: 'noite', madrugada: 'madrugada' },
  currencies: {
    real: 'BRL',
    reais: 'BRL',
    conto: 'BRL',
    contos: 'BRL',
    pila: 'BRL',
    dolar: '',
    dolares: '',
    euro: 'EUR',
    euros: 'EUR',
    libra: 'GBP',
    libras: 'GBP',
    peso: '',
    pesos: '',
    iene: 'JPY',
    ienes: 'JPY',
    yuan: 'CNY',
    yuans: 'CNY',
    peseta: 'ESP',
    pesetas: 'ESP',
    ptas: 'ESP',
    florim: 'NLG',
    florins: 'NLG',
    franco: '',
    francos: '',
    marco: '',
    marcos: '',
    rupia: 'INR',
    rupias: 'INR',
    bitcoin: 'BTC',
    bitcoins: 'BTC',
  },
  cents: phrases('centavo|centavos|centimo|centimos'),
  centJoin: phrases('e|com'),
  isMonthFirst: false,
  grouping: '.',
  problems: {
    pattern: (label) => `${label} não está no formato esperado`,
    choices: (choices) => `as opções são: ${choices}`,
    minimum: (bound) => `o valor mínimo é ${bound}`,
    maximum: (bound) => `o valor máximo é ${bound}`,
    date: 'essa data não existe',
    integer: 'é preciso um número inteiro',
  },
};
