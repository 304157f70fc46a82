// Certificates for trying out and testing a secured Kafka or Postgres: an authority of one's own, and what it signs. Made with openssl; never for production.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes an authority in `folder`: `ca.pem` and `ca.key`.
 *
 * @returns its files, and `issue`, which makes certificates that it signs.
 */
export function makeAuthority(folder, name = 'Latch test authority') {
  mkdirSync(folder, { recursive: true });
  const authority = { certFile: path.join(folder, 'ca.pem'), keyFile: path.join(folder, 'ca.key') };
  openssl([...newKey(authority.keyFile), '-x509', '-days', '2', '-subj', `/CN=${name}`, '-out', authority.certFile]);
  return { ...authority, issue: (options) => issue(folder, authority, options) };
}

/**
 * Makes `<file>.pem` and `<file>.key` (PKCS#8), and `<file>.both.pem` with the two, as a broker takes it.
 *
 * @param subject as openssl writes it: `/O=Latch/CN=orchestrator`.
 * @param names the hosts and addresses that the certificate is for, such as `IP:127.0.0.1` or `DNS:localhost`; none: it is a client's.
 */
function issue(folder, authority, { file, subject, names = [] }) {
  const [certFile, keyFile, bothFile] = ['pem', 'key', 'both.pem'].map((end) => path.join(folder, `${file}.${end}`));
  const signedBy = ['-x509', '-CA', authority.certFile, '-CAkey', authority.keyFile, '-days', '1'];
  const usage = ['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', 'extendedKeyUsage=serverAuth,clientAuth'];
  const alternatives = names.length > 0 ? ['-addext', `subjectAltName=${names.join(',')}`] : [];
  openssl([...newKey(keyFile), ...signedBy, '-subj', subject, ...usage, ...alternatives, '-out', certFile]);
  writeFileSync(bothFile, readFileSync(keyFile, 'utf8') + readFileSync(certFile, 'utf8'), { mode: 0o600 });
  return { certFile, keyFile, bothFile };
}

function newKey(keyFile) {
  return ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-keyout', keyFile];
}

function openssl(args) {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
