import { createServer, type RequestListener } from 'node:http'
import { connect, createServer as createPlainServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { fetchPage, type Dial, type FetchPorts, type FetchRequest } from '../fetch-page.server'
import { createReach, type ReachSettings } from '../reach'
import { readWebAddress } from '@/lib/shared/web/web-address'
import type { WebAnswer } from '@/lib/shared/web/web-answer'

/** Addresses of the public internet. Every other address leads to a server that must not be reached. */
const publicAddresses = new Set(['93.184.215.14', '93.184.215.15', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])

/** The answers of name servers: one list per lookup, the last one repeats. */
const zone: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'good.test': [['93.184.215.14']],
  'other.test': [['93.184.215.15']],
  'six.test': [['2606:2800:21f:cb07:6820:80da:af6b:8b2c']],
  'evil.test': [['127.0.0.1']],
  'both.test': [['93.184.215.14', '127.0.0.1']],
  'last.test': [['93.184.215.14', '93.184.215.15', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '10.0.0.1']],
  'v6.test': [['::1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'mapped-public.test': [['::ffff:93.184.215.14']],
  'meta.test': [['169.254.169.254']],
  'azure.test': [['168.63.129.16']],
  'aws6.test': [['fd00:ec2::254']],
  'alibaba.test': [['100.100.100.200']],
  'nat64.test': [['64:ff9b::7f00:1']],
  'nat64-local.test': [['64:ff9b:1::7f00:1']],
  'sixtofour.test': [['2002:7f00:1::']],
  'teredo.test': [['2001:0:5ef5:79fd::1']],
  'cgnat.test': [['100.64.0.1']],
  'zone.test': [['fe80::1%lo']],
  'words.test': [['localhost']],
  'nothing.test': [[]],
  'rebind.test': [['93.184.215.14'], ['127.0.0.1']],
  'self.test': [['93.184.215.99']],
  'wiki.corp': [['10.1.2.3']],
  'wiki-meta.corp': [['169.254.169.254']],
  'evil.com': [['93.184.215.15']],
}

export interface WebWorld {
  /** Connections to servers that must not be reached. */
  readonly hits: () => number
  readonly dialed: readonly string[]
  readonly lookedUp: readonly string[]
  /** Path and headers of the requests to the public server. */
  readonly asked: readonly { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[]
  readonly ports: FetchPorts
  /** Reads like the card and the server: an invalid address is not fetched. */
  read(
    url: string,
    reach?: Partial<Pick<ReachSettings, 'mode' | 'hosts'>>,
    more?: Partial<Pick<FetchRequest, 'limits' | 'signal'>>,
  ): Promise<WebAnswer>
  reset(): void
  close(): Promise<void>
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))

/** Real servers and sockets; only the addresses are made up. `answer`: the public server. */
export async function openWebWorld(answer: RequestListener): Promise<WebWorld> {
  let hits = 0
  const [dialed, lookedUp]: [string[], string[]] = [[], []]
  const asked: { path: string; headers: Record<string, unknown> }[] = []
  const counts = new Map<string, number>()
  const sockets = new Set<Socket>()
  const hold = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const forbidden = createPlainServer((socket) => {
    hits += 1
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\nSECRET')
  })
  const open = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers })
    answer(request, response)
  })
  open.on('connection', hold)
  forbidden.on('connection', hold)
  await Promise.all([listening(forbidden), listening(open)])

  const dial = ({ address, port, signal }: Dial): Promise<Socket> => {
    dialed.push(`${address} ${port}`)
    const to = publicAddresses.has(address) ? open : forbidden
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: portOf(to) })
      signal.addEventListener('abort', () => socket.destroy(new Error('aborted')), { once: true })
      hold(socket)
      socket.once('connect', () => resolve(socket))
      socket.once('error', reject)
    })
  }
  const resolve = (host: string): Promise<readonly string[]> => {
    const count = counts.get(host) ?? 0
    counts.set(host, count + 1)
    lookedUp.push(host)
    const answers = zone[host]
    return answers === undefined
      ? Promise.reject(new Error('ENOTFOUND'))
      : Promise.resolve(answers[Math.min(count, answers.length - 1)] ?? [])
  }
  const ports: FetchPorts = { resolve, dial }

  return {
    hits: () => hits,
    dialed,
    lookedUp,
    asked,
    ports,
    read(url, { mode = 'public', hosts = [] } = {}, { limits, signal = new AbortController().signal } = {}) {
      const reach = createReach({
        mode,
        hosts,
        own: { names: new Set(['chat.example.com']), addresses: () => new Set(['93.184.215.99']), port: 3000 },
      })
      const address = readWebAddress(url)
      if (!address.ok) return Promise.resolve({ kind: 'failed', why: address.error, host: '' })
      return fetchPage({ url: address.value, reach, signal, ...(limits && { limits }) }, ports)
    },
    reset() {
      hits = 0
      for (const list of [dialed, lookedUp, asked]) list.length = 0
      counts.clear()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all([forbidden, open].map((server) => new Promise((done) => void server.close(done))))
    },
  }
}
