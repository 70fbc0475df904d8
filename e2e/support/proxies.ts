import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { debianTool } from '@/scripts/setup/debian-tool.mjs'
import { inRoot } from '@/scripts/setup/paths.mjs'
import { basePath } from './addresses'

/** The name in the configurations that the repository ships. */
export const proxyName = 'chat.example.com'

export interface Proxy {
  readonly port: number
  /** The file with the certificate's issuer; Caddy writes it when it starts. */
  readonly authority: string
  /** Its log output. */
  readonly log: () => string
  stop(): Promise<void>
}

export interface ProxyOptions {
  readonly port: number
  /** The proxy's second port: it redirects HTTP to HTTPS. */
  readonly plainPort: number
  readonly nodes: readonly number[]
  /** A folder for its own files. */
  readonly folder: string
}

export const proxies = { nginx: startNginx, caddy: startCaddy }

/** nginx with `deploy/nginx.conf`; only ports and certificate files are changed. */
function startNginx({ port, plainPort, nodes, folder }: ProxyOptions): Proxy {
  mkdirSync(folder, { recursive: true })
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')]
  const subject = ['-subj', `/CN=${proxyName}`, '-addext', `subjectAltName=DNS:${proxyName}`]
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...made, ...subject, '-keyout', key, '-out', certificate], { stdio: 'pipe' })
  const shipped = readFileSync(inRoot('deploy/nginx.conf'), 'utf8')
  const site = replaced(shipped, [
    ['127.0.0.1:3000', `127.0.0.1:${nodes[0]}`],
    ['#server 127.0.0.1:3001', `server 127.0.0.1:${nodes[1]}`],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['/etc/ssl/chat.example.com/fullchain.pem', certificate],
    ['/etc/ssl/chat.example.com/privkey.pem', key],
  ])
  writeFileSync(path.join(folder, 'nod.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${path.join(folder, name)};`,
  )
  const main = [
    'daemon off;',
    'error_log stderr;',
    `pid ${path.join(folder, 'nginx.pid')};`,
    // Debian's own line names a user that this machine may not have.
    ...(process.getuid?.() === 0 ? ['user root root;'] : []),
    'events { worker_connections 1024; }',
    `http { access_log off; ${temporary.join(' ')} include ${path.join(folder, 'nod.conf')}; }`,
  ]
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(file, main.join('\n'))
  const tool = debianTool('nginx')
  return started(tool.file, ['-e', 'stderr', '-p', folder, '-c', file], tool.env, { port, authority: certificate })
}

/**
 * Caddy with `deploy/Caddyfile` and its variables; it signs its certificate itself, because no public authority knows
 * us.
 */
function startCaddy({ port, nodes, folder }: ProxyOptions): Proxy {
  mkdirSync(folder, { recursive: true })
  const shipped = readFileSync(inRoot('deploy/Caddyfile'), 'utf8')
  writeFileSync(path.join(folder, 'site'), replaced(shipped, [['/api/ready', `${basePath}/api/ready`]]))
  const options = ['admin off', 'local_certs', 'skip_install_trust', 'auto_https disable_redirects']
  const file = path.join(folder, 'Caddyfile')
  writeFileSync(file, `{\n\t${options.join('\n\t')}\n}\nimport ${path.join(folder, 'site')}\n`)
  const tool = debianTool('caddy')
  const env = {
    ...tool.env,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    NOD_DOMAIN: `${proxyName}:${port}`,
    NOD_NODES: nodes.map((node) => `127.0.0.1:${node}`).join(' '),
  }
  const authority = path.join(folder, 'caddy/pki/authorities/local/root.crt')
  return started(tool.file, ['run', '--adapter', 'caddyfile', '--config', file], env, { port, authority })
}

/** Each must be found; otherwise the shipped file has changed, and the test would use another one. */
function replaced(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`the proxy’s file has no “${from}”`)
    text = text.replaceAll(from, to)
  }
  return text
}

function started(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  known: Pick<Proxy, 'port' | 'authority'>,
): Proxy {
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-100_000)))
  const withProcess = () => child.kill('SIGTERM')
  process.once('exit', withProcess)
  return {
    ...known,
    log: () => said,
    stop: async () => {
      process.removeListener('exit', withProcess)
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await exited
    },
  }
}
