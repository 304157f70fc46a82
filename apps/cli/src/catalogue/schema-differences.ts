import { type CatalogueTool } from '@latch/event-store';

type Schemas = Pick<CatalogueTool, 'inputSchema' | 'acceptedInputSchema' | 'outputSchema' | 'acceptedOutputSchema'>;

/** What differs between the accepted schemas of a tool and those that its server has now, one line each, outermost members only. */
export function schemaDifferences(tool: Schemas): readonly string[] {
  return [
    ...differences('input', tool.acceptedInputSchema, tool.inputSchema),
    ...differences('output', tool.acceptedOutputSchema, tool.outputSchema),
  ];
}

function differences(side: string, before: unknown, after: unknown): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, now] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return names.flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)];
    if (was === is) return [];
    if (was === undefined) return `${side} + ${name}: ${is ?? ''}`;
    return is === undefined ? `${side} - ${name}: ${was}` : `${side} ~ ${name}: ${was} -> ${is}`;
  });
}

const maxText = 200;

/** The properties by name, and every other keyword in brackets. */
function membersOf(schema: unknown): ReadonlyMap<string, string> {
  if (typeof schema !== 'object' || schema === null) return new Map();
  const { properties, ...keywords } = { properties: undefined, ...schema };
  return new Map([
    ...Object.entries(properties ?? {}).map(([name, value]) => [name, textOf(value)] as const),
    ...Object.entries(keywords).map(([name, value]) => [`(${name})`, textOf(value)] as const),
  ]);
}

function textOf(value: unknown): string {
  return (JSON.stringify(value) ?? 'none').slice(0, maxText);
}
