import path from 'node:path';

// ESM jest: Nest 12 ships as ES modules only. Specs read the sources of our libs (condition `@latch/source`), so no build is needed first.
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  setupFilesAfterEnv: [path.join(import.meta.dirname, 'jest.seed.mjs')],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  transformIgnorePatterns: ['/node_modules/'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  testEnvironmentOptions: { customExportConditions: ['@latch/source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};
