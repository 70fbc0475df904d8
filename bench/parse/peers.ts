import { hermesProtocol } from '@ai-sdk-tool/parser'
import { jsonrepair } from 'jsonrepair'
import { parse as parsePartial } from 'partial-json'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { HUGE, inputsOf, SIZES } from './inputs'
import type { Input } from './inputs'
import { CHUNK, cut, median, worked } from './measure'

/** A run that would take longer than this, extrapolated from smaller sizes, is left out. */
const MAX_MS = 400

/** The inputs for the other parsers; the rest would only repeat that they are slower. */
const INPUTS: ReadonlySet<string> = new Set(['many calls', HUGE, 'unclosed string', 'junk', 'prose'])

/** Another parser's times in milliseconds at each size; null if it was too slow to be measured, or refused the text. */
export interface PeerRow {
  readonly input: string
  readonly reader: string
  readonly times: readonly (number | 'refused' | 'too slow')[]
}

// The same text as XML_Tag: this protocol parses JSON between configurable tags.
const protocol = hermesProtocol({ toolCallStart: '<tool_code>', toolCallEnd: '</tool_code>' })
const tools = [
  {
    type: 'function' as const,
    name: 'write_file',
    inputSchema: {
      type: 'object' as const,
      properties: { path: { type: 'string' as const }, content: { type: 'string' as const } },
    },
  },
]
const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 }

async function stream(pieces: readonly string[]): Promise<void> {
  const parser = protocol.createStreamParser({ tools })
  const writer = parser.writable.getWriter()
  const reader = parser.readable.getReader()
  const drained = (async () => {
    while (!(await reader.read()).done);
  })()
  await writer.write({ type: 'text-start', id: '0' })
  for (const delta of pieces) await writer.write({ type: 'text-delta', id: '0', delta })
  await writer.write({ type: 'text-end', id: '0' })
  const finishReason = { unified: 'stop' as const, raw: 'stop' }
  const usage = { inputTokens: none, outputTokens: { total: 0, text: 0, reasoning: 0 } }
  await writer.write({ type: 'finish', finishReason, usage })
  await writer.close()
  await drained
}

interface Peer {
  readonly name: string
  readonly textOf: (input: Input, size: number) => string | undefined
  readonly run: (text: string, pieces: readonly string[]) => unknown
  readonly chunked?: boolean
}

const peers: readonly Peer[] = [
  { name: 'JSON.parse, body', textOf: (input, size) => input.body?.(size), run: (text) => JSON.parse(text) as unknown },
  { name: 'jsonrepair, body', textOf: (input, size) => input.body?.(size), run: (text) => jsonrepair(text) },
  { name: 'partial-json, body', textOf: (input, size) => input.body?.(size), run: (text) => parsePartial(text) },
  {
    name: '@ai-sdk-tool/parser, whole',
    textOf: (input, size) => input.text(size),
    run: (text) => protocol.parseGeneratedText({ text, tools }),
  },
  {
    name: '@ai-sdk-tool/parser, stream',
    textOf: (input, size) => input.text(size),
    run: (_, pieces) => stream(pieces),
    chunked: true,
  },
]

async function timeOf(peer: Peer, text: string, rounds: number): Promise<number | 'refused'> {
  const pieces = peer.chunked ? cut(text, CHUNK) : []
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = worked()
    try {
      await peer.run(text, pieces)
    } catch {
      return 'refused'
    }
    times.push(worked() - started)
    if (worked() - started > 200) break
  }
  return median(times)
}

/** The other parsers on the inputs of XML_Tag, which one of them parses unchanged; JSON parsers get the body. */
export async function measurePeers(sizes: readonly number[], rounds: number): Promise<readonly PeerRow[]> {
  const rows: PeerRow[] = []
  for (const input of inputsOf(toolContextBuilder.get('XML_Tag')))
    for (const peer of peers) {
      if (!INPUTS.has(input.name) || peer.textOf(input, 10) === undefined) continue
      // The warm-up, at a tenth of the first size, also shows whether measuring is feasible.
      const first = await timeOf(peer, peer.textOf(input, SIZES[0] / 10) ?? '', rounds)
      const times: PeerRow['times'][number][] = []
      for (const size of sizes) {
        const previous = times.length === 0 ? first : times.at(-1)
        const smaller = sizes[times.length - 1] ?? size / 10
        // For a quadratic parser, four times the text costs sixteen times as much, ten times a hundred.
        const expected = typeof previous === 'number' ? previous * (size / smaller) * 1.5 : 0
        const slow = previous === 'too slow' || expected > MAX_MS
        times.push(slow ? 'too slow' : await timeOf(peer, peer.textOf(input, size) ?? '', rounds))
      }
      rows.push({ input: input.name, reader: peer.name, times })
    }
  return rows
}
