import { expect, test } from '@playwright/test'
import { basePath, restartPort } from './support/addresses'
import { Chat } from './support/chat'
import { evaluate, ScriptedChat } from './support/scripted-chat'
import { startNod } from './support/start-nod'

test('a reload during a streaming reply loses nothing and ends with one reply', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.send('a long reply')
  await expect(chat.replies().last()).toContainText(/\w{3,}/)
  await page.reload()
  await chat.settled()
  await expect(chat.replies()).toHaveCount(1)
  await expect(chat.log).toContainText('That was the long reply')
})

test('stop keeps the text, says so, and never offers a Run, also after a reload', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.send('a slow reply, then write a file')
  await expect(chat.replies().last()).toContainText(/\w{3,}/)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(chat.log).toContainText('You stopped this reply')
  await page.reload()
  await expect(chat.log).toContainText('You stopped this reply')
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0)
  await chat.send('list files /')
  await expect(chat.call('list_directory')).toBeVisible()
})

test('a reply cut by the length limit says so and offers no Run', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.send('cut the reply')
  await expect(chat.log).toContainText('was cut off at the length limit')
  await page.reload()
  await expect(chat.log).toContainText('was cut off at the length limit')
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0)
})

test('a reload while a call waits shows the same card, and it runs once', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.ask('write /waiting.md: still here')
  await page.reload()
  await expect(chat.call('write_file')).toContainText('waiting for you')
  await chat.runThrough('write_file')
  await page.reload()
  await expect(chat.result('write_file')).toContainText('done')
  await expect(chat.call('write_file')).toHaveCount(0)
  await expect(chat.replies()).toHaveCount(2)
})

test('a reload while a call runs shows it as interrupted; only a click runs it again', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.send('compute await new Promise(() => {})')
  // The card says `running` from the click on; after a reload there is only the decision that the server stored.
  const decided = page.waitForResponse((answer) => answer.url().endsWith('/calls') && answer.ok())
  await chat.run('browser_js_eval')
  await decided
  await expect(chat.call('browser_js_eval')).toContainText('running')
  await page.reload()
  const card = page.getByRole('group', { name: /Tool (call|result): browser_js_eval/ })
  await expect(card).toContainText('interrupted')
  await card.getByRole('button', { name: 'Run again', exact: true }).click()
  await expect(card).toContainText('running')
  await card.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(card).toContainText('stopped')
  await expect(card).toContainText('The model does not know yet.')
  // The user's stop is stored in the row, so it is still the user's after a reload, in another tab and for the model.
  await page.reload()
  await expect(card).toContainText('stopped')
  // On a busy machine Stop may come before the sandbox has started, and then it says so.
  await expect(card).toContainText(/You stopped this (?:while it ran|before it started)\./)
  await expect(card).not.toContainText('closed or reloaded')
  await chat.ask('go on')
  await page.reload()
  await expect(card).toContainText('stopped')
})

test('a message sent while a call runs leaves it running, and card and model get its outcome', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [evaluate('await new Promise(() => {})'), 'All right.', 'I see.'])
  const { promise: asked, resolve: ask } = Promise.withResolvers<undefined>()
  await page.route('**/calls', async (route) => {
    await asked
    await route.continue()
  })
  await chat.begin()
  await chat.run('browser_js_eval')
  await expect(chat.call('browser_js_eval')).toContainText('running')
  await chat.send('Never mind.')
  await expect(page.getByRole('article', { name: 'Queued message' })).toContainText('Sends next')
  await page.getByRole('button', { name: 'Send now', exact: true }).click()
  ask(undefined)
  expect(await chat.told(2)).toContain('unfinished')
  const card = page.getByRole('group', { name: /Tool (call|result): browser_js_eval/ })
  await expect(card).toContainText('You sent a message before this call finished.')
  await expect(card).not.toContainText('closed or reloaded')
  const { promise: stored, resolve: store } = Promise.withResolvers<undefined>()
  await page.route(/\/calls(\/stop)?$/, async (route) => {
    const { outcome } = route.request().postDataJSON() as { outcome?: unknown }
    if (outcome !== undefined) await stored
    await route.continue()
  })
  await card.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(card).toContainText('stopped')
  await chat.send('And now?')
  await expect(page.getByRole('article', { name: 'Queued message' })).toContainText('Sends next')
  store(undefined)
  await expect(chat.replies().last()).toContainText('I see.')
  const told = await chat.told(3)
  expect(told).toContain('has ended since')
  expect(told).toContain('cancelled')
  await page.reload()
  await expect(card).toContainText('The model got the outcome with a later message')
})

test('a message sent while a Stop is being stored waits for that only, and the model gets the outcome', async ({
  page,
}) => {
  const endless = "console.log('half'); await new Promise(() => {})"
  const chat = await ScriptedChat.open(page, [evaluate(endless), 'All right.'])
  const { promise: stored, resolve: store } = Promise.withResolvers<undefined>()
  await page.route('**/calls/stop', async (route) => {
    const { outcome } = route.request().postDataJSON() as { outcome?: unknown }
    if (outcome !== undefined) await stored
    await route.continue()
  })
  await chat.begin()
  await chat.run('browser_js_eval')
  await expect(chat.call('browser_js_eval')).toContainText('half')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(chat.result('browser_js_eval')).toContainText('stopped')
  await chat.send('Never mind.')
  const queued = page.getByRole('article', { name: 'Queued message' })
  await expect(queued).toContainText('Sends next')
  store(undefined)
  await expect(queued).toHaveCount(0)
  const told = await chat.told(2)
  expect(told).toContain('Never mind.')
  expect(JSON.stringify((await chat.sent()).at(-1))).toContain('half')
  await expect(chat.replies().last()).toContainText('All right.')
})

test('the server is killed during a reply and restarted: the text is kept, the chat continues', async ({ page }) => {
  const dataDir = `.cache/e2e-restart-${Date.now()}`
  let server = await startNod({ port: restartPort, dataDir, env: { NOD_DEMO_DELAY_MS: '40' } })
  try {
    const chat = new Chat(page)
    await chat.open(`http://localhost:${restartPort}${basePath}/`)
    await chat.send('a long reply')
    await expect(chat.replies().last()).toContainText(/(\w+\W+){12}/)
    await server.kill()
    await expect(page.getByText(/reconnecting|cannot be reached/i).first()).toBeVisible()
    server = await startNod({ port: restartPort, dataDir, env: { NOD_DEMO_DELAY_MS: '4' } })
    await expect(chat.log).toContainText(/server stopped/i, { timeout: 30_000 })
    await expect(chat.log).toContainText('a long reply')
    await page.reload()
    await expect(chat.log).toContainText(/server stopped/i)
    await chat.send('compute 1 + 1')
    await chat.run('browser_js_eval')
    await expect(chat.result('browser_js_eval')).toContainText('done')
  } finally {
    await server.kill()
  }
})

test('elements that a browser extension inserts before the page’s scripts run break nothing', async ({ page }) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.addInitScript(() => {
    const insert = (body: HTMLElement) => {
      for (const name of ['main', 'section', 'form', 'span', 'script', 'style', 'iframe', 'template', 'div'])
        body.prepend(document.createElement(name))
      body.prepend('words', document.createComment('a comment'))
    }
    const watch = new MutationObserver(() => {
      const drawn = document.querySelector<HTMLElement>('nod-page')
      if (!drawn) return
      watch.disconnect()
      insert(document.body)
      // A page that React renders again has another element.
      drawn.dataset['server'] = 'yes'
    })
    watch.observe(document, { childList: true, subtree: true })
  })
  const chat = new Chat(page)
  await chat.open()
  await expect(page.locator('nod-page[data-server]')).toHaveCount(1)
  await chat.ask('list files /')
  expect(errors).toEqual([])
})
