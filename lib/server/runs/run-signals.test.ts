import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { RunKey } from '@/lib/server/store/ports/run-store'
import type { Store, StoreSignals } from '@/lib/server/store/ports/store'
import { finishedEnding } from '@/lib/server/store/testing/rows'
import { createRunLog } from './run-log'
import { createManualClock, settle } from '../chats/testing/manual-clock'
import { follow, storedRuns } from '../chats/testing/stored-runs'

const runs = storedRuns()
let store: Store
beforeAll(() => {
  store = runs.store
})

const ignore = () => {}

/** A connection between nodes that can be cut. */
function createLine() {
  const listeners: ((text: string) => void)[] = []
  const sent: string[] = []
  let isWhole = true
  const signals: StoreSignals = {
    send(text) {
      sent.push(text)
      if (isWhole) for (const listener of listeners) listener(text)
    },
    listen: (onSignal) => void listeners.push(onSignal),
    isListening: () => isWhole,
    watchBreaks: () => {},
  }
  return {
    signals,
    sent,
    cut: () => {
      isWhole = false
    },
  }
}

async function twoNodes() {
  const clock = createManualClock()
  const line = createLine()
  const { run } = await runs.open()
  const node = () => createRunLog({ store: { ...store, signals: line.signals }, clock, log: ignore })
  return { clock, line, run, here: node(), there: node() }
}

describe('a reply that is read on another node than the one that writes it', () => {
  it('continues there as soon as it is stored, once its writer knows about the reader', async () => {
    const { clock, line, run, here, there } = await twoNodes()
    const writer = here.write(run, ignore)
    writer.write('text', 'first')
    await settle()
    expect(line.sent).toEqual([])
    const { seen, done } = follow(there, run)
    await settle()
    expect(line.sent).toEqual([`watch ${run.runId}`])
    const before = clock.now()
    await clock.pass(400)
    writer.write('text', 'second')
    await settle()
    expect(seen.at(-1)).toMatchObject({ text: 'second' })
    await writer.end(finishedEnding())
    await settle()
    await done
    expect(seen.at(-1)).toMatchObject({ type: 'end', outcome: 'finished' })
    expect(clock.now() - before).toBe(400)
  })

  it('continues by polling if no signal arrives', async () => {
    const { clock, line, run, here, there } = await twoNodes()
    const writer = here.write(run, ignore)
    const { seen, done } = follow(there, run)
    await settle()
    line.cut()
    writer.write('text', 'first')
    await clock.pass(1_000)
    expect(seen.at(-1)).toMatchObject({ text: 'first' })
    await writer.end(finishedEnding())
    await clock.pass(150)
    await done
    expect(seen.at(-1)).toMatchObject({ type: 'end' })
  })

  it('can be stopped there at once', async () => {
    const { run, here, there } = await twoNodes()
    const onStop = vi.fn<(outcome: string) => void>()
    const writer = here.write(run, onStop)
    expect(await there.stop(run)).toBe(true)
    expect(onStop.mock.calls).toEqual([['stopped']])
    await writer.end(finishedEnding({ outcome: 'stopped' }))
  })

  it('is polled only occasionally, however many readers it has and however long', async () => {
    const { clock, line, run, here, there } = await twoNodes()
    const writer = here.write(run, ignore)
    const gone = new AbortController()
    const readings = [1, 2, 3].map(async () => {
      for await (const _ of there.read(run, 0, gone.signal)) continue
    })
    await clock.pass(20_000)
    expect(line.sent.length).toBeLessThanOrEqual(5)
    expect(new Set(line.sent)).toEqual(new Set([`watch ${run.runId}`]))
    gone.abort()
    await Promise.all(readings)
    await writer.end(finishedEnding())
  })

  it('ends there at once when its writer’s death was noticed, no matter which process is notified', async () => {
    const { clock, line, run, there } = await twoNodes()
    let end = (_run: RunKey): Promise<void> => Promise.resolve()
    const holds = () => Promise.resolve(false)
    const handoff = { writes: ignore, wrote: ignore, holds, onDeath: (then: typeof end) => void (end = then) }
    createRunLog({ store: { ...store, signals: line.signals }, clock, log: ignore, handoff })
    const { seen, done } = follow(there, run)
    await settle()
    const before = clock.now()
    await end(run)
    await done
    expect(seen.at(-1)).toMatchObject({ type: 'end', outcome: 'interrupted' })
    expect(clock.now()).toBe(before)
  })
})
