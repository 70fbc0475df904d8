import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** A user's own model server on their machine: refuses pages until it is told to accept them. */
export interface OwnServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly address: string
  letsPagesIn: boolean
  /** Its requests, oldest first. */
  readonly asked: { readonly authorization: string | undefined; readonly last: string }[]
  /** Replies that nobody read to the end. */
  left: number
  close(): Promise<void>
}

const callOf = `I write it.\n\n\`\`\`json\n${JSON.stringify({ tool_calls: [{ id: 'c1', name: 'write_file', arguments: { path: '/own.md', content: 'mine' } }] })}\n\`\`\`\n`

export async function startOwnServer(): Promise<OwnServer> {
  const own = { address: '', letsPagesIn: false, asked: [] as OwnServer['asked'], left: 0 }

  async function reply(body: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] }
    const last = messages.at(-1)?.content ?? ''
    own.asked.push({ authorization: request.headers.authorization, last })
    const words = last.includes('write it')
      ? callOf.split(/(?<= )/)
      : last.includes('count')
        ? numbers()
        : ['It ', 'is ', 'done.']
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const say = (delta: object, finish: string | null = null) =>
      response.write(`data: ${JSON.stringify({ id: 'r', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)
    let gone = false
    response.on('close', () => {
      gone = !response.writableEnded
      if (gone) own.left += 1
    })
    for (const word of words) {
      if (gone) return
      say({ content: word })
      if (words.length > 100) await setTimeout(100)
    }
    say({}, 'stop')
    response.end('data: [DONE]\n\n')
  }

  const server = createServer((request, response) => {
    if (own.letsPagesIn) {
      response.setHeader('access-control-allow-origin', request.headers.origin ?? '*')
      response.setHeader('access-control-allow-headers', 'authorization, content-type, user-agent')
    }
    if (request.method === 'OPTIONS') return void response.writeHead(own.letsPagesIn ? 204 : 403).end()
    if (request.url === '/v1/models') {
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data: [{ id: 'own-model', max_model_len: 32_768 }] }))
    }
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (body === '{}') return void response.writeHead(400).end('{}')
      void reply(body, request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  own.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return Object.assign(own, {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

const numbers = () => Array.from({ length: 600 }, (_, at) => `${at} `)
