import { type WorkflowPlace } from './check-workflows.ts';
import { type ConfigProblem } from './config-problem.ts';
import { suggestName } from './nearest-name.ts';
import { toWiring, type Wiring, wiringsIn } from './wiring.ts';
import { type StepEntry } from './workflows-file.ts';
import { type YamlPath } from './yaml-file.ts';

/** Checks every wired text of a step: it leads to an argument of the tool, to a step that has run by then, or to the entry of a fan-out. */
export function checkStepWiring(place: WorkflowPlace, step: StepEntry): ConfigProblem[] {
  const { file } = place;
  const says = (path: YamlPath, wiring: Wiring): ConfigProblem[] => {
    const problem = problemOf(place, step, wiring);
    return problem === null ? [] : [file.problem(path, problem)];
  };
  const list = step.forEach === null ? [] : says([...step.path, 'for_each'], toWiring(step.forEach));
  const overItself =
    step.forEach !== null && toWiring(step.forEach).root === 'item'
      ? [
          file.problem(
            [...step.path, 'for_each'],
            '$.item is one entry of the list that for_each names. Name the list.',
          ),
        ]
      : list;
  const args = Object.entries(step.arguments).flatMap(([name, value]) =>
    wiringsIn(value).flatMap((wiring) => says([...step.path, step.argumentsKey, name], wiring)),
  );
  return [...overItself, ...args];
}

const roots = ['arguments', 'steps', 'item'];

function problemOf(place: WorkflowPlace, step: StepEntry, { text, root, steps }: Wiring): string | null {
  const [name = ''] = steps;
  switch (root) {
    case 'arguments':
      return argumentProblem(place, text, name);
    case 'steps':
      return stepProblem(place, step, { text, name });
    case 'item':
      return step.forEach === null
        ? `${text} has a value only in a step with for_each. Add it, or name an argument.`
        : null;
    default:
      return `${text} leads nowhere.${suggestName(root, roots)} Paths begin with $.arguments, $.steps or $.item; write $$. for a text that begins so.`;
  }
}

/** `items` is what a validator makes of an argument that stands for several (seeds/000 section 3), declared or not. */
function argumentProblem({ runs }: WorkflowPlace, text: string, name: string): string | null {
  if (name === '') return `${text} names no argument. Write $.arguments.<name>.`;
  if (runs === undefined || name === 'items') return null;
  const declared = Object.keys(runs.parameters);
  if (declared.includes(name)) return null;
  return `${text} leads nowhere: "${name}" is not in the args_schema of ${runs.name}.${suggestName(name, declared)}`;
}

function stepProblem(
  { workflow }: WorkflowPlace,
  step: StepEntry,
  { text, name }: { readonly text: string; readonly name: string },
): string | null {
  const ids = workflow.steps.map(({ id }) => id);
  const known = ids.slice(0, workflow.steps.indexOf(step));
  if (known.includes(name)) return null;
  if (!ids.includes(name)) return `${text} leads nowhere: there is no step "${name}".${suggestName(name, ids)}`;
  return name === step.id
    ? `${text} goes in a circle: the step needs its own output.`
    : `${text} goes in a circle: the step "${name}" runs later. Name a step before this one, or change the order.`;
}
