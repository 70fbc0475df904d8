import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { readLines } from './ndjson'
import { readRun, type RunReaderPorts } from './run-reader'
import { replyRow, runLog } from '../chats/testing/rows'
import { answering, refusal, type Plain } from '../chats/testing/answering'

const utf8 = new TextEncoder()

/** A body that yields these chunks and then ends, or breaks. */
function bodyOf(chunks: readonly Uint8Array[], breaks = false): ReadableStream<Uint8Array> {
  const queue = [...chunks]
  return new ReadableStream({
    pull(controller) {
      const next = queue.shift()
      if (next) controller.enqueue(next)
      else if (breaks) controller.error(new TypeError('network error'))
      else controller.close()
    },
  })
}

function cut(bytes: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  const chunks: Uint8Array[] = []
  let at = 0
  for (const size of sizes) {
    chunks.push(bytes.slice(at, at + size))
    at += size
  }
  chunks.push(bytes.slice(at))
  return chunks
}

const encode = (events: readonly RunEvent[]) =>
  utf8.encode(events.map((event) => `${JSON.stringify(event)}\n`).join('\n'))

/** Ports whose timers never fire on their own: batches are delivered when the connection ends. */
const ports = (open: Plain<Pick<RunReaderPorts, 'open'>>['open']): RunReaderPorts & { readonly waits: number[] } => {
  const waits: number[] = []
  return {
    ...answering<Pick<RunReaderPorts, 'open'>>({ open }),
    wait: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
    schedule: () => () => {},
    waits,
  }
}

async function follow(from: RunReaderPorts, signal = new AbortController().signal) {
  const events: RunEvent[] = []
  const connections: string[] = []
  const places: (number | null)[] = []
  const how = await readRun(from, {
    signal,
    onEvents: (batch) => events.push(...batch),
    onPlace: (place) => places.push(place),
    onConnection: (connection) => connections.push(connection),
  })
  return { how, events, connections, places }
}

describe('readLines', () => {
  it('keeps a byte-order mark, also as the first character', async () => {
    const read: string[] = []
    for await (const line of readLines(bodyOf([utf8.encode('\u{feff}a\n\u{feff}b\n')]))) read.push(line)
    expect(read).toEqual(['\u{feff}a', '\u{feff}b'])
  })

  it('yields the same lines however the bytes are cut, and drops a last line without its line feed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText().map((text) => text.replace(/[\r\n]/g, ' '))),
        fc.array(fc.integer({ min: 0, max: 7 })),
        async (lines, sizes) => {
          const wellFormed = lines.map((line) => line.toWellFormed())
          const bytes = utf8.encode(`${wellFormed.map((line) => `${line}\n`).join('')}{"cut`)
          const read: string[] = []
          for await (const line of readLines(bodyOf(cut(bytes, sizes)))) read.push(line)
          expect(read).toEqual(wellFormed)
        },
      ),
    )
  })
})

describe('readRun', () => {
  it('reports places in the queue beside the events, and does not count them as events', async () => {
    const [start, ...rest] = runLog(replyRow('a1', null), ['one', 'two'])
    const queued = (place: number | null) => utf8.encode(`{"type":"queued","place":${place}}\n`)
    const body = bodyOf([queued(2), encode(start ? [start] : []), queued(1), queued(null), encode(rest)])
    const { how, events, places } = await follow(ports(() => Promise.resolve(body)))
    expect(how).toBe('ended')
    expect(places).toEqual([2, 1, null])
    expect(events).toEqual(runLog(replyRow('a1', null), ['one', 'two']))
  })

  const log = runLog(replyRow('a1', 'u1'), ['Grüße ', '👩‍💻', ' end'])

  it('delivers every event once through any chunking and any number of broken connections', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ events: fc.integer({ min: 0, max: 3 }), breaks: fc.boolean() }), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 40 })),
        async (drops, sizes) => {
          let connection = 0
          const from = ports((after) => {
            const drop = drops[connection]
            connection += 1
            const rest = log.filter((event) => event.seq > after)
            if (!drop) return Promise.resolve(bodyOf(cut(encode(rest), sizes)))
            return Promise.resolve(bodyOf(cut(encode(rest.slice(0, drop.events)), sizes), drop.breaks))
          })
          const { how, events } = await follow(from)
          expect(how).toBe('ended')
          expect(events).toEqual(log)
        },
      ),
    )
  })

  it('rejoins after the last event that it received, and reports that it reconnects', async () => {
    const asked: number[] = []
    const from = ports((after) => {
      asked.push(after)
      if (asked.length === 2) return Promise.reject(refusal('unreachable', 0, 'refused'))
      const rest = log.filter((event) => event.seq > after)
      return Promise.resolve(bodyOf([encode(asked.length === 1 ? rest.slice(0, 2) : rest)]))
    })
    const { connections } = await follow(from)
    expect(asked).toEqual([0, 2, 2])
    expect(connections).toEqual(['live', 'reconnecting', 'reconnecting', 'live'])
  })

  it('delivers the first token at once, and batches those that follow closely', async () => {
    let pass = () => {}
    let more: (events: readonly RunEvent[]) => void = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        more = (events) => controller.enqueue(encode(events))
      },
    })
    const batches: number[][] = []
    const gone = new AbortController()
    const reading = readRun(
      {
        ...ports(() => Promise.resolve(body)),
        schedule(task, ms) {
          if (ms < 1_000) pass = task
          return () => {}
        },
      },
      {
        signal: gone.signal,
        onEvents: (events) => batches.push(events.map(({ seq }) => seq)),
        onPlace: () => {},
        onConnection: () => {},
      },
    )
    const say = async (events: readonly RunEvent[]) => {
      more(events)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await say(log.slice(0, 1))
    expect(batches).toEqual([[1]])
    await say(log.slice(1, 3))
    expect(batches).toEqual([[1]])
    pass()
    expect(batches).toEqual([[1], [2, 3]])
    pass()
    await say(log.slice(3, 4))
    expect(batches).toEqual([[1], [2, 3], [4]])
    gone.abort()
    expect(await reading).toBe('aborted')
  })

  it('waits longer each time the server does not answer, and resets the wait once it does', async () => {
    let attempt = 0
    const from = ports((after) => {
      attempt += 1
      if (attempt < 8) return Promise.reject(refusal('unreachable', 0, 'refused'))
      if (attempt === 8) return Promise.resolve(bodyOf([encode(log.slice(0, 1))]))
      return Promise.resolve(bodyOf([encode(log.filter((event) => event.seq > after))]))
    })
    await follow(from)
    expect(from.waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 250])
  })

  it('rejoins when a line is damaged or a number is missing', async () => {
    let connection = 0
    const from = ports((after) => {
      connection += 1
      const rest = log.filter((event) => event.seq > after)
      if (connection === 1) return Promise.resolve(bodyOf([encode(log.slice(0, 1)), utf8.encode('{"seq":2,"ty\n')]))
      if (connection === 2) return Promise.resolve(bodyOf([encode(log.slice(2))]))
      return Promise.resolve(bodyOf([encode(rest)]))
    })
    const { how, events } = await follow(from)
    expect(how).toBe('ended')
    expect(events).toEqual(log)
  })

  it('ends when there is no such run', async () => {
    const { how } = await follow(ports(() => Promise.reject(refusal('not-found', 404, 'This reply does not exist.'))))
    expect(how).toBe('gone')
  })

  it('stops at once when it is aborted while the server is silent', async () => {
    const abort = new AbortController()
    const silent = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encode(log.slice(0, 1))),
    })
    const from = ports(() => {
      queueMicrotask(() => abort.abort())
      return Promise.resolve(silent)
    })
    const { how } = await follow(from, abort.signal)
    expect(how).toBe('aborted')
  })

  it('takes a long silence for a dead connection', async () => {
    let connection = 0
    const alarms: (() => void)[] = []
    const from: RunReaderPorts = {
      ...ports(() => {
        connection += 1
        if (connection > 1) return Promise.resolve(bodyOf([encode(log)]))
        queueMicrotask(() => alarms[0]?.())
        return Promise.resolve(new ReadableStream<Uint8Array>())
      }),
      schedule(task, ms) {
        if (ms > 1_000) alarms.push(task)
        return () => {}
      },
    }
    const { how } = await follow(from)
    expect(how).toBe('ended')
    expect(connection).toBe(2)
  })
})
