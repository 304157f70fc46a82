export { messageExamples } from './message-examples.ts';
export { understand } from './understand.ts';
