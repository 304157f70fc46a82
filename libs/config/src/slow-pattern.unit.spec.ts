import { describe, expect, it } from '@jest/globals';
import { problemsWith } from './config-folder.features.ts';
import { isSlowPattern } from './slow-pattern.ts';

describe('a pattern that may take for ever', () => {
  it.each([
    '^(a+)+$',
    '(a*)*b',
    '([a-z]+)*$',
    '^(\\d+)*x$',
    '(?:[A-Z]{1,20})+!',
    '^(a|aa)+$',
    '^(a|a)*$',
    '^((ab)*)*$',
    '(?<word>\\w+\\s?)*$',
    '^(.*,)*x$',
    '^([0-9]+-?)+$',
    '(x+x+)+y',
  ])('is found in %p', (pattern) => {
    expect(isSlowPattern(pattern)).toBe(true);
  });

  it.each([
    '^PED-[0-9]{4,}$',
    '^[0-9]{5}-?[0-9]{3}$',
    '^[A-Z]+(-[0-9]+)*$',
    '^([a-z]+,)*[a-z]+$',
    '^(PED|NF)-[0-9]+$',
    '^(?:PED|NF)+$',
    '^([A-Z]{2}[0-9]{3})+$',
    '^(\\d{1,3}\\.){3}\\d{1,3}$',
    '^[^@\\s]+@[^@\\s]+$',
    '^\\p{L}+$',
    '[(+*]+',
  ])('is not found in %p', (pattern) => {
    expect(isSlowPattern(pattern)).toBe(false);
  });

  it('is refused by the configuration, with a way out', async () => {
    const tools =
      "tools:\n  cancelar:\n    mcp_server: contas\n    tool_type: action\n    args_schema:\n      subject: { type: string, pattern: '^(a+)+$' }\n";
    expect(await problemsWith({ 'tools.yaml': tools })).toEqual([
      'tools.yaml:6:41 error tools.cancelar.args_schema.subject.pattern repeats something that repeats itself, so that one answer could keep a service busy for hours. Write each part only once, such as ^[a-z]+$ for ^([a-z]+)+$, or put a separator between the rounds, such as ^([a-z]+,)*$.',
    ]);
  });
});
