import { availableParallelism } from 'node:os'
import { readBind } from '@/lib/http/bind'
import { NOBODY, readProxyTrust, THIS_MACHINE, type ProxyTrust } from '@/lib/http/forwarded'
import { serveError } from '@/lib/words/serve'

type Env = Readonly<Record<string, string | undefined>>

export interface ServeSettings {
  readonly host: string
  readonly port: number
  readonly workers: number
  readonly trust: ProxyTrust
}

const MAX_WORKERS = 256

/** How the server is reached, and by how many processes. Throws AppError `bad-request` with a sentence for who set it. */
export function readServeSettings(env: Env, cores: () => number = availableParallelism): ServeSettings {
  return {
    host: readBind(env).host,
    port: numberOf(env['PORT'] || '3000', 65_535, (value) => serveError('bad-request', 'serve.port', { value })),
    workers:
      env['NOD_WORKERS'] === 'auto'
        ? Math.min(cores(), MAX_WORKERS)
        : numberOf(env['NOD_WORKERS'] || '1', MAX_WORKERS, (value) =>
            serveError('bad-request', 'serve.workers', { value }),
          ),
    trust: trustOf(env),
  }
}

function numberOf(text: string, most: number, refuse: (value: string) => Error): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > most) throw refuse(text)
  return value
}

/**
 * Who listens on this machine alone and is asked by other names has a proxy beside it: nobody else can reach the port, so its
 * word is taken without being asked for. Whatever else believes a proxy says so in `NOD_TRUST_PROXY`.
 */
function trustOf(env: Env): ProxyTrust {
  const said = readProxyTrust(env['NOD_TRUST_PROXY'])
  if (!said.ok) throw serveError('bad-request', 'serve.proxy', said.error)
  if (env['NOD_TRUST_PROXY']) return said.value
  const { isLoopback, allowedHosts } = readBind(env)
  return isLoopback && allowedHosts.length > 0 ? THIS_MACHINE : NOBODY
}
