import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { processorMs } from '@latch/testing';
import { mask } from './mask.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('masking a text', () => {
  it.each([
    ['a CPF with dots', 'meu CPF é 529.982.247-25.', 'meu CPF é [cpf].'],
    ['a CPF with dots and wrong check digits', '111.222.333-44', '[cpf]'],
    ['a bare CPF', 'cpf 52998224725', 'cpf [cpf]'],
    ['a CPF with spaces', '529 982 247 25', '[cpf]'],
    ['a CPF glued to a letter', 'CPF52998224725x', 'CPF[cpf]x'],
    ['a CPF between other numbers', 'item 12 52998224725 3', 'item 12 [cpf] 3'],
    ['a numeric CNPJ', '11.222.333/0001-81', '[cnpj]'],
    ['a bare numeric CNPJ', 'cnpj=11222333000181', 'cnpj=[cnpj]'],
    ['an alphanumeric CNPJ', 'CNPJ 12.ABC.345/01DE-35', 'CNPJ [cnpj]'],
    ['a bare alphanumeric CNPJ', '12ABC34501DE35', '[cnpj]'],
    ['a bare alphanumeric CNPJ in lower case', '12abc34501de35', '[cnpj]'],
    ['a card in groups', 'cartão 4111 1111 1111 1111', 'cartão [card]'],
    ['a bare card', '5555555555554444', '[card]'],
    ['an Amex card', '3782-822463-10005', '[card]'],
    ['a card after another number', '10 4111111111111111', '10 [card]'],
    ['a card of 19 digits', '6304000000000000000', '[card]'],
    ['a mobile phone', 'ligue (11) 98765-4321', 'ligue [phone]'],
    ['a bare mobile phone', '11987654321', '[phone]'],
    ['a landline', '11 3456-7890', '[phone]'],
    ['a phone with country code', '+55 (11) 98765-4321', '[phone]'],
    ['a WhatsApp id', '5511987654321@c', '[phone]@c'],
    ['a foreign phone', 'call +1 415 555 2671 now', 'call [phone] now'],
    ['an e-mail', 'de ana.silva+x@tim.com.br para', 'de [email] para'],
    ['an e-mail in other letters', 'joão@exemplo.com.br', '[email]'],
    ['a bearer token', 'Authorization: Bearer abc.def-123', 'Authorization: Bearer [secret]'],
    ['a bare bearer token', 'sent bearer 0123abcd', 'sent bearer [secret]'],
    ['basic credentials', 'authorization=Basic dXNlcjpwYXNz', 'authorization=Basic [secret]'],
    ['a JWT', 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln end', 'got [secret] end'],
    ['an API key', 'key sk-abcdefghijklmnop1234', 'key [secret]'],
    ['a password in JSON text', '{"password":"hunter2","a":1}', '{"password":"[secret]","a":1}'],
    ['a password in escaped JSON text', '{\\"senha\\":\\"hunter2\\"}', '{\\"senha\\":\\"[secret]\\"}'],
    ['a token in a query', '/x?access_token=abcd1234&y=1', '/x?access_token=[secret]&y=1'],
    ['a password in a URL', 'postgres://app:hunter2@db:5432/x', 'postgres://app:[secret]@db:5432/x'],
  ])('replaces %s', (_, text, masked) => {
    expect(mask(text)).toBe(masked);
  });

  it.each([
    ['an order', 'o pedido é o PED-1001'],
    ['an amount', 'R$ 1.234,56 e 71.99'],
    ['a UUID', '0190163d-8694-739b-aea5-966c26f8ad91'],
    ['a UUID with many digits', '52998224-7255-4111-8111-111111111111'],
    ['a trace id', traceId],
    ['a digest', 'a'.repeat(8) + '52998224725'.repeat(5) + 'f'],
    ['a traceparent', `00-${traceId}-00f067aa0ba902b7-01`],
    ['an instant', '2026-06-19T12:00:00.123Z'],
    ['a date with a time', '2026-11-30 13:33:12'],
    ['an address', 'http://127.0.0.1:9000/v1/turns, 192.168.100.20'],
    ['a conversation', 'default:telecom_contas:s-1'],
    ['epoch milliseconds', '1751234567890'],
    ['a count of tokens', 'token count: 12'],
    ['an offset', 'partition 3 offset 1234567'],
  ])('leaves %s alone', (_, text) => {
    expect(mask(text)).toBe(text);
  });

  it('finds every CPF, wherever it stands', () => {
    fc.assert(
      fc.property(cpf(), fc.stringMatching(/^[a-zç ,;:!]{0,20}$/), fc.nat(999), (number, around, count) => {
        expect(mask(`${around}${count} ${number} ${around}`)).not.toContain(number);
      }),
    );
  });

  it('finds every card, however it is grouped', () => {
    fc.assert(
      fc.property(card(), fc.constantFrom('', ' ', '-', '.'), (digits, separator) => {
        const written = digits.replaceAll(/(\d{4})(?=\d)/g, `$1${separator}`);
        expect(mask(`cartão ${written}, ok`)).toBe('cartão [card], ok');
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(cpf(), card(), fc.string(), fc.emailAddress())), (parts) => {
        const once = mask(parts.join(' '));
        expect(mask(once)).toBe(once);
      }),
    );
  });

  it.each([
    ['digits', '1'],
    ['single digits', '1 '],
    ['letters', 'a'],
    ['dots', '1.'],
    ['JWT beginnings', 'eyJ'],
    ['e-mail beginnings', 'a@'],
    ['dotted domains', 'a@b.'],
    ['URL beginnings', '://a:'],
    ['spaces', ' '],
    ['parentheses', '('],
    ['secret names', 'token'],
    ['secret names with equals', 'token= '],
    ['hexadecimal', 'a1-'],
    ['plus signs', '+1'],
  ])('takes linear time on a megabyte of %s', (_, piece) => {
    const small = processorMs(() => mask(piece.repeat(Math.ceil(250_000 / piece.length))));
    const large = processorMs(() => mask(piece.repeat(Math.ceil(1_000_000 / piece.length))));
    // Four times the text: four times the work if it is linear, sixteen times if it is quadratic.
    expect(large).toBeLessThan(Math.max(small, 5) * 9);
  });
});

function cpf(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min: 100_000_000, max: 999_999_998 }), fc.constantFrom('', '.'))
    .filter(([body]) => !/^(\d)\1+$/.test(String(body)))
    .map(([body, dot]) => {
      const first = cpfDigit(String(body));
      const digits = `${body}${first}${cpfDigit(`${body}${first}`)}`;
      return dot ? digits.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4') : digits;
    });
}

function cpfDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (digits.length + 1 - index), 0);
  return ((sum * 10) % 11) % 10;
}

function card(): fc.Arbitrary<string> {
  return fc.stringMatching(/^4\d{14}$/).map((body) => {
    const last = Array.from({ length: 10 }, (_, digit) => `${body}${digit}`).find(luhn);
    return last ?? body;
  });
}

function luhn(digits: string): boolean {
  const doubled = [...digits].map((digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1));
  return doubled.reduce((sum, value) => sum + Math.floor(value / 10) + (value % 10), 0) % 10 === 0;
}
