import { type ParameterConfig, type ToolConfig } from '@latch/contracts';

/** The parameter that a tool declares by this name, never one that an object inherits (`constructor`). */
export function parameterOf(tool: ToolConfig, name: string | undefined): ParameterConfig | undefined {
  return name !== undefined && Object.hasOwn(tool.parameters, name) ? tool.parameters[name] : undefined;
}
