import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import type { ConversationsResponse, ConversationView } from '@/lib/shared/conversation/wire/api-types'
import { randomOf } from '@/lib/client/chats/testing/faults/random'
import { basePath, restartPort } from './support/addresses'
import { Chat } from './support/chat'
import { startNod } from './support/start-nod'

// `npm test -- faults --browser --rounds 100` sets these, with a fresh seed. Here the seed is the same each time, so
// that a failure is caused by the change under test.
const rounds = Number(process.env['NOD_FAULT_ROUNDS'] ?? 1)
const first = Number(process.env['NOD_FAULT_SEED'] ?? 20_261_122)
const base = `http://localhost:${restartPort}${basePath}`
const quick = { NOD_DEMO_DELAY_MS: '4' }

async function stored(context: BrowserContext): Promise<readonly ConversationView[]> {
  const listed = (await (await context.request.get(`${base}/api/conversations`)).json()) as ConversationsResponse
  return Promise.all(
    listed.conversations.map(async ({ id }) => {
      const answer = await context.request.get(`${base}/api/conversations/${id}`)
      return (await answer.json()) as ConversationView
    }),
  )
}

const languageOfRequest = (views: readonly ConversationView[]): readonly string[] =>
  views.flatMap(({ messages }) => messages.flatMap((row) => (row.role === 'user' && row.text ? [row.text] : [])))

test('messages sent while the server is away wait in the chat, outlive the page and are sent by themselves, once', async ({
  context,
  page,
}) => {
  const dataDir = `.cache/e2e-faults-${Date.now()}`
  let server = await startNod({ port: restartPort, dataDir, env: quick })
  try {
    const chat = new Chat(page)
    await chat.open(`${base}/`)
    await chat.ask('hello')
    const address = page.url()
    await server.kill()
    await chat.send('hello, words that wait')
    const waiting = page.getByRole('article', { name: 'You, not sent yet' })
    await expect(waiting).toContainText('hello, words that wait')
    await expect(waiting).toContainText('Sends automatically')
    await chat.message.fill('still typing')
    await chat.message.blur()
    await page.close()

    server = await startNod({ port: restartPort, dataDir, env: quick })
    const next = new Chat(await context.newPage())
    await next.open(address)
    await expect(next.replies()).toHaveCount(2)
    await expect(next.page.getByRole('article', { name: 'You, not sent yet' })).toHaveCount(0)
    await expect(next.message).toHaveValue('still typing')
    await next.settled()
    expect(languageOfRequest(await stored(context))).toEqual(['hello', 'hello, words that wait'])
  } finally {
    await server.kill()
  }
})

test('whatever breaks, each message exists once, without a branch or a run that nobody requested', async ({
  browser,
}) => {
  test.setTimeout(240_000 + rounds * 60_000)
  for (let round = 0; round < rounds; round += 1) {
    const seed = first + round
    await test.step(`seed ${seed}`, async () => {
      const context = await browser.newContext()
      const wrong = await breakThings(context, seed)
      await inTime(context.close())
      expect(wrong, `seed ${seed}`).toEqual([])
    })
  }
})

const inTime = (closing: Promise<void>) => Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 5_000))])

async function breakThings(context: BrowserContext, seed: number): Promise<readonly string[]> {
  const random = randomOf(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const dataDir = `.cache/e2e-faults-${seed}-${Date.now()}`
  let server: Awaited<ReturnType<typeof startNod>> | null = await startNod({ port: restartPort, dataDir, env: quick })
  const pages: Page[] = []
  const sent: string[] = []
  let words = 0
  let address = `${base}/`

  const open = async () => {
    const page = await context.newPage()
    pages.push(page)
    await page.goto(address).catch(() => null)
  }
  const replace = async (page: Page) => {
    pages.splice(pages.indexOf(page), 1)
    await open()
    // Observed once: a page that shows the browser's own offline page, with requests watched, never reports that it is
    // closed.
    await inTime(page.close())
  }
  const say = async (page: Page) => {
    const field = page.getByRole('textbox', { name: 'Message', exact: true })
    const button = page.getByRole('button', { name: 'Send', exact: true })
    if (!(await field.isVisible()) || !(await button.isEnabled({ timeout: 500 }).catch(() => false))) return
    // Taken before anything is awaited: two pages that send something at once send different text.
    const number = (words += 1)
    if ((await field.inputValue()) === '')
      await field.fill(below(3) === 0 ? `write /w${number}.md: yes` : `hello w${number}`)
    const text = await field.inputValue()
    await button.click({ timeout: 1_000 }).catch(() => null)
    if ((await field.inputValue()) !== text) sent.push(text)
    if (page.url().startsWith(`${base}/c/`)) address = page.url()
  }
  const once = (pattern: string, how: 'lost' | 'unanswered' | 'slow') =>
    context.route(
      pattern,
      async (route) => {
        if (route.request().method() === 'GET') return route.fallback()
        if (how === 'lost') return route.abort('connectionreset')
        const answer = await route.fetch().catch(() => null)
        if (!answer || how === 'unanswered') return route.abort('connectionreset')
        await new Promise((resolve) => setTimeout(resolve, 700))
        return route.fulfill({ response: answer }).catch(() => undefined)
      },
      { times: 1 + below(3) },
    )
  const deeds: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    say,
    'say again': say,
    'say to it all': async () => Promise.all(pages.map(say)),
    'lose a request': () => once('**/api/chat', 'lost'),
    'lose an answer': () => once('**/api/chat', 'unanswered'),
    'slow answers': () => once('**/api/**', 'slow'),
    'lose a word on a call': () => once('**/calls', 'unanswered'),
    offline: () => context.setOffline(true),
    online: () => context.setOffline(false),
    reload: (page) => page.reload({ timeout: 3_000 }).catch(() => replace(page)),
    close: replace,
    'second tab': async () => (pages.length < 2 ? open() : null),
    run: (page) =>
      page
        .getByRole('button', { name: 'Run', exact: true })
        .first()
        .click({ timeout: 500 })
        .catch(() => null),
    kill: async () => {
      await server?.kill()
      server = null
    },
    start: async () => (server ??= await startNod({ port: restartPort, dataDir, env: quick })),
  }

  try {
    await open()
    for (let step = 0; step < 14; step += 1) {
      const names = Object.keys(deeds)
      await deeds[names[below(names.length)] ?? '']?.(pages[below(pages.length)] as Page)
      await pages[0]?.waitForTimeout(below(4) * 150)
    }
    // Everything works again, and a page is open.
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.setOffline(false)
    server ??= await startNod({ port: restartPort, dataDir, env: quick })
    for (const page of pages.slice()) await page.goto(address).catch(() => replace(page))
    const waits = () =>
      (pages[0] as Page).evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('nod:outbox:')).length)
    await expect.poll(waits, { timeout: 45_000 }).toBe(0)
    const running = async () => (await stored(context)).filter(({ activeRunId }) => activeRunId !== null).length
    await expect.poll(running, { timeout: 30_000 }).toBe(0)
    return wrongIn(await stored(context), sent)
  } finally {
    await server?.kill()
  }
}

function wrongIn(views: readonly ConversationView[], sent: readonly string[]): readonly string[] {
  const said = languageOfRequest(views)
  const times = (text: string) => said.filter((one) => one === text).length
  const wrong = sent.filter((text) => times(text) !== 1).map((text) => `“${text}” stands ${times(text)} times`)
  for (const text of said) if (!sent.includes(text)) wrong.push(`“${text}” was never sent`)
  for (const { messages } of views) {
    const parents = messages.map(({ parentId }) => parentId)
    if (new Set(parents).size !== parents.length) wrong.push('there is a branch that nobody asked for')
  }
  return wrong
}
