import { randomInt } from 'node:crypto';

/** Somebody whom no other spec knows: wherever one of these values is found in the clear, it came from this person. */
export type MadeUpPerson = {
  readonly cpf: string;
  readonly cnpj: string;
  readonly card: string;
  readonly phone: string;
  readonly email: string;
  readonly token: string;
  /** The mask knows no names, so only sealing hides it. */
  readonly nickname: string;
  /** The id under which the person is known: an e-mail address, as many channels have it. */
  readonly userId: string;
  /** Of the business context. */
  readonly customerKey: string;
};

/** Makes up a person with valid check digits, other ones at each run. */
export function madeUpPerson(): MadeUpPerson {
  const letters = Array.from({ length: 12 }, () => 'bcdfghjklmnpqrstvwxz'[randomInt(20)]).join('');
  const cpf = withCheckDigits(`4${digits(8)}`, 11);
  const cnpj = withCheckDigits(`12ABC${digits(3)}01DE`, 9);
  return {
    cpf: cpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4'),
    cnpj: cnpj.replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5'),
    card: withLuhnDigit(`4${digits(14)}`).replace(/(....)(....)(....)(....)/, '$1 $2 $3 $4'),
    phone: `(11) 9${digits(4)}-${digits(4)}`,
    email: `contato.${letters}@example.org`,
    token: `Bearer ${letters}.${digits(12)}`,
    nickname: `Zé ${letters}`,
    userId: `ana.${letters}@example.com`,
    customerKey: `119${digits(8)}`,
  };
}

/** The same values as somebody would write them without their dots and spaces, too. */
export function spellingsOf(value: string): readonly string[] {
  return /^\D*\d[\d .()/-]*$/.test(value) ? [value, value.replaceAll(/\D/g, '')] : [value];
}

function digits(count: number): string {
  return Array.from({ length: count }, () => String(randomInt(10))).join('');
}

/** Modulo 11, a letter counting as its code minus 48; the weights begin anew after the greatest one. */
function withCheckDigits(body: string, greatest: number): string {
  const digit = (text: string): string => {
    const weights = [...text].map((_, index) => 2 + ((text.length - 1 - index) % (greatest - 1)));
    const sum = [...text].reduce((total, letter, at) => total + (letter.charCodeAt(0) - 48) * (weights[at] ?? 0), 0);
    return String(sum % 11 < 2 ? 0 : 11 - (sum % 11));
  };
  const first = body + digit(body);
  return first + digit(first);
}

function withLuhnDigit(body: string): string {
  const sum = [...body].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}
