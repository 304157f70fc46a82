import { type ToolConfig } from '@latch/contracts';
import { type Expectation } from '@latch/transaction';
import { type Topic } from './answer-parts.ts';
import { stemsOf } from './extract-text.ts';
import { type Language } from './language.ts';

const noTopic: Topic = { stems: new Set(), isCancellation: true, itemCount: 0 };
const operations = new WeakMap<Language, WeakMap<ToolConfig, Topic>>();

/**
 * The words of what is open: the operation's own as the user saw them, and at a confirmation those of its items and values too. The tool's description is none of
 * them: the user never saw it.
 */
export function topicOf(expectation: Expectation, language: Language): Topic {
  switch (expectation.kind) {
    case 'nothing':
      return noTopic;
    case 'parameters':
    case 'busy':
      return operationOf(expectation.tool, language);
    case 'confirmation':
      return proposalTopic(expectation, language);
    default:
      return expectation satisfies never;
  }
}

/** The words of an operation itself: its name, and how it and its parameters are called. */
export function operationStems(tool: ToolConfig, language: Language): ReadonlySet<string> {
  return operationOf(tool, language).stems;
}

function operationOf(tool: ToolConfig, language: Language): Topic {
  const topics = operations.get(language) ?? new WeakMap<ToolConfig, Topic>();
  operations.set(language, topics);
  const topic = topics.get(tool) ?? buildOperation(tool, language);
  topics.set(tool, topic);
  return topic;
}

function buildOperation(tool: ToolConfig, language: Language): Topic {
  const labels = Object.values(tool.parameters).map((parameter) => parameter.label);
  const named = stemsOf([tool.name, tool.label], language);
  const stems = new Set([...named, ...stemsOf(labels, language)]);
  return { stems, isCancellation: [...named].some((stem) => stem.startsWith('cancel')), itemCount: 0 };
}

function proposalTopic(expectation: Extract<Expectation, { kind: 'confirmation' }>, language: Language): Topic {
  const { stems, isCancellation } = operationOf(expectation.tool, language);
  const items = expectation.items.flatMap((item) => [item.label, item.id]);
  const values = Object.values(expectation.collected).flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
  const own = stemsOf([...items, ...values], language);
  return { stems: new Set([...stems, ...own]), isCancellation, itemCount: expectation.items.length };
}
