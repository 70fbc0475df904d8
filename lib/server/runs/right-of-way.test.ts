import { describe, expect, it } from 'vitest'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { createRunOutput, joinFactor } from './run-output'
import { createRunTail } from './run-log-reader'
import { createManualClock } from '../chats/testing/manual-clock'

describe('joining pieces on a busy process', () => {
  it('keeps pieces separate while the loop is free, and joins more the busier it is', () => {
    expect([0, 0.3, 0.6].map(joinFactor)).toEqual([1, 1, 1])
    const busier = [0.6, 0.7, 0.8, 0.9, 0.95].map(joinFactor)
    expect(busier).toEqual(busier.toSorted((a, b) => a - b))
    expect(new Set(busier).size).toBe(busier.length)
    expect(joinFactor(1)).toBe(joinFactor(0.95))
  })

  it('creates fewer events from the same text on a busy loop, and never delays the first token', async () => {
    const eventsAt = async (utilisation: number) => {
      const clock = createManualClock()
      const tail = createRunTail({} as AssistantMessage)
      const ports = { clock, wake: () => {}, utilisation: () => utilisation }
      const output = createRunOutput(ports, { tail, times: { joinMs: 50, aheadMs: 60_000 } })
      output.add('text', 'first')
      expect(tail.lastSeq).toBe(2)
      for (let n = 0; n < 40; n += 1) {
        await clock.pass(50)
        output.add('text', 'x')
      }
      await clock.pass(1_000)
      const said = (tail.since(1) ?? []).map((event) => (event.type === 'delta' ? event.text : ''))
      expect(said.join('')).toBe(`first${'x'.repeat(40)}`)
      return said.length
    }
    const [idle, busy] = [await eventsAt(0.2), await eventsAt(1)]
    expect(idle).toBe(41)
    expect(busy).toBeLessThan(idle / 4)
  })
})
