import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { metricDescriptions } from '@/lib/shared/server-facts/server-health-facts'
import { observeStore, silentObserver } from '@/lib/server/runs/chat-observer'
import { createChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createMetrics, mergeMetrics } from './metrics.server'

const make = () => createMetrics({ version: '1.2.3', build: 'abc' })
const textOf = async (...all: readonly ReturnType<typeof make>[]) =>
  (await mergeMetrics(await Promise.all(all.map((one) => one.json())))).text
const lines = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(name))

describe('the metrics', () => {
  it('count replies as the chat service writes them: by model and outcome, with tokens and readers', async () => {
    const metrics = make()
    metrics.know('test/scripted')
    const plain = await openTestStore({ decodeSettings })
    let now = 0
    const store = observeStore(plain, metrics.observer, () => (now += 3))
    const chat = createChatHarness(store, { observer: metrics.observer })
    const id = await chat.newChat()
    chat.script([{ text: 'Hello' }, { text: ' you' }, { finish: 'stop' }], [{ fail: new Error('no') }])
    const first = await chat.send(id, 'hi')
    const reader = await chat.service.events('ada', first.runId, 0, new AbortController().signal)
    expect(lines(await textOf(metrics), 'nod_event_readers')).toEqual(['nod_event_readers 1'])
    for await (const _ of reader);
    await chat.send(id, 'and you?', first.replyId)
    const text = await textOf(metrics)
    expect(lines(text, 'nod_runs_ended_total')).toEqual([
      'nod_runs_ended_total{model="test/scripted",outcome="finished"} 1',
      'nod_runs_ended_total{model="test/scripted",outcome="failed"} 1',
    ])
    expect(lines(text, 'nod_first_text_seconds_count')).toEqual([
      'nod_first_text_seconds_count{model="test/scripted"} 1',
    ])
    expect(lines(text, 'nod_tokens_total')).toEqual([
      'nod_tokens_total{model="test/scripted",direction="in"} 7',
      'nod_tokens_total{model="test/scripted",direction="out"} 3',
    ])
    expect(lines(text, 'nod_runs_active')).toEqual(['nod_runs_active 0'])
    expect(lines(text, 'nod_runs_admitted_total')).toEqual(['nod_runs_admitted_total 2'])
    expect(lines(text, 'nod_event_readers')).toEqual(['nod_event_readers 0'])
    expect(text).toContain('nod_store_call_seconds_sum{call="append",ok="true"} 0.006')
    expect(text).toContain('nod_build_info{version="1.2.3",build="abc",')
    expect(text).toMatch(/^nod_event_loop_delay_seconds [\d.e-]+$/m)
    expect(text).toMatch(/process_resident_memory_bytes \d+/)
    await store.close()
  })

  it('name configured models only, with a limit', async () => {
    const metrics = make()
    for (let n = 0; n < 150; n += 1) metrics.know(`lab/${n}`)
    for (let n = 0; n < 500; n += 1) metrics.observer.started(`lab/${n}`)
    const series = lines(await textOf(metrics), 'nod_runs_started_total')
    expect(series).toHaveLength(101)
    expect(series.at(-1)).toBe('nod_runs_started_total{model="other"} 400')
  })

  it('of several processes are merged: counts are added, and shared values stay the same', async () => {
    const [one, two] = [make(), make()]
    one.observer.refused('chat.server-full')
    two.observer.refused('chat.server-full')
    two.observer.queueLength(4)
    const text = await textOf(one, two)
    expect(text).toContain('nod_refusals_total{reason="chat.server-full"} 2')
    expect(text).toContain('nod_queue_length 4')
    expect(lines(text, 'nod_build_info')[0]).toMatch(/ 1$/)
  })

  it('give the start time of the first of several processes, and the file limit of each', async () => {
    const one = make()
    const alone = await textOf(one)
    const together = await textOf(one, make(), make())
    for (const name of ['process_start_time_seconds', 'process_max_fds']) {
      expect(lines(alone, name)).toHaveLength(1)
      expect(lines(together, name)).toEqual(lines(alone, name))
    }
  })

  it('have no gauge per quantile, and all of ours are in the docs', async () => {
    const text = await textOf(make())
    const gauges = [...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name = '']) => name)
    expect(gauges.length).toBeGreaterThan(5)
    for (const name of gauges) expect(lines(text, `${name}{`).filter((line) => line.includes('quantile='))).toEqual([])
    const docs = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/hosting/monitoring.md'), 'utf8')
    for (const name of Object.keys(metricDescriptions)) expect(docs).toContain(`\`${name}\``)
  })
})

describe('an observed store', () => {
  it('returns and fails like the store itself, and reports each call once', async () => {
    const told: unknown[] = []
    const plain = await openTestStore({ decodeSettings })
    const observer = {
      ...silentObserver,
      storeCall: (name: string, ms: number, ok: boolean) => told.push([name, ms, ok]),
    }
    let now = 0
    const store = observeStore(plain, observer, () => (now += 5))
    expect(store.kind).toBe(plain.kind)
    expect(await store.listConversations('ada', '', 5)).toEqual([])
    await store.close()
    await expect(store.ping()).rejects.toThrow()
    expect(told).toEqual([
      ['listConversations', 5, true],
      ['close', 5, true],
      ['ping', 5, false],
    ])
  })
})
