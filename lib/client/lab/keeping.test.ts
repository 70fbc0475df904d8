import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { describe, expect, it, vi } from 'vitest'
import type { TrialLine, TrialRequest } from '@/lib/shared/conversation/wire/trial'
import { createLabJournal, type StoredLab } from './lab-journal'
import {
  quantisationIn,
  readResult,
  labResultOf,
  type LabResult,
  promptHash,
  importedBest,
  importedBests,
} from './lab-result'
import { storeImportedBest, storeMeasuredBest, measuredBest } from './measured-best'
import { ownProbes } from './probes/own-probes'
import { reportOf } from './report'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { createServerTrials } from './trials'
import type { TrialRecord } from './trial-record'

vi.stubGlobal('IDBKeyRange', IDBKeyRange)

const lab = (id: string, startedAt = 1): StoredLab => ({
  setup: {
    version: 1,
    id,
    startedAt,
    asked: { model: 'ollama/qwen3:8b-q4_K_M', temperature: 0.2 },
    modelLabel: 'qwen3:8b',
    providerLabel: 'Ollama',
    plan: { probeCount: 2, strategies: ['XML_Tag', 'VCP'], trials: 1, seed: 3 },
    probeIds: ownProbes.slice(0, 2).map((probe) => probe.id),
    probeFile: null,
    parallel: 1,
    promptHash: promptHash({ strategies: ['XML_Tag', 'VCP'] }, {}),
  },
  file: null,
})
const record = (number: number, verdict: TrialRecord['verdict'] = 'right'): TrialRecord => ({
  number,
  verdict,
  why: { reason: 'lab.why.repaired', values: { repairs: ['comment'] } },
  rounds: [{ text: 'a', reasoning: '', outcome: 'finished', tokensIn: 1, tokensOut: null }],
  calls: 1,
  repaired: 0,
  firstCallMs: 5,
  firstTextMs: 1,
})

describe('the journal of labs', () => {
  it('stores each trial separately, finds all of them again, and deletes a lab with its trials', async () => {
    const factory = new IDBFactory()
    const journal = createLabJournal(() => factory, 'lab')
    await journal.begin(lab('old', 1))
    await journal.begin(lab('new', 2))
    for (const number of [2, 0, 1]) await journal.keep('old', record(number))
    await journal.keep('new', record(3))
    const again = createLabJournal(() => factory, 'lab')
    expect((await again.labs()).map(({ setup }) => setup.id)).toEqual(['new', 'old'])
    expect(await again.records('old')).toEqual([record(0), record(1), record(2)])
    await again.keep('old', record(1, 'no-call'))
    expect((await again.records('old'))[1]?.verdict).toBe('no-call')
    await again.remove('old')
    expect(await again.records('old')).toEqual([])
    expect(await again.records('new')).toEqual([record(3)])
    expect((await createLabJournal(() => factory, 'other').labs()).length).toBe(0)
  })

  it('leaves out unreadable entries, and rejects if nothing can be stored', async () => {
    const factory = new IDBFactory()
    const journal = createLabJournal(() => factory, 'lab')
    await journal.begin({ ...lab('bad'), setup: { ...lab('bad').setup, version: 9 as 1 } })
    await journal.begin(lab('good'))
    await journal.keep('good', { ...record(0), verdict: 'odd' as 'right' })
    await journal.keep('good', record(1))
    expect((await journal.labs()).map(({ setup }) => setup.id)).toEqual(['good'])
    expect((await journal.records('good')).map(({ number }) => number)).toEqual([1])
    const broken = {
      open: () => {
        throw new DOMException('no', 'SecurityError')
      },
    } as unknown as IDBFactory
    await expect(createLabJournal(() => broken, 'x').labs()).rejects.toThrow('no')
  })
})

describe('a result', () => {
  const { setup } = lab('r')
  const records = [0, 1, 2, 3].map((number) => record(number, number < 2 ? 'right' : 'no-call'))
  const result: LabResult = labResultOf(setup, reportOf(setup.plan, ownProbes, records), 'Ada')

  it('says what was measured and with which prompts, and contains no text', () => {
    expect(result).toMatchObject({ model: 'ollama/qwen3:8b-q4_K_M', quantisation: 'q4_K_M', by: 'Ada', probes: 2 })
    expect(result.promptHash).toMatch(/^[0-9a-f]{16}$/)
    expect(JSON.stringify(result)).not.toContain('"text"')
    expect(promptHash({ strategies: ['VCP', 'XML_Tag'] }, {})).toBe(setup.promptHash)
    expect(promptHash({ strategies: ['VCP'] }, {})).not.toBe(setup.promptHash)
  })

  it('can be read again, and only in its own format', () => {
    expect(readResult(JSON.stringify(result))).toEqual({ ok: true, value: result })
    const wrong = [
      'x',
      '[]',
      JSON.stringify({ ...result, version: 2 }),
      JSON.stringify({ ...result, strategies: [] }),
      JSON.stringify({ ...result, strategies: [...result.strategies, ...result.strategies] }),
      JSON.stringify({
        ...result,
        strategies: [{ ...result.strategies[0], accuracy: { rate: 2, low: 0, high: 1, count: 1 } }],
      }),
      JSON.stringify({
        ...result,
        strategies: [{ ...result.strategies[0], kinds: [{ kind: 'one-call', right: 5, trials: 1 }] }],
      }),
      JSON.stringify({ ...result, by: 'x'.repeat(1_000) }),
    ]
    for (const text of wrong) {
      const read = readResult(text)
      expect(read.ok ? 'read' : read.error).toMatch(/^This file is not a lab result \(.+\)\. Nothing was imported/)
    }
  })

  it('recognizes a quantisation by the usual names only', () => {
    const found = ['m-AWQ', 'x/y-q8_0', 'llama-3-int4', 'a-4bit', 'm:iq4_xs', 'qwen3:8b', 'gpt-5', 'q-learning']
    expect(found.map(quantisationIn)).toEqual(['AWQ', 'q8_0', 'int4', '4bit', 'iq4_xs', null, null, null])
  })
})

describe('the hash of a lab’s prompts', () => {
  const schema = { takesSchema: true } as const
  const plain = { strategies: ['JSON_Action'] } as const
  const exact = { strategies: ['JSON_Action'], exact: ['JSON_Action'] } as const

  it('tells prompts of replies constrained by a schema from others', () => {
    expect(promptHash(exact, {})).toBe(promptHash(plain, {}))
    expect(promptHash(plain, schema)).toBe(promptHash(plain, {}))
    expect(promptHash(exact, schema)).not.toBe(promptHash(plain, {}))
  })

  it.each(['promptParts', 'formatResults'] as const)('changes when %s says something else', (told) => {
    for (const form of ['JSON_Action', 'whole'] as const) {
      const def = toolContextBuilder.get(form)
      const before = promptHash(exact, schema)
      const spy = vi
        .spyOn(def, told)
        .mockReturnValue((told === 'promptParts' ? [{ text: 'x' }] : { text: 'x' }) as never)
      expect(promptHash(exact, schema)).not.toBe(before)
      spy.mockRestore()
      expect(promptHash(exact, schema)).toBe(before)
    }
  })
})

describe('the best strategy of a model', () => {
  const memory = () => {
    const kept = new Map<string, string>()
    return {
      kept,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    }
  }

  it('is found by its exact id, until it is forgotten, whatever else is stored there', () => {
    const storage = memory()
    storeMeasuredBest(storage, 'a/b', 'VCP')
    storeMeasuredBest(storage, '__proto__', 'XML_Tag')
    expect(measuredBest(storage, 'a/b')).toEqual({ strategy: 'VCP', by: null })
    expect(measuredBest(storage, '__proto__')).toEqual({ strategy: 'XML_Tag', by: null })
    expect(measuredBest(storage, 'a/B')).toBeNull()
    storeMeasuredBest(storage, 'a/b', null)
    expect(measuredBest(storage, 'a/b')).toBeNull()
    for (const damaged of ['{', '{}', '[1]', '[["a/b","Morse"]]']) {
      for (const key of ['nod-lab-best', 'nod-lab-best-imported']) storage.kept.set(key, damaged)
      expect(measuredBest(storage, 'a/b')).toBeNull()
    }
  })

  const { setup } = lab('r')
  const plan = { ...setup.plan, probeCount: 40 }
  /** XML_Tag right in all of 40, VCP in none. */
  const records = Array.from({ length: 80 }, (_, number) => record(number, number < 40 ? 'right' : 'no-call'))
  const told = labResultOf({ ...setup, plan }, reportOf(plan, ownProbes, records), 'Ada\u202e\n\tL.')

  it('comes from an imported result if none was measured here, with its author’s name', () => {
    const storage = memory()
    const read = readResult(JSON.stringify(told))
    storeImportedBest(storage, importedBests(read.ok ? [read.value] : []))
    expect(measuredBest(storage, told.model)).toEqual({ strategy: 'XML_Tag', by: 'Ada L.' })
    expect(measuredBest(storage, 'another')).toBeNull()
    storeMeasuredBest(storage, told.model, 'VCP')
    expect(measuredBest(storage, told.model)).toEqual({ strategy: 'VCP', by: null })
    storeMeasuredBest(storage, told.model, null)
    storeImportedBest(storage, [])
    expect(measuredBest(storage, told.model)).toBeNull()
  })

  it('ignores a result that shows no best strategy, or was measured with other prompts', () => {
    expect(importedBest({ ...told, comparisons: [] })).toBe('none')
    expect(importedBest({ ...told, promptHash: '0000000000000000' })).toBe('prompts')
    expect(importedBest({ ...told, strategies: told.strategies.slice(0, 1) })).toBe('prompts')
  })

  it('comes from the latest measurement, whenever it was imported', () => {
    const later = { ...told, startedAt: told.startedAt + 1, by: null }
    const storage = memory()
    storeImportedBest(storage, importedBests([later, told]))
    expect(measuredBest(storage, told.model)).toEqual({ strategy: 'XML_Tag', by: '' })
  })
})

describe('trials by the server', () => {
  const request: TrialRequest = {
    model: 'm',
    strategy: 'VCP',
    systemPrompt: '',
    tools: [],
    turns: [{ role: 'user', text: 'x' }],
  }
  const signal = new AbortController().signal
  const linesOf = async (answer: Response | Error) => {
    const fetchFrom = () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer))
    const lines: TrialLine[] = []
    for await (const line of createServerTrials(fetchFrom).ask(request, signal)) lines.push(line)
    return lines
  }
  const refusal = (status: number, code: string, headers = {}) =>
    Response.json({ error: { code, reason: '', values: {}, message: 'No.' } }, { status, headers })

  it('come as lines, and not without their end', async () => {
    const text =
      '{"type":"text","text":"a","ms":1}\n\n{"type":"end","outcome":"finished","failure":null,"usage":null,"firstTextMs":1,"ms":2}\n'
    expect((await linesOf(new Response(text))).map(({ type }) => type)).toEqual(['text', 'end'])
    await expect(linesOf(new Response('{"type":"text","text":"a","ms":1}\n'))).rejects.toMatchObject({ isFinal: false })
    await expect(linesOf(new TypeError('down'))).rejects.toMatchObject({ isFinal: false, retryAfterSeconds: null })
  })

  it('wait when asked to, and give up if waiting would change nothing', async () => {
    const busy = refusal(429, 'rate-limited', { 'retry-after': '5' })
    await expect(linesOf(busy)).rejects.toMatchObject({ message: 'No.', retryAfterSeconds: 5, isFinal: false })
    const used = refusal(429, 'over-budget', { 'retry-after': '5000' })
    await expect(linesOf(used)).rejects.toMatchObject({ retryAfterSeconds: null, isFinal: true })
    for (const code of ['forbidden', 'bad-request', 'unknown-model']) {
      await expect(linesOf(refusal(400, code))).rejects.toMatchObject({ isFinal: true })
    }
    await expect(linesOf(refusal(500, 'internal'))).rejects.toMatchObject({ isFinal: false })
  })
})
