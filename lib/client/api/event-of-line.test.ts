import { expect, it } from 'vitest'
import type { QueuedLine, RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { replyRow } from '../chats/testing/rows'
import { eventOfLine } from './run-reader'

const usage = { inputTokens: 1, outputTokens: null }
const events: readonly (RunEvent | QueuedLine)[] = [
  { type: 'queued', place: 3 },
  { seq: 1, type: 'start', message: replyRow('a', 'u', { outcome: null }) },
  { seq: 2, type: 'delta', channel: 'text', text: 'hé "\\' },
  { seq: 3, type: 'delta', channel: 'reasoning', text: '' },
  { seq: 4, type: 'end', outcome: 'finished', failure: null, usage },
  { seq: 4, type: 'end', outcome: 'failed', failure: { code: 'unknown', message: 'm', detail: '' }, usage: null },
]

it('reads every event as it was written', () => {
  for (const event of events) expect(eventOfLine(JSON.stringify(event))).toEqual(event)
})

it('rejects anything else: a line cut anywhere, or with a member of another type', () => {
  for (const event of events) {
    const line = JSON.stringify(event)
    for (let cut = 0; cut < line.length; cut += 1) expect(eventOfLine(line.slice(0, cut))).toBeNull()
    for (const name of Object.keys(event)) {
      for (const wrong of [7.5, [], undefined])
        expect(eventOfLine(JSON.stringify({ ...event, [name]: wrong }))).toBeNull()
    }
  }
  for (const line of ['', 'null', '7', '[]', '{}', '"start"', '{"seq":1,"type":"later"}']) {
    expect(eventOfLine(line)).toBeNull()
  }
})
