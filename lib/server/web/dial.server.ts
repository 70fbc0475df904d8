import { Resolver, lookup } from 'node:dns/promises'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Dial, FetchPorts } from './fetch-page.server'

/** Queries name servers directly: `getaddrinfo` would block threads of the process while a name server is slow. */
const resolver = new Resolver({ timeout: 2_000, tries: 2 })

async function resolveAll(host: string, isLocal: boolean): Promise<readonly string[]> {
  // Names from this machine's hosts file count only for hosts that the operator listed.
  if (isLocal) return (await lookup(host, { all: true })).map(({ address }) => address)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** Resolves when the connection is established, with TLS if required. */
function dial({ address, port, tls, signal }: Dial): Promise<Socket> {
  if (isIP(address) === 0) throw new Error('not an address')
  return new Promise((resolve, reject) => {
    const to = { host: address, port }
    const socket =
      tls === null
        ? connectPlain(to)
        : // For an IP address there is no server name to send.
          connectTls({
            ...to,
            ...(isIP(tls) === 0 && { servername: tls }),
            ALPNProtocols: ['http/1.1'],
            rejectUnauthorized: true,
          })
    const stop = () => socket.destroy(new Error('aborted'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    socket.once(tls === null ? 'connect' : 'secureConnect', () => {
      signal.removeEventListener('abort', stop)
      socket.off('error', reject)
      // The code that takes over the socket handles its errors; until then they must not end the process.
      socket.on('error', () => {})
      resolve(socket)
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('closed')))
  })
}

/** The real network for reading pages. */
export const networkPorts: FetchPorts = { resolve: resolveAll, dial }
