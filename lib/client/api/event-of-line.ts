import { isJsonObject, type JsonObject } from '@/lib/base/json'
import type { QueuedLine, RunEvent } from '@/lib/shared/conversation/wire/run-event'

const outcomes: ReadonlySet<unknown> = new Set(['finished', 'stopped', 'failed', 'length', 'interrupted'])
const isWhole = Number.isSafeInteger
const isText = (value: unknown): value is string => typeof value === 'string'

/**
 * One line of a run's log as an event, or null: what came is no event, of this version at least. By hand, because the
 * schemas of the server are too large for a page that is about to show its first words.
 */
export function eventOfLine(line: string): RunEvent | QueuedLine | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (!isJsonObject(value)) return null
  const { type, seq, place } = value
  const isRead = type === 'queued' ? place === null || isWhole(place) : isWhole(seq) && isEvent(value)
  return isRead ? (value as unknown as RunEvent | QueuedLine) : null
}

function isEvent(value: JsonObject): boolean {
  switch (value['type']) {
    case 'start':
      return isReply(value['message'])
    case 'delta':
      return isText(value['text']) && (value['channel'] === 'text' || value['channel'] === 'reasoning')
    case 'end':
      return outcomes.has(value['outcome']) && isObjectOrNull(value['failure']) && isObjectOrNull(value['usage'])
    default:
      return false
  }
}

const isObjectOrNull = (value: unknown): boolean => value === null || isJsonObject(value)

const isReply = (value: unknown): boolean =>
  isJsonObject(value) &&
  value['role'] === 'assistant' &&
  [value['id'], value['conversationId'], value['text'], value['reasoning'], value['strategy']].every(isText)
