import { randomUUID } from 'node:crypto'
import { expect, test, type Locator } from '@playwright/test'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { callHash } from '@/lib/shared/calls/call-hash'
import { appUrl } from './support/addresses'
import { evaluate, list, otherProfile, press, ScriptedChat, write } from './support/scripted-chat'

// Each call runs exactly once, and only with the arguments that were seen.

const CALLS = process.env['NOD_TESTS'] === 'all' ? 20 : 8
// `NOD_RACES=300 npm test -- e2e e2e/approval-race.spec.ts` does more.
const REPLIES = Math.ceil(Number(process.env['NOD_RACES'] ?? CALLS) / CALLS)

/** Creates a new file for each run, so that a second run can't go unnoticed. */
const mark = (round: number) =>
  evaluate(
    `await fs.mkdir('/ran', { recursive: true }); await fs.writeFile('/ran/${round}-' + Math.random().toString(36).slice(2), ''); ${round}`,
  )

/** Clicks if the button exists at this moment, without waiting for it. */
const clickNow = (card: Locator): Promise<number> =>
  card.getByRole('button', { name: 'Run', exact: true }).evaluateAll((found) => {
    for (const button of found) (button as HTMLButtonElement).click()
    return found.length
  })

test('two tabs click Run on the same call at once, repeatedly: each runs once', async ({ page }) => {
  test.setTimeout(240_000 + REPLIES * 30_000)
  const rounds = Array.from({ length: REPLIES * CALLS }, (_, round) => round)
  const replies = Array.from({ length: REPLIES }, (_, reply) =>
    rounds
      .slice(reply * CALLS, (reply + 1) * CALLS)
      .map(mark)
      .join('\n'),
  )
  const chat = await ScriptedChat.open(page, [...replies, evaluate("(await fs.readdir('/ran')).join(' ')")], {
    tools: { maxIterations: 50 },
  })
  await chat.begin()
  const other = await chat.secondTab()
  let inBoth = 0
  for (let reply = 0; reply < REPLIES; reply += 1) {
    const first = reply * CALLS
    for (const tab of [chat, other]) await expect(tab.cards()).toHaveCount(first + CALLS)
    for (let call = first; call < first + CALLS; call += 1) {
      const clicks = await Promise.all([chat, other].map((tab) => clickNow(tab.cards().nth(call))))
      if (clicks.every((count) => count === 1)) inBoth += 1
    }
    await expect(chat.replies()).toHaveCount(reply + 2, { timeout: 60_000 })
    await chat.settled()
  }
  // If one tab had always been too late, nothing would be proven.
  expect(inBoth).toBeGreaterThan((REPLIES * CALLS) / 2)
  await chat.run('browser_js_eval')
  const told = await chat.told(REPLIES + 2)
  const ran = [...told.matchAll(/\b(\d+)-[0-9a-z]{6,}/g)].map((match) => Number(match[1]))
  expect(ran.toSorted((a, b) => a - b)).toEqual(rounds)
})

test('a forged decision is refused, whatever it claims, and nothing runs', async ({ page, browser }) => {
  const chat = await ScriptedChat.open(page, [`${evaluate('6 * 7')}\n${write('/n/a.md', 'a')}\n${list('/')}`])
  await chat.begin()
  const { messages } = await chat.view()
  const messageId = messages.at(-1)?.id ?? ''
  const url = `${appUrl}/api/conversations/${chat.id}/calls`
  const hashes = await Promise.all([
    callHash(messageId, 0, 'browser_js_eval', { code: '6 * 7' }),
    callHash(messageId, 1, 'write_file', { path: '/n/a.md', content: 'a' }),
    callHash(messageId, 2, 'list_directory', { path: '/' }),
  ])
  const decide = (slot: number, more: object) => ({
    messageId,
    slot,
    callHash: hashes[slot],
    decision: 'run',
    runnerId: randomUUID(),
    attempt: 1,
    ...more,
  })
  const grants = `${appUrl}/api/conversations/${chat.id}/grants`
  const give = (slot: number) => ({ id: randomUUID(), messageId, slot, callHash: hashes[slot], kind: 'tool' })
  // An approval for code can't be remembered; one for another tool is real, and still does not cover code.
  expect((await page.request.post(grants, { data: give(0) })).status()).toBe(409)
  const grant = give(1)
  expect((await page.request.post(grants, { data: grant })).ok()).toBe(true)

  const forged = [
    decide(0, { callHash: await callHash(messageId, 0, 'browser_js_eval', { code: '6 * 8' }) }),
    decide(0, { by: { kind: 'auto' } }),
    decide(2, { by: { kind: 'auto' } }),
    decide(0, { by: { kind: 'grant', grantId: grant.id } }),
    decide(2, { by: { kind: 'grant', grantId: grant.id } }),
    // It was given on this reply, so it applies from the next one on.
    decide(1, { by: { kind: 'grant', grantId: grant.id } }),
    decide(1, { by: { kind: 'grant', grantId: randomUUID() } }),
    decide(0, { attempt: 2 }),
  ]
  for (const data of forged) {
    const answer = await page.request.post(url, { data })
    expect(answer.status(), `${JSON.stringify(data)} → ${await answer.text()}`).toBeGreaterThanOrEqual(400)
  }
  const stranger = await browser.newContext()
  expect((await stranger.request.post(url, { data: decide(0, {}) })).status()).toBe(404)
  await stranger.close()
  // Another site's page can't either, with or without a cookie.
  const foreign = await page.request.post(url, { data: decide(0, {}), headers: { 'sec-fetch-site': 'cross-site' } })
  expect(foreign.status()).toBe(403)

  expect((await chat.view()).calls).toEqual([])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveCount(3)

  // A repeated decision is not made again, and does not run in a tab that did not make it.
  const sentAgain = decide(2, { decision: 'deny' })
  const twice = [
    await page.request.post(url, { data: sentAgain }),
    await page.request.post(url, { data: decide(2, {}) }),
  ]
  const answers = (await Promise.all(twice.map((answer) => answer.json()))) as { granted: boolean; call: CallRecord }[]
  expect(answers.map(({ granted, call }) => [granted, call.decision])).toEqual([
    [true, 'deny'],
    [false, 'deny'],
  ])
})

test('a change between viewing and clicking: the card shows the change and asks again', async ({ page, context }) => {
  const chat = await ScriptedChat.open(page, [write('/seen.md', 'as seen')])
  await chat.begin()
  // In another profile, nothing tells this page about the change: it clicks on what it had shown.
  const elsewhere = await otherProfile(context)
  const other = await chat.in(await elsewhere.newPage())
  await press(other.card('write_file'), 'Edit')
  const form = other.page.getByRole('form', { name: 'Edit the call' })
  await form.getByRole('textbox', { name: 'path' }).fill('/other.md')
  await press(form, 'Save')
  await expect(other.card('write_file')).toContainText('You changed path.')

  await expect(chat.card('write_file')).not.toContainText('/other.md')
  await chat.run('write_file')
  await expect(chat.card('write_file')).toContainText('You changed path.')
  await expect(chat.card('write_file')).toContainText('waiting for you')
  expect((await chat.view()).calls).toEqual([])
  await chat.runThrough('write_file')
  expect(await chat.told(2)).toContain('/other.md')
  await elsewhere.close()
})

test(
  'the same person in another browser profile sees the same cards, and can decide there',
  { tag: '@nightly' },
  async ({ page, context }) => {
    const all = [write('/a.md', 'a'), list('/'), write('/b.md', 'b'), evaluate('6 * 7')].join('\n')
    const chat = await ScriptedChat.open(page, [all], {
      tools: { toolRules: { list_directory: { result: 'always' } } },
    })
    await chat.begin()
    await press(chat.card('write_file', '/a.md'), 'Deny')
    await chat.run('list_directory')
    await expect(chat.result('list_directory')).toContainText('result needs review')

    const elsewhere = await otherProfile(context)
    const other = await chat.in(await elsewhere.newPage())
    await expect(other.card('write_file', '/a.md')).toContainText('denied')
    await expect(other.result('list_directory')).toContainText('result needs review')
    await expect(other.card('write_file', '/b.md')).toContainText('waiting for you')
    await expect(other.call('browser_js_eval')).toContainText('waiting for you')
    await press(other.result('list_directory'), 'Send result')
    await press(other.card('write_file', '/b.md'), 'Deny')
    await other.run('browser_js_eval')
    await expect(other.result('browser_js_eval')).toContainText('done')
    expect(await chat.told(2)).toContain('42')
    await page.reload()
    await expect(chat.result('browser_js_eval')).toContainText('done')
    await expect(chat.result('list_directory')).toContainText('done')
    await elsewhere.close()
  },
)
