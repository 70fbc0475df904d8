import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chunkOf, piecesOf, type AskedBody, type Habit, type HabitOut } from './habit'

export interface HabitServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** How many connections were closed before the server had ended the reply. */
  readonly closedEarly: () => number
  close(): Promise<void>
}

/** A server that answers `/v1/chat/completions` with the habit named by the model, and `/v1/models` with `list`. */
export async function startHabitServer(
  habits: Readonly<Record<string, Habit>>,
  list: unknown = { data: [] },
): Promise<HabitServer> {
  const asked = new Map<string, number>()
  let closedEarly = 0
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) closedEarly += 1
    })
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const piece of request) text += String(piece)
    if (request.url === '/v1/models' || request.url === '/api/tags') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(list))
      return
    }
    if (request.url !== '/v1/chat/completions') {
      response.writeHead(404).end('{"error":"Unexpected endpoint or method."}')
      return
    }
    const body = JSON.parse(text) as AskedBody & { readonly model: string }
    const habit = habits[body.model]
    const before = asked.get(body.model) ?? 0
    asked.set(body.model, before + 1)
    if (!habit) return void response.writeHead(404).end('{"error":{"message":"model not found"}}')
    await habit.send(outOf(response, before), body)
    response.end()
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    closedEarly: () => closedEarly,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function outOf(response: ServerResponse, before: number): HabitOut {
  const begin: HabitOut['begin'] = (type, headers = {}) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': type, ...headers })
  }
  const raw: HabitOut['raw'] = (text) => {
    begin('text/event-stream')
    response.write(text)
  }
  const event: HabitOut['event'] = (data) => raw(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  const delta: HabitOut['delta'] = (one, finish, beside) => event(chunkOf(one, finish, beside))
  return {
    response,
    before,
    begin,
    raw,
    event,
    delta,
    words: (text, key = 'content') => {
      for (const piece of piecesOf(text)) delta({ [key]: piece })
    },
    stop(reason = 'stop') {
      delta({}, reason)
      event('[DONE]')
    },
    answer(status, body, headers = {}) {
      const isText = typeof body === 'string'
      response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
      response.write(isText ? body : JSON.stringify(body))
    },
    stay: () => new Promise((resolve) => response.on('close', resolve)),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }
}
