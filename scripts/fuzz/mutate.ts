import type { Random } from '@/lib/protocols/grammar/grammar'

/** Kinds of damage to a reply: everything that occurred in real ones, at random places. */
type Mutation = (text: string, random: Random, others: Others) => string

interface Others {
  /** Texts of other replies, to splice with. */
  readonly texts: readonly string[]
  /** Marks of all strategies and dialects. */
  readonly marks: readonly string[]
}

function range(text: string, random: Random, longest: number): readonly [start: number, end: number] {
  const start = random.int(text.length + 1)
  return [start, Math.min(text.length, start + 1 + random.int(longest))]
}

const insert = (text: string, at: number, part: string): string => text.slice(0, at) + part + text.slice(at)

const WRAPS: readonly (readonly [before: string, after: string])[] = [
  ['```json\n', '\n```'],
  ['```\n', '\n```'],
  ['````xml\n', '\n````'],
  ['~~~VCPToolCall\n', '\n~~~'],
  ['```tool_code\n', '\n```'],
  ['`', '`'],
  ['<think>\n', '\n</think>\n'],
  ['<think>', ''],
  ['', '\n</think>\n'],
  ['"', '"'],
  ['<tool_code>', '</tool_code>'],
  ['{"tool_calls":[', ']}'],
  ['「始」', '「末」'],
  ['<tool_result id="a">', '</tool_result>'],
  ['<![CDATA[', ']]>'],
]

const mutations: readonly Mutation[] = [
  (text, random) => {
    const [start, end] = range(text, random, 12)
    return text.slice(0, start) + text.slice(end)
  },
  (text, random) => {
    const [start, end] = range(text, random, 40)
    return insert(text, end, text.slice(start, end))
  },
  (text, random) => {
    const [start, end] = range(text, random, 20)
    const [, last] = range(text.slice(end), random, 20)
    return text.slice(0, start) + text.slice(end, end + last) + text.slice(start, end) + text.slice(end + last)
  },
  (text, random, { texts }) => {
    const other = random.pick(texts)
    return text.slice(0, random.int(text.length + 1)) + other.slice(random.int(other.length + 1))
  },
  (text, random, { texts }) => insert(text, random.int(text.length + 1), random.pick(texts)),
  (text, random) => text.slice(0, random.int(text.length + 1)),
  (text, random, { marks }) => insert(text, random.int(text.length + 1), random.pick(marks)),
  (text, random, { marks }) => {
    const [start, end] = range(text, random, 6)
    return text.slice(0, start) + random.pick(marks) + text.slice(end)
  },
  (text, random) => {
    const [before, after] = random.pick(WRAPS)
    const [start, end] = random.chance(0.5) ? [0, text.length] : range(text, random, 200)
    return text.slice(0, start) + before + text.slice(start, end) + after + text.slice(end)
  },
  (text) => text.replaceAll(/^/gm, '> '),
  (text, random) => text.replaceAll('\n', random.pick(['\r\n', '\r', '', ' '])),
  (text, random) => {
    const i = random.int(text.length)
    return text.slice(0, i) + (text[i] ?? '').toUpperCase() + text.slice(i + 1)
  },
]

const longest = 20_000

/** A reply with one to five damages. */
export function mutate(text: string, random: Random, others: Others): string {
  let out = text
  for (let n = 1 + random.int(5); n > 0; n--) out = random.pick(mutations)(out, random, others)
  return out.slice(0, longest)
}
