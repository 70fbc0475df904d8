import { isJsonObject } from '@/lib/base/json'
import type { JsonValue } from '@/lib/base/json'
import { assertNever } from '@/lib/base/assert-never'
import type { SeenResult } from './turn'

const maxPiece = 320

/** Results in the script's own words, one paragraph each: status, a short piece, and what could come next. */
export const describeResults = (results: readonly SeenResult[]): string => results.map(describeResult).join('\n\n')

function describeResult({ name, status, result }: SeenResult): string {
  const tool = `\`${name}\``
  switch (status) {
    case 'completed':
      return `${tool} is done. It gave back:\n\n${fenced(pieceOf(result))}`
    case 'result_rejected':
      return `${tool} ran, and you kept its result${because(denialReason(result))}. I go on without it: tell me what you want next.`
    case 'execution_rejected':
      return `You denied ${tool}${because(denialReason(result))}. Nothing ran, and I take that as your decision. Tell me what to do instead.`
    case 'error':
      return `${tool} failed${says(reasonOf(result))} I can try again with something else: say \`list files\` to see what there is.`
    case 'not_found':
      return `There is no tool ${tool} here${says(reasonOf(result))} I should have used one of the tools that I was given.`
    case 'cancelled':
      return `You stopped ${tool}${says(reasonOf(result))} \`list files\` shows what is there.`
    case 'interrupted':
      return `${tool} was cut off by a reload. It may have done a part of its work; \`list files\` shows what is there.`
    case 'unfinished':
      return `${tool} had not come back when you wrote on. When I hear how it ended, I can go on with it.`
    case 'skipped':
      return `You went on without ${tool}, so it did not run.`
    default:
      return assertNever(status)
  }
}

/** The sentence in a failed or denied result, '' when there is none. */
function reasonOf(result: JsonValue): string {
  if (typeof result === 'string') return result.trim()
  if (!isJsonObject(result)) return ''
  for (const key of ['reason', 'error', 'message', 'note']) {
    const value = result[key]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return ''
}

/** Only the user's own words; a denial without any has none. */
const denialReason = (result: JsonValue): string => {
  const reason = isJsonObject(result) ? result['reason'] : undefined
  return typeof reason === 'string' ? reason.trim() : ''
}

const because = (reason: string): string => (reason === '' ? '' : `: “${cut(reason, maxPiece)}”`)
const says = (reason: string): string => (reason === '' ? '.' : `: ${cut(reason, maxPiece)}`)

/** Text of a file or a value as it is, everything else as JSON; short enough for a reply. */
function pieceOf(result: JsonValue): string {
  if (typeof result === 'string') return cut(result, maxPiece)
  if (isJsonObject(result)) {
    const inner = result['content'] ?? result['value']
    if (typeof inner === 'string') return cut(inner, maxPiece)
    if (inner !== undefined) return cut(JSON.stringify(inner, null, 2), maxPiece)
  }
  return cut(JSON.stringify(result, null, 2), maxPiece)
}

/** A code block whose fence is longer than any fence inside; a language keeps readers from taking it for a carrier. */
export function fenced(body: string): string {
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${body}\n${fence}`
}

export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
