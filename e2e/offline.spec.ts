import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { appUrl, basePath, restartPort } from './support/addresses'
import { Chat } from './support/chat'
import { startNod } from './support/start-nod'

test.use({ serviceWorkers: 'allow' })

const origin = `http://127.0.0.1:${restartPort}`
const base = `${origin}${basePath}`

/** One visit: the page is in use, and everything is preloaded. */
async function untilKept(page: Page): Promise<void> {
  await page.mouse.move(40, 40)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await expect.poll(() => page.evaluate(() => localStorage.getItem('nod-frames'))).toContain('/show.html')
}

/** The saved list of chats contains `text`: it is written after the page has received it. */
const untilListKept = (page: Page, text: string) =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
        const lists = kept.flat().filter(({ url }) => new URL(url).pathname.endsWith('/api/conversations'))
        const texts = lists.map(async (request) => (await caches.match(request))?.text())
        return (await Promise.all(texts)).join('\n')
      }),
    )
    .toContain(text)

test('the server goes away after one visit: reading, files and the playground work; messages wait for it', async ({
  page,
}, { workerIndex }) => {
  const dataDir = `.cache/e2e-offline-${workerIndex}`
  let server = await startNod({ port: restartPort, dataDir })
  const chat = new Chat(page)
  try {
    await chat.open(`${base}/`)
    await untilKept(page)
    await chat.ask('write /kept.md: read me without a server')
    await chat.runThrough('write_file')
    const address = page.url()
    // Once through the service worker, as on each visit after the first.
    await page.reload()
    await expect(chat.result('write_file')).toContainText('done')
    const row = chat.conversations.getByRole('link').filter({ hasText: 'kept.md' }).first()
    await expect(row).toBeVisible()
    await untilListKept(page, 'kept.md')
    await server.kill()

    await page.goto(address)
    await expect(page.getByRole('status').filter({ hasText: 'The server cannot be reached' })).toContainText(
      'This is a saved copy of the chat from',
    )
    await expect(chat.log).toContainText('read me without a server')
    await expect(chat.result('write_file')).toContainText('done')
    await expect(row).toBeVisible()
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])

    // Its files are in this browser.
    await page.getByRole('button', { name: 'Workspace', exact: true }).click()
    await expect(page.getByRole('treeitem', { name: /kept\.md/ })).toBeVisible()

    await chat.message.fill('list files /')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByRole('article', { name: /not sent/i })).toContainText('list files /')

    // Pages that were never opened.
    await page.goto(`${base}/playground`)
    await page
      .getByRole('textbox', { name: 'Reply', exact: true })
      .fill('{"tool_calls":[{"name":"write_file","arguments":{"path":"/pasted.md","content":"by hand"}}]}')
    const reading = page.getByRole('region', { name: 'Reading', exact: true })
    await expect(reading).toContainText('1 call')
    // A pasted reply runs by hand, and its result is formatted for its chat.
    await reading.getByRole('button', { name: 'Run it here' }).click()
    await page.getByRole('button', { name: 'Run tool', exact: true }).click()
    await page.getByRole('group', { name: 'Run write_file?' }).getByRole('button', { name: /^Run/ }).click()
    await page.getByRole('button', { name: /^Send result/ }).click()
    const told = page.getByRole('region', { name: 'What a model would get' })
    await expect(told).toContainText('/pasted.md')
    await expect(told).toContainText('completed')
    await expect(told.getByRole('button', { name: 'copy for the model' })).toBeEnabled()
    await page.goto(`${base}/verify`)
    const nothing = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no record') }
    await page.getByLabel('Exported chat or record').setInputFiles(nothing)
    await expect(page.getByRole('alert').filter({ hasText: 'contains no Nod record' })).toBeVisible()
    await page.goto(`${base}/licences`)
    await expect(page.getByRole('heading', { name: 'This page needs the server' })).toBeVisible()

    // It is back, with offline work turned off: waiting messages are sent, and the browser deletes its caches.
    server = await startNod({ port: restartPort, dataDir, env: { NOD_OFFLINE: 'off' } })
    await page.goto(address)
    await expect(chat.call('list_directory')).toBeVisible()
    await expect(page.getByText('The server cannot be reached')).toHaveCount(0)
    await page.mouse.move(60, 60)
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([])
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
      .toBe(0)
  } finally {
    await server.kill()
  }
})

test('the system shows the installed app’s name in the reader’s language', async ({ page }) => {
  await page.goto(`${appUrl}/`)
  const href = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? ''
  expect(href).toMatch(/\?in=en$/)
  const manifest = await page.request.get(new URL(href.replace('=en', '=zh-CN'), appUrl).href)
  const said = (await manifest.json()) as { icons: { src: string }[] }
  expect(said).toMatchObject({ lang: 'zh-CN', display: 'standalone', start_url: basePath || '/' })
  for (const { src } of said.icons) {
    expect((await page.request.get(new URL(src, appUrl).href)).headers()['content-type']).toBe('image/png')
  }
  const worker = await page.request.get(`${appUrl}/sw.js`)
  expect(worker.headers()).toMatchObject({ 'cache-control': 'no-cache', 'service-worker-allowed': basePath || '/' })
})

test(
  'a long reply that ends unseen is announced by a notification, once the user allows it',
  { tag: '@nightly' },
  async ({ page, context }) => {
    await context.grantPermissions(['notifications'], { origin: new URL(appUrl).origin })
    const chat = new Chat(page)
    await chat.open()
    await page.mouse.move(40, 40)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await chat.send('slow reply 12')
    await page.getByRole('button', { name: 'Notify me', exact: true }).click()
    // Playwright keeps every page visible.
    await page.evaluate(() =>
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' }),
    )
    await chat.settled()
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        return (await registration.getNotifications()).map(({ title, body }) => ({ title, body }))
      })
    await expect.poll(shown).toHaveLength(1)
    const [notice] = await shown()
    expect(notice?.title).toBe('slow reply 12')
    // How it ended, and nothing of its text.
    expect(notice?.body).not.toContain('script')
  },
)
