import { describe, expect, it } from 'vitest'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { createRunTail } from './run-log-reader'

const delta = (seq: number): RunEvent => ({ seq, type: 'delta', channel: 'text', text: `${seq}` })
const deltas = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => delta(from + index))
const seqs = (events: readonly RunEvent[] | null) => events?.map(({ seq }) => seq)

describe('the tail of a run in memory', () => {
  it('gives all readers at one position the same list, with the pushed event objects', () => {
    const tail = createRunTail()
    const pushed = deltas(2, 4)
    tail.push(pushed)
    const list = tail.since(2)
    expect(tail.since(2)).toBe(list)
    expect(list?.[0]).toBe(pushed[1])
    expect(tail.since(4)).toEqual([])
    tail.push([delta(5)])
    expect(seqs(tail.since(2))).toEqual([3, 4, 5])
  })

  it('drops stored events except the newest, however long the reply, and never an unstored one', () => {
    const tail = createRunTail()
    for (let seq = 2; seq <= 20_000; seq += 1) {
      tail.push([delta(seq)])
      if (seq % 8 === 0) tail.kept(seq)
    }
    expect(tail.since(15_000)).toBeNull()
    expect(seqs(tail.since(19_800))).toEqual(seqs(deltas(19_801, 20_000)))
    const unkept = createRunTail()
    unkept.push(deltas(2, 20_000))
    expect(unkept.since(1)).toHaveLength(19_999)
  })
})
