import { type ParameterConfig } from '@latch/contracts';
import { foldWords } from './fold-text.ts';

/** How a parameter's value is looked for in an utterance. `code` is an identifier without a declared pattern; `none` is never read from text. */
export type ParameterShape =
  | 'enum'
  | 'boolean'
  | 'money'
  | 'date'
  | 'integer'
  | 'number'
  | 'list'
  | 'pattern'
  | 'code'
  | 'day_part'
  | 'text'
  | 'none';

/** The order in which shapes take their part of an utterance: the more specific one first. */
const shapeOrder: readonly ParameterShape[] = [
  'date',
  'money',
  'enum',
  'pattern',
  'day_part',
  'code',
  'integer',
  'number',
  'boolean',
  'list',
  'text',
  'none',
];

const places = new Map(shapeOrder.map((shape, place) => [shape, place] as const));

/** Parameters in the order in which their shapes take their part of an utterance. */
export function bySpecificity(parameters: readonly ParameterConfig[]): readonly ParameterConfig[] {
  const placeOf = (parameter: ParameterConfig): number => places.get(shapeOf(parameter)) ?? places.size;
  return parameters.toSorted((a, b) => placeOf(a) - placeOf(b));
}

const shapes = new WeakMap<ParameterConfig, ParameterShape>();

/** The shape of a parameter, from its declaration and, where that says little, from its name and label. */
export function shapeOf(parameter: ParameterConfig): ParameterShape {
  const known = shapes.get(parameter);
  if (known !== undefined) return known;
  const shape = findShape(parameter);
  shapes.set(parameter, shape);
  return shape;
}

function findShape(parameter: ParameterConfig): ParameterShape {
  if (parameter.enum !== null && parameter.type !== 'array') return 'enum';
  switch (parameter.type) {
    case 'array':
      return 'list';
    case 'object':
      return 'none';
    case 'boolean':
      return 'boolean';
    case 'integer':
      return parameter.format === 'money' ? 'money' : 'integer';
    case 'number':
      return parameter.format === 'money' || isAbout(parameter, moneyWords) ? 'money' : 'number';
    case 'string':
      return textShape(parameter);
    default:
      return parameter.type satisfies never;
  }
}

const moneyWords = new Set(['valor', 'amount', 'price', 'preco', 'precio', 'importe', 'monto']);
const dateWords = new Set(['date', 'data', 'fecha']);
const dayPartWords = new Set(['period', 'periodo', 'turno', 'shift']);
const codeWords = new Set(
  'id ids codigo code numero number protocol protocolo cpf cnpj cep msisdn imei contrato pedido order'.split(' '),
);
const reasonWords = new Set(
  'reason motivo razao razon cause causa justificativa comment comentario description descricao descripcion message mensagem mensaje note observacao'.split(
    ' ',
  ),
);

function textShape(parameter: ParameterConfig): ParameterShape {
  if (parameter.format === 'money') return 'money';
  if (parameter.format === 'date') return 'date';
  if (parameter.pattern !== null) return acceptsProse(parameter.pattern) ? 'text' : 'pattern';
  const names = nameWords(parameter);
  if (names.some((word) => reasonWords.has(word))) return 'text';
  if (names.some((word) => moneyWords.has(word))) return 'money';
  if (names.some((word) => dateWords.has(word))) return 'date';
  if (names.some((word) => dayPartWords.has(word))) return 'day_part';
  return names.some((word) => codeWords.has(word)) ? 'code' : 'text';
}

/** Whether a parameter asks for a reason or a remark: an answer to it may hold anything. */
export function isRemark(parameter: ParameterConfig): boolean {
  return isAbout(parameter, reasonWords);
}

function isAbout(parameter: ParameterConfig, words: ReadonlySet<string>): boolean {
  return nameWords(parameter).some((word) => words.has(word));
}

/** The words of a parameter's name: `order_id` and `orderId` both give `order`, `id`. */
export function nameWords(parameter: ParameterConfig): readonly string[] {
  const known = knownWords.get(parameter);
  if (known !== undefined) return known;
  const words = foldWords(parameter.name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '));
  knownWords.set(parameter, words);
  return words;
}

const knownWords = new WeakMap<ParameterConfig, readonly string[]>();

const prose = ['texto livre qualquer', 'Some free text', 'texto'];

/** A pattern that ordinary words match restricts free text; it does not describe an identifier. */
function acceptsProse(pattern: string): boolean {
  const expression = compilePattern(pattern);
  return expression !== null && prose.every((sample) => expression.test(sample));
}

const patterns = new Map<string, RegExp | null>();

/** A declared pattern as a regular expression; null when it is none, which `config check` reports. */
export function compilePattern(pattern: string): RegExp | null {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const expression = tryCompile(pattern);
  patterns.set(pattern, expression);
  return expression;
}

function tryCompile(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return null;
  }
}
