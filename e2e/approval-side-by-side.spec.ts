import { expect, test } from '@playwright/test'
import { evaluate, press, ScriptedChat, write } from './support/scripted-chat'

// Calls of one start, concurrently and one after the other, and what remains of them after a stop.

const sleeps = [1, 2, 3]
  .map((number) =>
    evaluate(
      `const from = Date.now(); await new Promise((r) => setTimeout(r, 1500)); return { number: ${number}, from, to: Date.now() }`,
    ),
  )
  .join('\n')

interface Slept {
  readonly number: number
  readonly from: number
  readonly to: number
  /** As shown on the card. */
  readonly durationMs: number
}

/** The runs' own times, in the order in which the model got their results. */
async function run(chat: ScriptedChat): Promise<readonly Slept[]> {
  await chat.begin()
  await press(chat.page.getByRole('group', { name: '3 calls are waiting for you' }), 'Run all')
  await expect(chat.card('browser_js_eval').filter({ hasText: 'done' })).toHaveCount(3)
  const told = await chat.told(2)
  const { calls } = await chat.view()
  const slept = calls
    .toSorted((a, b) => a.slot - b.slot)
    .flatMap(({ outcome }) =>
      outcome ? [(outcome.result as unknown as { readonly value: Omit<Slept, 'durationMs'> }).value] : [],
    )
  expect(slept).toHaveLength(3)
  expect(slept.map(({ from }) => told.indexOf(String(from)))).toEqual(
    slept.map(({ from }) => told.indexOf(String(from))).toSorted((a, b) => a - b),
  )
  return slept.map((each, at) => ({
    ...each,
    durationMs: calls.find(({ slot }) => slot === at)?.outcome?.durationMs ?? 0,
  }))
}

test(
  'code runs side by side if the chat is set so, otherwise strictly one after the other',
  { tag: '@nightly' },
  async ({ page }) => {
    const together = await run(await ScriptedChat.open(page, [sleeps], { tools: { parallelExecution: true } }))
    expect(Math.max(...together.map(({ from }) => from))).toBeLessThan(Math.min(...together.map(({ to }) => to)))
    const apart = await run(await ScriptedChat.open(page, [sleeps]))
    for (const [at, { from, to, durationMs }] of apart.entries()) {
      const before = apart[at - 1] ?? { from: 0, to: 0 }
      expect(from).toBeGreaterThanOrEqual(before.to)
      // Its time does not include waiting for the previous call.
      expect(durationMs).toBeLessThan(to - before.from)
    }
  },
)

test(
  'a stop keeps finished calls and cancels the rest, over tabs and reloads; they can run after all',
  { tag: '@nightly' },
  async ({ page }) => {
    const chain = [write('/one.md', '1'), evaluate('for (;;) {}'), write('/two.md', '2'), write('/three.md', '3')]
    const chat = await ScriptedChat.open(page, [chain.join('\n')])
    await chat.begin()
    await press(page.getByRole('group', { name: '4 calls are waiting for you' }), 'Run all')
    await expect(chat.card('browser_js_eval')).toContainText('running')
    await expect(chat.card('write_file', '/two.md')).toContainText('queued')
    await press(chat.card('browser_js_eval'), 'Stop')
    const shows = async (tab: ScriptedChat) => {
      await expect(tab.card('write_file', '/one.md')).toContainText('done')
      await expect(tab.card('browser_js_eval')).toContainText('stopped')
      for (const path of ['/two.md', '/three.md']) await expect(tab.card('write_file', path)).toContainText('cancelled')
      await expect(tab.page.getByRole('group', { name: '2 calls were cancelled' })).toBeVisible()
    }
    await shows(chat)
    await shows(await chat.secondTab())
    await page.reload()
    await shows(chat)
    await press(chat.card('write_file', '/two.md'), 'Run anyway')
    await expect(chat.card('write_file', '/two.md')).toContainText('done')
    await press(page.getByRole('group', { name: '1 call was cancelled' }), 'Send finished results')
    const told = await chat.told(2)
    expect(told).toContain('It did not run.')
    const { calls } = await chat.view()
    const statuses = calls.toSorted((a, b) => a.slot - b.slot).map(({ outcome }) => outcome?.status)
    expect(statuses).toEqual(['completed', 'cancelled', 'completed', 'cancelled'])
  },
)
