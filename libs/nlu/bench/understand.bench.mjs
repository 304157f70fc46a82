// What reading an utterance costs: 200 characters in each situation, with 20 tools and 40 intents; the longest utterance that is read; and a megabyte.
//   npm run bench -- understand [-- seconds]
// node --single-threaded
// Processor time of one thread, that of the garbage collector too; the best and the median round stand beside what is aimed at. Ends with exit code 1 when the
// median round of 200 characters does not cost less than 150 microseconds, or that of a megabyte not less than 50 milliseconds.
import { understand } from '@latch/nlu';
import { busyAgent } from '../../transaction/bench/busy-agent.mjs';

const [seconds = '5'] = process.argv.slice(2);
const now = '2026-11-30T12:00:00.000Z';
const limits = { typicalMicros: 150, megabyteMs: 50 };
const longest = 16_384;
/** A number of runs and not only a time: on a busy machine little is compiled in a second. */
const warmUpRuns = 2_000;

const pedido = busyAgent.tools.tool_pedido;
const items = ['TIM Fashion Mensal', 'Aya Audiobooks Premium', 'Neymar Jr'].map((label, n) => ({
  id: `i-${n}`,
  label,
}));
const situations = {
  'nothing is open': { kind: 'nothing' },
  'four parameters are asked for': {
    kind: 'parameters',
    tool: pedido,
    missing: Object.keys(pedido.parameters),
    collected: {},
  },
  'a confirmation is asked for': {
    kind: 'confirmation',
    tool: pedido,
    items,
    collected: { pedido_id: 'PED-1001', valor: '71.99' },
  },
};
const sentences = [
  'Bom dia, tudo bem? Eu queria cancelar o pedido PED-1001 que fiz na semana passada porque a entrega atrasou muito e o valor de R$ 71,99 veio errado na fatura, por favor me ajudem com isso o quanto antes, obrigado!!',
  'Olha, na verdade eu não quero mais o plano, quero ver minha fatura de 10/11/2026 e depois, se der, consultar a visita do técnico marcada para amanhã às 15h, porque ninguém veio até agora e eu preciso muito disso.',
  'Sim, pode confirmar, menos o Neymar Jr, e troca o TIM Fashion Mensal pelo Aya Audiobooks Premium, que é o que eu uso de verdade; se não der, esquece, deixa como está e me avisa quando alguém puder falar comigo, ok?',
].map((text) => text.slice(0, 200));

report([...typicalRows(), ...longRows()]);

function typicalRows() {
  return Object.entries(situations).map(([name, expectation]) => {
    const read = () => {
      for (const text of sentences) understand({ text, agent: busyAgent, expectation, now });
    };
    for (let n = 0; n < warmUpRuns; n += 1) read();
    const rounds = measure(read, { forMs: (Number(seconds) * 1_000) / 3, perRound: 10 });
    const [best, median] = [at(rounds, 0), at(rounds, 0.5)].map((ms) => (ms * 1_000) / sentences.length);
    return {
      name: `200 characters, ${name}`,
      text: `best ${best.toFixed(1)} us, median ${median.toFixed(1)} us; the aim is under ${limits.typicalMicros} us`,
      ok: median < limits.typicalMicros,
    };
  });
}

function longRows() {
  const lengths = [
    ['the longest that is read, 16 KB', longest],
    ['a megabyte, refused at once', 1_000_000],
  ];
  return lengths.flatMap(([name, length]) =>
    Object.entries(situations).map(([situation, expectation]) => {
      const text = sentences
        .join(' ')
        .repeat(Math.ceil(length / 600))
        .slice(0, length);
      const rounds = measure(() => understand({ text, agent: busyAgent, expectation, now }), {
        forMs: 500,
        perRound: 1,
      });
      const [best, median] = [at(rounds, 0), at(rounds, 0.5)];
      return {
        name: `${name}, ${situation}`,
        text: `best ${best.toFixed(2)} ms, median ${median.toFixed(2)} ms; the aim is under ${limits.megabyteMs} ms`,
        ok: median < limits.megabyteMs,
      };
    }),
  );
}

/** Milliseconds of processor time of one run in each round, sorted. The best round is what the code costs, the others what the machine was doing beside. */
function measure(run, { forMs, perRound }) {
  const rounds = [];
  const warmUntil = performance.now() + forMs / 3;
  while (performance.now() < warmUntil) run();
  const endsAt = performance.now() + forMs;
  while (performance.now() < endsAt) {
    const from = process.cpuUsage();
    for (let n = 0; n < perRound; n += 1) run();
    const { user, system } = process.cpuUsage(from);
    rounds.push((user + system) / 1_000 / perRound);
  }
  return rounds.sort((a, b) => a - b);
}

function at(rounds, share) {
  return rounds[Math.floor(rounds.length * share)] ?? Number.NaN;
}

function report(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, text, ok } of rows)
    process.stdout.write(`  ${name.padEnd(width)}   ${text}${ok ? '' : '   TOO SLOW'}\n`);
  if (rows.some(({ ok }) => !ok)) process.exitCode = 1;
}
