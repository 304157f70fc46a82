import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startMcpRetail } from '@latch/mcp-retail';
import { startMcpTelecom } from '@latch/mcp-telecom';
import { type RunningService } from '@latch/observability';
import { inCheckout } from '../checkout.ts';
import { type Breakage, startBroken } from './broken-server.features.ts';
import { LabClient } from './lab-client.ts';
import { labServer } from './lab-server.ts';
import { type LabPlan, parsePlan } from './lab-plan.ts';
import { reportPage } from './lab-report.ts';
import { gradeOf, type LabReport, runLab } from './run-lab.ts';

// A whole run makes some sixty calls and waits for two lost answers and a drip.
jest.setTimeout(30_000);

const settings = {
  LATCH_HTTP_HOST: '127.0.0.1',
  LATCH_HTTP_PORT: 0,
  LATCH_LOG_LEVEL: 'silent' as const,
  LATCH_MCP_ANSWERS: 'json' as const,
  LATCH_MCP_ALLOWED_HOSTS: [],
};

let telecom: RunningService;
let retail: RunningService;
beforeAll(async () => {
  [telecom, retail] = await Promise.all([startMcpTelecom(settings), startMcpRetail(settings)]);
});
afterAll(async () => {
  await Promise.all([telecom.stop(), retail.stop()]);
});

describe('the conformance lab', () => {
  it('finds the sample telecom server transaction-ready, with nothing left untested', async () => {
    const report = await check(telecom.url, planOf('mcp-telecom', telecom.url));
    expect(notPassed(report)).toEqual([]);
    expect(report.grade).toBe('transaction-ready');
  });

  it('finds the sample retail server transaction-ready', async () => {
    const report = await check(retail.url, planOf('mcp-retail', retail.url));
    expect(notPassed(report)).toEqual(['empty.is_success: not_applicable']);
    expect(report.grade).toBe('transaction-ready');
  });

  it('claims nothing without a plan: what was not tested is no pass', async () => {
    const plan = parsePlan('name: unknown');
    if (!plan.ok) throw new Error(plan.error.join());
    const report = await check(telecom.url, plan.value);
    expect(report.grade).toBe('inconclusive');
    expect(
      report.lines.filter(({ id, finding }) => !id.startsWith('listing.') && finding.verdict === 'passed'),
    ).toEqual([]);
  });

  it('lets a server that is not there pass nothing, and comes to an end', async () => {
    const report = await check('http://127.0.0.1:9/mcp', {
      ...planOf('mcp-telecom', telecom.url),
      reset_url: undefined,
    });
    expect(report.grade).toBe('not-ready');
    expect(report.lines.filter(({ finding }) => finding.verdict === 'passed')).toEqual([]);
  });
});

const forgetKeys = (body: string): string => body.replaceAll('latch/idempotency-key', 'ignored');
const inPayload = (change: (said: string) => string) => (body: string) => change(body);

describe('a server that gets one thing wrong is told which', () => {
  it.each<[string, Breakage, readonly string[]]>([
    [
      'that does not know idempotency keys',
      { request: forgetKeys },
      ['repeat.same_answer', 'repeat.at_once', 'repeat.other_arguments', 'repeat.after_lost_answer', 'reconcile.tells'],
    ],
    [
      'that calls every failure a success',
      {
        response: inPayload((said) =>
          said.replaceAll('"isError":true', '"isError":false').replaceAll('errorCategory', 'category'),
        ),
      },
      ['repeat.other_arguments', 'error.invalid', 'error.refused', 'error.denied'],
    ],
    [
      'that calls a rule of the business transient',
      { response: inPayload((said) => said.replaceAll('\\"business\\"', '\\"transient\\"')) },
      ['error.refused'],
    ],
    [
      'that says one boolean for several items',
      {
        response: inPayload((said) =>
          said.replaceAll(/\\?"success\\?":(true|false)/g, '"done":$1').replaceAll('\\"done', '"done'),
        ),
      },
      ['items.each_told'],
    ],
    [
      'that makes an error of nothing found',
      {
        response: (said) =>
          said.includes('Não há fatura em aberto') ? said.replace('"content"', '"isError":true,"content"') : said,
      },
      ['empty.is_success'],
    ],
    [
      'that puts a stack trace into its errors',
      {
        response: inPayload((said) => said.replaceAll('não existe.', 'não existe.\\\\n    at handle (server.js:10:5)')),
      },
      ['error.clean'],
    ],
    [
      'that answers for tools that it does not have',
      {
        response: (said, asked) =>
          asked.includes('latch_lab_no_such_tool')
            ? JSON.stringify({ jsonrpc: '2.0', id: idOf(asked), result: { content: [{ type: 'text', text: 'ok' }] } })
            : said,
      },
      ['listing.unknown_tool'],
    ],
    [
      'whose schemas change from one list to the next',
      { response: (said) => said.replaceAll('"maxLength":20', `"maxLength":${20 + Math.floor(performance.now())}`) },
      ['listing.stable'],
    ],
  ])('%s', async (_, breakage, expected) => {
    const broken = await startBroken(`${telecom.url}/mcp`, breakage);
    try {
      const report = await check(broken.url, planOf('mcp-telecom', telecom.url));
      const failures = report.lines.filter(({ finding }) => finding.verdict === 'failed').map(({ id }) => id);
      expect(failures).toEqual(expect.arrayContaining([...expected]));
      expect(failures.filter((id) => !expected.includes(id))).toEqual([]);
      expect(report.grade).toBe('not-ready');
      expect(reportPage(report)).toContain('What to do');
    } finally {
      await broken.stop();
    }
  });
});

describe('a plan', () => {
  it.each([
    ['name: x\nefect: {}', 'efect'],
    ['name: x\neffect: { tool: a }', 'calls'],
    ['name: x\ninvalid: { tool: a }', 'parameter'],
    ['name: [', 'YAML'],
  ])('with a mistake is refused with the place of it (%j)', (text, place) => {
    const plan = parsePlan(text);
    expect(plan.ok ? '' : plan.error.join()).toContain(place);
  });
});

describe('the grade', () => {
  const line = (verdict: 'passed' | 'failed' | 'not_tested' | 'not_applicable', isRequired = true) => ({
    isRequired,
    finding: verdict === 'failed' ? ({ verdict, seen: '', advice: '' } as const) : ({ verdict, seen: '' } as const),
  });

  it.each([
    [[line('passed'), line('not_applicable')], 'transaction-ready'],
    [[line('passed'), line('not_tested')], 'inconclusive'],
    [[line('passed'), line('failed'), line('not_tested')], 'not-ready'],
    [[line('passed'), line('failed', false)], 'transaction-ready'],
    [[], 'inconclusive'],
  ] as const)('of %j is %s', (lines, grade) => {
    expect(gradeOf(lines)).toBe(grade);
  });
});

function planOf(name: 'mcp-telecom' | 'mcp-retail', url: string): LabPlan {
  const text = readFileSync(inCheckout(`deploy/lab/${name}.yaml`), 'utf8').replaceAll(
    /http:\/\/127\.0\.0\.1:\d+/g,
    url,
  );
  const plan = parsePlan(text);
  if (!plan.ok) throw new Error(plan.error.join('\n'));
  return plan.value;
}

async function check(url: string, plan: LabPlan): Promise<LabReport> {
  const server = labServer(url.endsWith('/mcp') ? url : `${url}/mcp`);
  if (server === null) throw new Error(`${url} is no server`);
  const client = new LabClient({
    server,
    headers: {},
    timeoutMs: plan.timeout_ms,
    resetUrl: plan.reset_url,
    faultsUrl: plan.faults_url,
  });
  try {
    return await runLab({ plan, client });
  } finally {
    await client.close();
  }
}

function notPassed({ lines }: LabReport): readonly string[] {
  return lines
    .filter(({ finding }) => finding.verdict !== 'passed')
    .map(
      ({ id, finding }) =>
        `${id}: ${finding.verdict === 'not_applicable' ? 'not_applicable' : `${finding.verdict} ${finding.seen}`}`,
    );
}

function idOf(request: string): unknown {
  const parsed: unknown = JSON.parse(request);
  return typeof parsed === 'object' && parsed !== null && 'id' in parsed ? parsed.id : null;
}
