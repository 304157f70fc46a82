export { type SealsChecked } from './check-seals.ts';
export { evidencePage } from './evidence-page.ts';
export { eventEnvelopeOf } from './event-envelope-of.ts';
export { type BundleCheck, bundleChecks, type Finding } from './finding.ts';
export { type BundleSource, makeBundle } from './make-bundle.ts';
export { ownEvents } from './own-events.ts';
export { type BundleReads, readBundleSource } from './read-bundle-source.ts';
export { type BundleReport, verifyBundle } from './verify-bundle.ts';
