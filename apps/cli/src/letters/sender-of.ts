import { userInfo } from 'node:os';
import { DeadLetterRedrive } from '@latch/contracts';

/**
 * Who sends letters again, as their marks will name him: as `--by` says, or else the user of this machine.
 *
 * @throws Error in a sentence when it is no name that a mark takes, or the machine has no name for its user (a container whose uid has no passwd entry).
 */
export function senderOf(by: string | undefined, nameOfUser = (): string => userInfo().username): string {
  const name = DeadLetterRedrive.shape.by.safeParse((by ?? userOfMachine(nameOfUser)).trim());
  if (name.success) return name.data;
  throw new Error('--by must be a name of 1 to 100 characters');
}

function userOfMachine(nameOfUser: () => string): string {
  try {
    return nameOfUser();
  } catch (error) {
    throw new Error('this machine has no name for its user: say with --by who sends the letters', { cause: error });
  }
}
