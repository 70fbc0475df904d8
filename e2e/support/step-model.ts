import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A reply whose text the test sends when it wants. */
export interface HeldReply {
  say(text: string): void
  finish(): void
  /** The client has disconnected before its end. */
  isLost(): boolean
}

export interface StepModel {
  /** `http://127.0.0.1:PORT/v1`. */
  readonly url: string
  /** The reply to the message that contains `held:NAME`, once it was requested. */
  held(name: string): Promise<HeldReply>
  close(): Promise<void>
}

/** The answer to every other message: its words come one by one, so that a restart falls into them. */
export const spokenWords = Array.from({ length: 20 }, (_, at) => `word-${at} `)
const WORD_MS = 100

/** An OpenAI chat API: replies that a test controls, and replies that take 2 s. */
export async function startStepModel(): Promise<StepModel> {
  const held = new Map<string, PromiseWithResolvers<HeldReply>>()
  const place = (name: string) => {
    const known = held.get(name) ?? Promise.withResolvers<HeldReply>()
    held.set(name, known)
    return known
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'replay', object: 'model' }] }))
      return
    }
    const reply = begin(response)
    const asked = Buffer.concat(parts).toString('utf8')
    const name = [...asked.matchAll(/held:([a-z0-9-]+)/g)].at(-1)?.[1]
    if (name !== undefined) return place(name).resolve(reply)
    for (const word of spokenWords) {
      reply.say(word)
      await wait(WORD_MS)
    }
    reply.finish()
  }
  // The client may be killed during the response.
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    held: (name) => place(name).promise,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function begin(response: ServerResponse): HeldReply {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const send = (delta: object, finish: string | null) =>
    response.write(
      `data: ${JSON.stringify({ id: 'step', object: 'chat.completion.chunk', created: 0, model: 'replay', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    )
  send({ role: 'assistant', content: '' }, null)
  return {
    say: (text) => void send({ content: text }, null),
    finish: () => {
      send({}, 'stop')
      response.end('data: [DONE]\n\n')
    },
    isLost: () => response.closed && !response.writableFinished,
  }
}
