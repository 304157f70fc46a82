import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { failure, type Result, success } from '@latch/contracts';

/** An Ed25519 key that signs seals. */
export type SigningKey = {
  /** First 16 hex digits of the SHA-256 of the public key (SPKI, DER): it says which public key checks a seal. */
  readonly keyId: string;
  /** The public key, SPKI DER in base64: what `verifyStore` takes. */
  readonly publicKey: string;
  /** Signs a text. @returns the signature in base64. */
  sign(text: string): string;
};

/** Checks one text against one signature. */
export type SignatureCheck = (text: string, signature: string) => boolean;

/**
 * Reads `LATCH_SIGNING_KEY`: an Ed25519 private key, PKCS#8 DER in base64.
 *
 * @returns what is wrong with it, and how to make one; never the key itself.
 */
export function readSigningKey(pkcs8: string): Result<SigningKey, string> {
  try {
    const key = createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyType !== 'ed25519')
      return failure(`it is of the type ${key.asymmetricKeyType}. ${howToMakeOne}`);
    const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
    return success({
      keyId: keyIdOf(publicKey),
      publicKey: publicKey.toString('base64'),
      sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
    });
  } catch {
    return failure(`it cannot be read. ${howToMakeOne}`);
  }
}

const howToMakeOne =
  'It must be an Ed25519 private key, PKCS#8 in base64: openssl genpkey -algorithm ed25519 -outform DER | base64 -w0';

/**
 * Reads public keys of seals: SPKI DER in base64, or PEM.
 *
 * @returns a check per key id, or which of them cannot be read.
 */
export function readPublicKeys(texts: readonly string[]): Result<ReadonlyMap<string, SignatureCheck>, string> {
  const checks = new Map<string, SignatureCheck>();
  for (const [index, text] of texts.entries()) {
    const key = publicKeyOf(text);
    if (key?.asymmetricKeyType !== 'ed25519')
      return failure(`public key ${index + 1} is no Ed25519 key in base64 or PEM`);
    checks.set(keyIdOf(key.export({ format: 'der', type: 'spki' })), (signed, signature) =>
      verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64')),
    );
  }
  return success(checks);
}

function publicKeyOf(text: string): KeyObject | undefined {
  try {
    if (text.includes('-----BEGIN PUBLIC KEY-----')) return createPublicKey(text);
    return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

function keyIdOf(spki: Buffer): string {
  return createHash('sha256').update(spki).digest('hex').slice(0, 16);
}
