export { understand, type Utterance, longestUtterance } from './understand.ts';
