import { type ToolConfig } from '@latch/contracts';
import { isRemark, type ParameterShape, shapeOf } from './parameter-shape.ts';

const unmistakable: ReadonlySet<ParameterShape> = new Set(['enum', 'money', 'date', 'pattern', 'day_part']);

/**
 * The parameters that people give without being asked, and that can be told without a question: typed ones, required identifiers, and reasons. Those in `known` are
 * left out.
 */
export function volunteered(tool: ToolConfig, known: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(tool.parameters)
    .filter((parameter) => !Object.hasOwn(known, parameter.name))
    .filter((parameter) => {
      const shape = shapeOf(parameter);
      return (
        unmistakable.has(shape) || isRemark(parameter) || (shape === 'code' && tool.requires.includes(parameter.name))
      );
    })
    .map((parameter) => parameter.name);
}
