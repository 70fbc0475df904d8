// @vitest-environment jsdom
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { englishIn, inChinese } from '@/components/ui/testing/in-chinese'
import { obedience, obeyingReply } from '@/e2e/support/obeying-model'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { trialInput } from '@/lib/shared/prompt/trial-input'
import type { TrialRequest } from '@/lib/shared/conversation/wire/trial'
import { ownProbes } from '@/lib/client/lab/probes/own-probes'
import { labResultOf, promptHash } from '@/lib/client/lab/lab-result'
import type { AskedOf } from '@/lib/client/lab/play-trial'
import type { LabSetup } from '@/lib/client/lab/lab-runner'
import { measuredBest } from '@/lib/client/lab/measured-best'
import { reportOf } from '@/lib/client/lab/report'
import type { TrialRecord } from '@/lib/client/lab/trial-record'
import { isNightly } from '@/scripts/test/nightly'
import { Lab } from './lab'

// A busy machine is slow.
configure({ asyncUtilTimeout: 30_000 })

const model = { id: 'test/obeys', label: 'Obeys', providerLabel: 'Test', contextTokens: null, simulated: false }
const usage = { inputTokens: 10, outputTokens: 5 }
const withheldWithoutClick = new IDBFactory()
/** Only this many trials are answered; later ones never are. */
let answered = 0
let most = Number.POSITIVE_INFINITY

function trial(request: TrialRequest): Response | Promise<Response> {
  answered += 1
  if (answered > most) return new Promise(() => {})
  const { instructions, messages } = trialInput(request)
  const said = messages.map(({ role, content }) => ({ role, content: typeof content === 'string' ? content : '' }))
  const text = obeyingReply([{ role: 'system', content: instructions }, ...said]) ?? ''
  const lines = [
    { type: 'text', text, ms: 3 },
    { type: 'end', outcome: 'finished', failure: null, usage, firstTextMs: 3, ms: 4 },
  ]
  return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

beforeEach(() => {
  answered = 0
  most = Number.POSITIVE_INFINITY
  localStorage.clear()
  vi.stubGlobal('indexedDB', withheldWithoutClick)
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) =>
    address.endsWith('/api/models')
      ? Promise.resolve(Response.json({ models: [model], defaultModel: model.id, problems: [] }))
      : Promise.resolve(trial(JSON.parse(init?.body as string) as TrialRequest)),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const part = (name: string) => within(screen.getByRole('region', { name }))
const all = ownProbes.length * 2

describe('the lab page', () => {
  // On each change e2e/lab.spec.ts measures, and lib/client/lab/lab.test.ts continues after a reload.
  it.runIf(isNightly)(
    'measures, shows the results again after a reload, and says what it found',
    async () => {
      most = 40
      const first = render(<Lab />)
      await waitFor(() =>
        expect(part('Test a model').getByRole('combobox', { name: 'Model' })).toHaveProperty('value', model.id),
      )
      fireEvent.click(part('Test a model').getByRole('button', { name: 'Start' }))
      await waitFor(() => expect(part('Progress').getByRole('status').textContent).toMatch(/^[1-9]\d* of/))
      await waitFor(() => expect(answered).toBeGreaterThan(most))
      first.unmount()

      most = Number.POSITIVE_INFINITY
      render(<Lab />)
      const resume = await waitFor(() => part('Progress').getByRole('button', { name: 'Resume' }))
      expect(part('Progress').getByRole('status').textContent).toMatch(/^[1-9]\d* of/)
      const before = answered
      fireEvent.click(resume)
      const done = `${all} of ${all} trials have a verdict.`
      // Queried once, because a query by role at each verdict takes longer than all of them.
      const status = part('Progress').getByRole('status')
      await waitFor(() => expect(status.textContent).toBe(done))
      // Trials with a verdict were not asked again.
      expect(answered - before).toBeLessThan(all * 1.3 - 20)

      const report = part('Report')
      expect(report.getByText(/^XML_Tag is better than JSON_Strict here, p [=<] /)).toBeDefined()
      for (const [strategy, rate] of Object.entries(obedience)) {
        const cells = within(report.getByRole('row', { name: new RegExp(`^${strategy}`) })).getAllByRole('cell')
        const [, low, high] = /(\d+) % to (\d+) %/.exec(cells[0]?.textContent ?? '') ?? []
        expect(Number(low)).toBeLessThanOrEqual(rate * 100)
        expect(Number(high)).toBeGreaterThanOrEqual(rate * 100)
      }
      expect(report.getByRole('img').getAttribute('aria-label')).toMatch(/XML_Tag: \d+ %, between/)
      expect(measuredBest(localStorage, model.id)).toEqual({ strategy: 'XML_Tag', by: null })

      fireEvent.change(part('Trials').getByRole('combobox', { name: 'Verdict' }), { target: { value: 'no-call' } })
      fireEvent.click(part('Trials').getAllByRole('button')[0] as HTMLElement)
      expect(screen.getByRole('region', { name: 'Trial' }).textContent).toContain('It answered with text')
      expect(screen.getByRole('region', { name: 'Trial' }).textContent).toContain('[system]')
      expect(screen.getByRole('textbox', { name: 'Reply' })).toHaveProperty('value', 'I would rather talk about it.')
      fireEvent.click(screen.getByRole('button', { name: 'Back to report' }))
      fireEvent.click(part('Progress').getByRole('button', { name: 'Delete this lab' }))
      await waitFor(() => expect(screen.queryByRole('region', { name: 'Report' })).toBeNull())
    },
    90_000,
  )

  it('reads a probe file, reports its bad lines, and keeps the old probes if it has none', async () => {
    render(<Lab />)
    const form = part('Test a model')
    const choose = (text: string) =>
      fireEvent.change(form.getByLabelText('Probe files'), {
        target: { files: [new File([text], '../\u202ex.jsonl')] },
      })
    choose('no json')
    await waitFor(() => expect(form.getByText(/no probes that the lab can use/)).toBeDefined())
    expect(form.getByRole('checkbox', { name: 'one call (8)' })).toBeDefined()
    const probe = {
      id: 'mine',
      question: 'Read it',
      function: [{ name: 'f', parameters: { type: 'dict', properties: {} } }],
      ground_truth: [{ f: {} }],
    }
    choose(`${JSON.stringify(probe)}\n{"id":`)
    await waitFor(() => expect(form.getByRole('checkbox', { name: 'from your file (1)' })).toBeDefined())
    expect(form.getByText(/Line 2 is not valid JSON/)).toBeDefined()
    expect(form.getByText('U+202E', { exact: false })).toBeDefined()
    fireEvent.click(form.getByRole('button', { name: 'Use the built-in probes' }))
    expect(form.getByRole('checkbox', { name: 'one call (8)' })).toBeDefined()
  })

  it('stays small with a large probe file and hostile names, and says what is too much and what to do', async () => {
    render(<Lab />)
    const form = part('Test a model')
    await waitFor(() => expect(form.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', false))
    const before = document.querySelectorAll('*').length
    const names = ['__proto__', 'constructor', '../../x', '\u202egnp', '<img src=x>', 'a b', '9', 'x'.repeat(300)]
    const lines = Array.from({ length: 8_500 }, (_, at) => {
      const name = names[at % names.length] ?? ''
      const tool = { name, parameters: { type: 'dict', properties: {} } }
      return JSON.stringify({
        id: `${name}-${at}`,
        question: `Go ${at}`,
        function: [tool],
        ground_truth: [{ [name]: {} }],
      })
    })
    // A key `__proto__` in JSON text, not in an object literal.
    const text = lines.join('\n').replaceAll('"ground_truth":[{}]', '"ground_truth":[{"__proto__":{}}]')
    fireEvent.change(form.getByLabelText('Probe files'), { target: { files: [new File([text], 'many.jsonl')] } })
    await waitFor(() => expect(form.getByRole('checkbox', { name: 'from your file (8,500)' })).toBeDefined())
    expect(document.querySelectorAll('*').length).toBeLessThan(before + 50)
    expect(document.querySelector('img')).toBeNull()
    fireEvent.change(form.getByRole('spinbutton', { name: 'Trials per probe' }), { target: { value: '20' } })
    for (const { id } of toolContextBuilder.strategies) {
      const box = form.getByRole('checkbox', { name: id })
      if (!(box as HTMLInputElement).checked) fireEvent.click(box)
    }
    await waitFor(() => expect(form.getByText(/trials, and a lab runs at most 1,000,000\. Choose fewer/)).toBeDefined())
    expect(form.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', true)
    fireEvent.change(form.getByRole('textbox', { name: 'Filter probes' }), { target: { value: 'Go 77' } })
    expect(form.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', false)
  }, 60_000)

  it('shows the estimate before it starts, and needs a strategy to start', async () => {
    render(<Lab />)
    const form = part('Test a model')
    await waitFor(() => expect(form.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', false))
    expect(form.getByText(/^At most .* requests: about .* input tokens/)).toBeDefined()
    for (const name of ['JSON_Strict', 'XML_Tag']) fireEvent.click(form.getByRole('checkbox', { name }))
    expect(form.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', true)
    fireEvent.click(form.getByRole('checkbox', { name: 'VCP' }))
    expect(form.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', false)
    fireEvent.change(form.getByRole('textbox', { name: 'Temperature' }), { target: { value: 'hot' } })
    expect(form.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', true)
  })

  it('offers constrained trials if the model’s server supports them, and uses the configured prices', async () => {
    const choose = async (more: object) => {
      const known = { models: [{ ...model, ...more }], defaultModel: model.id, problems: [] }
      vi.stubGlobal('fetch', () => Promise.resolve(Response.json(known)))
      cleanup()
      render(<Lab />)
      const form = part('Test a model')
      await waitFor(() => expect(form.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', false))
      return form
    }
    const exact = { name: /^Also test exact calls/ }
    const requests = (form: ReturnType<typeof part>) =>
      Number(/^([\d,]+) requests/.exec(form.getByRole('status').textContent ?? '')?.[1]?.replaceAll(',', ''))
    const none = await choose({})
    expect(none.getByRole('checkbox', exact)).toHaveProperty('disabled', true)
    expect(none.getByText(/cannot enforce/)).toBeDefined()
    expect(none.getByRole('status').textContent).not.toContain('prices')

    const schema = await choose({ exact: { takes: 'json-schema', byDefault: false } })
    expect(schema.getByRole('checkbox', exact)).toHaveProperty('disabled', true)
    fireEvent.click(schema.getByRole('checkbox', { name: 'JSON_Action' }))
    expect(schema.getByText(/^For JSON_Action\. /)).toBeDefined()

    const price = { perMillionIn: 2, perMillionOut: 8 }
    const form = await choose({ exact: { takes: 'grammar', byDefault: true }, price })
    expect(form.getByRole('status').textContent).toContain('At these prices')
    expect(form.getByText(/configured with 2 for input and 8 for output/)).toBeDefined()
    const before = requests(form)
    fireEvent.click(form.getByRole('checkbox', exact))
    expect(requests(form)).toBe(before * 2)
    const said = form.getByRole('status').textContent
    fireEvent.change(form.getByRole('textbox', { name: 'Input' }), { target: { value: '200' } })
    fireEvent.change(form.getByRole('textbox', { name: 'Output' }), { target: { value: '800' } })
    expect(form.getByRole('status').textContent).not.toBe(said)
  })
})

describe('results of others', () => {
  const plan = { probeCount: 40, strategies: ['XML_Tag', 'VCP'] as const, trials: 1, seed: 1 }
  const asked: AskedOf = { model: model.id, temperature: null }
  /** XML_Tag is right in all 40, VCP in none. */
  const records = Array.from({ length: 80 }, (_, number): TrialRecord => {
    const verdict = number < 40 ? 'right' : 'no-call'
    const nothing = { rounds: [], calls: 0, repaired: 0, firstCallMs: null, firstTextMs: null }
    return { number, verdict, why: { reason: 'lab.why.right', values: {} }, ...nothing }
  })
  const setup: LabSetup = {
    version: 1,
    id: 'theirs',
    startedAt: 1,
    asked,
    modelLabel: 'Obeys',
    providerLabel: 'Test',
    plan,
    probeIds: [],
    probeFile: null,
    parallel: 1,
    promptHash: promptHash(plan, {}),
  }
  const result = labResultOf(setup, reportOf(plan, ownProbes, records), 'Ada')

  it('say whether they count, and what the chat’s lists then say', async () => {
    render(<Lab />)
    const theirs = part('Results from others')
    const choose = (value: object) =>
      fireEvent.change(theirs.getByLabelText('Result file'), {
        target: { files: [new File([JSON.stringify(value)], 'lab.json')] },
      })
    choose({ ...result, promptHash: '0000000000000000' })
    await waitFor(() => expect(theirs.getByText(/measured with other prompts/)).toBeDefined())
    expect(measuredBest(localStorage, model.id)).toBeNull()
    choose(result)
    await waitFor(() => expect(theirs.getByText(/^XML_Tag is the best for this model/)).toBeDefined())
    expect(measuredBest(localStorage, model.id)).toEqual({ strategy: 'XML_Tag', by: 'Ada' })
    for (const button of theirs.getAllByRole('button', { name: 'Remove' })) fireEvent.click(button)
    await waitFor(() => expect(measuredBest(localStorage, model.id)).toBeNull())
  })
})

describe('in Chinese', () => {
  it('shows nothing in English', async () => {
    inChinese()
    render(<Lab />)
    await waitFor(() => expect(screen.getByRole('combobox', { name: '模型' })).toHaveProperty('value', model.id))
    // The name of the model or of a call format.
    const isName = (text: string) => text === model.label || text === 'Native'
    for (const name of ['测试一个模型', '他人的结果'])
      expect(englishIn(screen.getByRole('region', { name })).filter((text) => !isName(text))).toEqual([])
  })
})
