import { type CallToolResult, isRecord } from '@latch/contracts';
import { type Defect, defectOf, listOf, parseJson, textOf } from './json-value.ts';
import { limits } from './limits.ts';

/** What an MCP answer carries, before anything is concluded from it. */
export type Payload = {
  /** The answer's content as one value: structured content, else the JSON or plain text, else a description of the other blocks. */
  readonly data: unknown;
  /** Where `results` may be, in the order of trust: structured content, then each JSON text. */
  readonly sources: readonly Record<string, unknown>[];
  /** The text that is no JSON. */
  readonly text: string;
  /** `isError` is set to anything that is not plainly a no. */
  readonly isFlagged: boolean;
  /** Neither a content block nor structured content. */
  readonly saysNothing: boolean;
  readonly defect: Defect | null;
  /** Such as "1 image/png block"; null when all is text. */
  readonly otherBlocks: string | null;
};

/** Takes an MCP `CallToolResult` apart. Total: a member of a wrong type counts as absent. */
export function readPayload(result: CallToolResult): Payload {
  const blocks = listOf(result.content);
  const structured = result.structuredContent ?? bareBody(result);
  const defect = blocks.length > limits.blocks ? 'too_large' : defectOf(structured);
  if (defect !== null) return { ...nothing, isFlagged: isFlagged(result.isError), saysNothing: false, defect };
  const read = blocks.map(readBlock);
  return {
    data: dataOf(structured, read),
    sources: [structured, ...read.map((block) => block.json)].filter(isRecord),
    text: plainText(read),
    isFlagged: isFlagged(result.isError),
    saysNothing: isAbsent(structured) && read.every(isBlank),
    defect: read.find((block) => block.defect !== null)?.defect ?? null,
    otherBlocks: describeOthers(read),
  };
}

/** The payload of a call that brought no answer. */
export const nothing: Payload = {
  data: null,
  sources: [],
  text: '',
  isFlagged: false,
  saysNothing: true,
  defect: null,
  otherBlocks: null,
};

/** Some servers put the body itself where the MCP result belongs: everything but the protocol's own members is then the answer. */
function bareBody(result: CallToolResult): unknown {
  if (result.content !== undefined) return undefined;
  const { content: _content, structuredContent: _structured, isError: _flag, _meta, ...body } = result;
  return Object.keys(body).length === 0 ? undefined : body;
}

/** Fails closed: a flag that is neither absent nor a plain no is a yes. */
function isFlagged(flag: unknown): boolean {
  return !(flag === undefined || flag === null || flag === false || flag === 'false');
}

type ReadBlock = {
  readonly text: string | null;
  readonly json: unknown;
  readonly other: Record<string, unknown> | null;
  readonly defect: Defect | null;
};

function readBlock(block: unknown): ReadBlock {
  const text = isRecord(block) ? blockText(block) : null;
  if (text === null)
    return { text: null, json: undefined, other: isRecord(block) ? describe(block) : null, defect: null };
  if (text.length > limits.jsonChars) return { text: '', json: undefined, other: null, defect: 'too_large' };
  const json = parseJson(text);
  const defect = defectOf(json);
  return { text, json: defect === null ? json : undefined, other: null, defect };
}

function blockText(block: Record<string, unknown>): string | null {
  const resource = isRecord(block.resource) ? block.resource : {};
  const text = block.type === 'resource' ? resource.text : block.type === 'text' ? block.text : null;
  return typeof text === 'string' ? text : null;
}

/** What can be said about an image, a sound or a link without carrying its bytes. */
function describe(block: Record<string, unknown>): Record<string, unknown> {
  const resource = isRecord(block.resource) ? block.resource : {};
  const described = {
    type: textOf(block.type) ?? 'unknown',
    mimeType: textOf(block.mimeType) ?? textOf(resource.mimeType),
    uri: textOf(block.uri) ?? textOf(resource.uri),
    name: textOf(block.name),
  };
  return Object.fromEntries(Object.entries(described).filter(([, value]) => value !== null));
}

function dataOf(structured: unknown, read: readonly ReadBlock[]): unknown {
  if (!isAbsent(structured)) return structured;
  const texts = read.filter((block) => block.text !== null && block.text !== '');
  const others = read.flatMap((block) => (block.other === null ? [] : [block.other]));
  const [only] = texts;
  const body = texts.length === 1 && only?.json !== undefined ? only.json : joined(texts);
  if (others.length === 0) return body;
  return body === null ? { blocks: others } : { content: body, blocks: others };
}

function joined(texts: readonly ReadBlock[]): string | null {
  return texts.length === 0 ? null : texts.map((block) => block.text).join('\n');
}

function plainText(read: readonly ReadBlock[]): string {
  return read
    .filter((block) => block.json === undefined)
    .map((block) => block.text ?? '')
    .join('\n')
    .trim();
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** A block that says nothing: white space, `null` or `{}`. An empty list does say something: none. */
function isBlank(block: ReadBlock): boolean {
  if (block.other !== null) return false;
  if (block.json === undefined) return (block.text ?? '').trim() === '';
  return block.json === null || (isRecord(block.json) && Object.keys(block.json).length === 0);
}

function describeOthers(read: readonly ReadBlock[]): string | null {
  const kinds = read.flatMap((block) =>
    block.other === null ? [] : [textOf(block.other.mimeType) ?? textOf(block.other.type) ?? 'unknown'],
  );
  if (kinds.length === 0) return null;
  const counts = [...new Set(kinds)].map((kind) => [kind, kinds.filter((other) => other === kind).length] as const);
  return counts.map(([kind, count]) => `${count} ${kind} block${count === 1 ? '' : 's'}`).join(', ');
}
