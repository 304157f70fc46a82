/** Where a rule is shown: a spec file below the repository, and the beginning of a test's name in it. */
export type Proof = readonly [file: string, test: string];

const o = (name: string, test: string): Proof => [`libs/outcome/src/${name}.unit.spec.ts`, test];
const seed0 = (test: string): Proof => o('seed-000-multi-item', test);
const seed1 = (test: string): Proof => o('seed-001-capability', test);
const seed4 = (test: string): Proof => o('seed-004-structured-errors', test);
const config = (test: string): Proof => ['libs/config/src/source-formats.unit.spec.ts', test];
const engine = (test: string): Proof => ['libs/transaction/src/seeds.unit.spec.ts', test];
const telecom = (test: string): Proof => ['apps/mcp-telecom/src/telecom-server.unit.spec.ts', test];
const workflow = (test: string): Proof => ['apps/tool-executor/src/run-workflow.int.spec.ts', test];
const answer = (test: string): Proof => ['libs/presentation/src/compose-reply.unit.spec.ts', test];
const oneCall: Proof = engine(
  'E: shows the three resolved services once, sends one logical call and reports each item',
);
const partial: Proof = telecom('keeps what can be done when a part cannot (seeds/000 section 3, partial validation)');
const noKey: Proof = config('"não existe / não é necessário": the invented keys are warned about and change nothing');
const namesEach: Proof = answer('names each item once with its true outcome, reason and protocol');
const fanOut: Proof = workflow('calls each once under its item key, and tells one failure as PARTIAL_SUCCESS');

/** Every section, checklist line, bullet and table row of the three sources about results, and of DESIGN section 5, with what shows it. */
export const coverage: Readonly<Record<string, Readonly<Record<string, readonly Proof[]>>>> = {
  '000-mcp-multi-item-developer-guide.txt': {
    '1. Declare o contrato natural': [
      config('section 1, pattern A: reads a scalar argument'),
      config('section 1, pattern B: reads an explicit collection'),
    ],
    '2. tool_policies.yaml não possui': [config('section 2: reads the policy of the Contas agent without any syntax')],
    '3. Pre-validation pode transformar': [
      telecom('resolves the three services exactly as seeds/000 section 3 shows'),
      partial,
      seed0('keeps eligible: false a decision and not a failure'),
      seed0('keeps the state of each item of a partly eligible validation as data'),
    ],
    '4. Contrato de entrada do MCP': [
      oneCall,
      engine('F: takes a list argument as it is, without a special key'),
      engine('leaves a scalar whole when nothing expands it'),
      fanOut,
    ],
    '5. Contrato obrigatório de resultado': [
      seed0('recognizes results of two or more entries with success'),
      seed0('recognizes ok in the place of success'),
      seed0('keeps the domain fields of an entry'),
      seed0('prefers workflow.output[tool_name].results to everything else'),
      telecom('ends as seeds/000 section 5 shows'),
    ],
    '6. O que o framework produz': [
      seed0('all concluded'),
      seed0('some concluded and some failed'),
      seed0('all failed'),
      seed0('keeps the items when the wrapper fails afterwards'),
    ],
    'todos os itens concluíram': [seed0('all concluded')],
    'parte concluiu e parte falhou': [seed0('some concluded and some failed')],
    'todos falharam': [seed0('all failed')],
    '7. O que NÃO fazer': [seed0('does not take one global boolean for the verdict over several items'), oneCall],
    '8. Exemplo completo': [
      config('section 8: reads the complete scalar example'),
      seed0('takes the entries for the items where the tool expanded one expression'),
    ],
    '9. Exemplo alternativo': [
      config('section 9: reads an array without anything else'),
      seed0('matches entries by order_id, in any order'),
    ],
    '10. Read-only, conversational': [
      config('section 10: reads each kind of operation'),
      seed0('every operation type'),
    ],
    'read_only + multi-item': [seed0('read_only')],
    'conversational + multi-item': [seed0('conversational')],
    'transactional + multi-item': [seed0('transactional')],
    'internal + multi-item': [seed0('internal')],
    '11. Idempotência e protocolos': [fanOut],
    '• use chave de idempotência': [fanOut, workflow('repeats the call of one item under its own key')],
    '• devolva protocolo': [seed0('keeps the domain fields of an entry')],
    '• preserve itens já concluídos': [
      workflow('goes on where it stopped: nothing that ended is called again'),
      workflow('has the keys of their first calls'),
    ],
    '• não dependa apenas de mensagem': [seed0('does not take one global boolean for the verdict over several items')],
    '12. Checklist do desenvolvedor': [seed0('all succeeded')],
    '• O agente seleciona a operação': [oneCall],
    '• tools.yaml declara o contrato natural': [config('section 1, pattern A'), config('section 1, pattern B')],
    '• Nenhuma chave especial': [noKey],
    '• tool_policies.yaml usa os requires': [config('section 2: reads the policy of the Contas agent')],
    '• Se um escalar representar': [telecom('resolves the three services exactly'), fanOut],
    '• A confirmação representa': [oneCall],
    '• Com fail_open: false': [partial, engine('shows and confirms an item that is not eligible with the others')],
    '• A tool primária retorna': [seed0('recognizes results of two or more entries with success')],
    '• Workflow usa output': [seed0('prefers workflow.output[tool_name].results to everything else'), fanOut],
    '• Resultado parcial não é reduzido': [seed0('does not take one global boolean')],
    '• Testes cobrem todos-sucesso': [
      seed0('all succeeded'),
      seed0('partial'),
      seed0('all failed'),
      seed0('an auxiliary failure afterwards'),
    ],
    '• A apresentação final menciona': [namesEach],
    '13. Onde o comportamento existe': [seed0('keeps the items when the wrapper fails afterwards')],
    '14. Resumo de responsabilidade': [oneCall],
    'Agente\t': [oneCall],
    'tools.yaml\t': [config('section 1, pattern A')],
    'tool_policies.yaml\t': [config('section 2: reads the policy of the Contas agent')],
    'Pre-validator MCP\t': [telecom('resolves the three services exactly')],
    'Tool MCP/workflow\t': [telecom('ends as seeds/000 section 5 shows'), fanOut],
    'Framework runtime\t': [seed0('some concluded and some failed')],
    'LLM/presentation\t': [namesEach],
  },
  '001-multi-item-capability.txt': {
    '# Multi-Item MCP': [noKey],
    '## Quando usar': [telecom('resolves names and ids into the canonical list of seeds/001')],
    '## Divisão de responsabilidades': [oneCall],
    '## Configuração mínima': [config('minimal configuration, tools.yaml')],
    '### `tools.yaml`': [config('minimal configuration, tools.yaml')],
    '# NÃO EXISTE / NÃO É NECESSÁRIO': [noKey],
    '### `tool_policies.yaml`': [config('minimal configuration, tool_policies.yaml')],
    '## Pre-validation e lista canônica': [telecom('resolves names and ids into the canonical list of seeds/001')],
    '### Validação parcial': [partial, telecom('is not eligible when every product is unknown')],
    '## Resultado MCP esperado': [
      seed1('reads PARTIAL_SUCCESS, 2 succeeded, 1 failed out of the example'),
      seed1('gives the canonical id to an entry that only carries the name'),
    ],
    '| todos concluídos': [seed1('todos concluídos')],
    '| alguns concluídos': [seed1('alguns concluídos e alguns falharam')],
    '| todos falharam': [seed1('todos falharam')],
    '## Uma chamada lógica': [oneCall, fanOut],
    '# NÃO: lógica multi-item': [oneCall],
    '## Workflow-backed tools': [
      seed1('tells the primary operation from auxiliary steps'),
      workflow('after the primary is secondary: the items stay what they are'),
    ],
    '## Documentação completa': [seed1('reads PARTIAL_SUCCESS')],
  },
  '004-structured-errors-tool-result-mcp.txt': {
    'Objetivos de aprendizagem': [seed4('reads the MCP example: isError with JSON text')],
    '• Sinalizar falhas': [seed4('writes the Claude example'), seed4('writes MCP with isError in camel case')],
    '• Classificar erros': [seed4('%s is retryable: %s')],
    '• Explicar por que respostas genéricas': [seed4('leaves "Operation failed" unclassified and unretried')],
    '• Distinguir falha de acesso': [seed4('%s is a success that says so'), seed4('%s is an error with a category')],
    '• Decidir entre recuperação local': [seed4('passes on what was tried, the partial results and the alternatives')],
    'Sinalizando erro: is_error': [
      seed4('reads the MCP example: isError with JSON text'),
      seed4('writes the Claude example: is_error in snake case, absent on success'),
      seed4('writes an OpenAI tool message'),
    ],
    'Categorias de erro e retryability': [
      seed4('%s is retryable: %s'),
      seed4('never lets a tool promise a retry outside of transient'),
    ],
    'Falha de acesso ≠ resultado vazio': [seed4('writes the empty answer of the example')],
    '• Resultado vazio válido': [seed4('the example with a note')],
    '• Falha de acesso =': [seed4('an empty list under isError')],
    'Recuperação local vs propagação': [seed4('says the tool and the attempts where the tool does not')],
    '• Local: falhas transitórias': [
      ['apps/tool-executor/src/one-stable-key.int.spec.ts', 'declared idempotent, over %s, is repeated under one key'],
    ],
    '• Propagação: quando não resolve': [seed4('passes on what was tried, the partial results and the alternatives')],
    'Construindo o tool_result estruturado': [
      seed4('gives the rows of an answer that has some'),
      seed4('says of an empty answer that it was executed and found 0'),
      seed4('gives category, retryability, message, what was attempted'),
    ],
    'Pegadinhas da prova': [seed4('does not mask a time-out as an empty list')],
    '• Distrator típico: "retorne lista vazia': [seed4('does not mask a time-out as an empty list')],
    '• Distrator típico: "faça retry': [seed4('says the tool and the attempts where the tool does not')],
    '• Distrator típico: "propague a exceção': [seed4('makes a value of every failure')],
    '• Pegadinha: na API o campo': [seed4('writes the Claude example'), seed4('writes MCP with isError in camel case')],
    '• Pegadinha: erro de validation': [seed4('keeps a validation error correctable')],
  },
  'DESIGN section 5': {
    '* No `multi_item` key anywhere': [noKey, fanOut],
    '* Pre-validation calls': [
      seed0('keeps eligible: false a decision and not a failure'),
      seed0('does not turn a validator that failed into eligible: false'),
      partial,
    ],
    '* A result is multi-item when': [
      seed0('does not call one entry multi-item and still lets its flag decide'),
      seed0('finds the workflow output inside the answer of the tool'),
      seed0('prefers structured content to JSON text'),
      seed0('reads JSON text where nothing better is there'),
      seed0('takes any other list with flags for data'),
    ],
    '* Aggregate:': [
      seed0('some concluded and some failed'),
      o('read-tool-result.property', 'succeeded + failed + unknown = items'),
      seed0('every operation type can be multi-item'),
    ],
    '* A later failure of a wrapper': [
      seed0('keeps the items of the primary step when a later step never answers'),
      workflow('after the primary is secondary: the items stay what they are'),
    ],
    '* StructuredError:': [
      o('classify-error', 'text'),
      o('recorded-answers', 'recorded answers of the official MCP servers'),
      o('emitted-forms', 'is a CallToolResult of the MCP SDK'),
    ],
    '* Valid empty': [
      seed4('%s is a success that says so'),
      seed4('%s is an error with a category, never an empty list'),
    ],
    '* Category decides who acts:': [
      ['apps/tool-executor/src/one-stable-key.int.spec.ts', 'declared idempotent, over %s'],
      seed4('keeps a validation error correctable'),
      [
        'libs/presentation/src/an-answer-tells-the-truth.unit.spec.ts',
        'is to talk to a person where a permission is missing',
      ],
    ],
  },
};
