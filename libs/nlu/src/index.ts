export { type MessageExample, messageExamples } from './message-examples.ts';
export { understand, type Utterance, longestUtterance } from './understand.ts';
