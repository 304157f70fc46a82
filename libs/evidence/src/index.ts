export { eventEnvelopeOf } from './event-envelope-of.ts';
export { evidencePage } from './evidence-page.ts';
export { bundleChecks } from './finding.ts';
export { makeBundle } from './make-bundle.ts';
export { type BundleReads, readBundleSource } from './read-bundle-source.ts';
export { type BundleReport, verifyBundle } from './verify-bundle.ts';
