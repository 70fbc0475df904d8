import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { looks } from './support/appearances'
import { inChinese } from './support/every-appearance'
import { inspect } from './support/inspect'
import { press, ScriptedChat, xmlCall } from './support/scripted-chat'

// Servers of npm whose tools have pages (MCP Apps), as they are.

interface AppServer {
  readonly url: string
  readonly program: ChildProcess
}

async function startApp(name: string): Promise<AppServer> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  const file = path.join('node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js')
  const env = { ...process.env, PORT: String(port), DEBUG_LOG_FILE: '/dev/null' }
  const program = spawn(process.execPath, [file], { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}/mcp`
  const answers = () =>
    fetch(url).then(
      ({ body }) => body?.cancel().then(() => true) ?? true,
      () => false,
    )
  await expect.poll(answers, { timeout: 30_000 }).toBe(true)
  return { url, program }
}

/** Adds the server under this name, and approves all of its tools. */
async function add(page: Page, name: string, url: string, count: number): Promise<void> {
  await page.getByRole('button', { name: 'Chat settings' }).click()
  const drawer = page.getByRole('dialog', { name: 'Chat settings' })
  await drawer.getByRole('tab', { name: 'Tools', exact: true }).click()
  await drawer.getByRole('button', { name: 'Tool servers…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tool servers', exact: true })
  await dialog
    .getByRole('textbox', { name: 'Address or JSON' })
    .fill(JSON.stringify({ mcpServers: { [name]: { url } } }))
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByRole('button', { name: 'Review and add' }).click()
  const lock = page.getByRole('dialog', { name: 'What the model will read' })
  await lock.getByRole('button', { name: `Approve ${count} of ${count}` }).click()
  await expect(lock).toHaveCount(0)
  for (const open of ['Tool servers', 'Chat settings']) {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: open, exact: true })).toHaveCount(0)
  }
}

/** This page reports each of its events to its server, which nobody asked for. */
async function denyReports(card: Locator): Promise<void> {
  const reports = card.getByRole('group', { name: /asks to run debug-log/ })
  while ((await reports.count()) > 0) await reports.first().getByRole('button', { name: 'Deny' }).click()
}

test.describe('on a dark phone', () => {
  test.use(looks.darkPhone)

  test(
    'a real app shows its result, asks by cards and follows the theme; one that needs a network stays closed',
    { tag: '@nightly' },
    async ({ page }) => {
      const [debug, map] = await Promise.all([startApp('debug'), startApp('map')])
      try {
        const chat = await ScriptedChat.open(page, [
          xmlCall('debug_debug-tool', { contentType: 'mixed' }),
          'It works.',
          xmlCall('map_show-map', {}),
          'Here it is.',
        ])
        await add(page, 'debug', debug.url, 3)
        await add(page, 'map', map.url, 2)
        const card = chat.card('debug_debug-tool')
        const frame = page.frameLocator('iframe[title^="Page of"]')
        const asks = (what: RegExp) => card.getByRole('group', { name: what })

        await test.step('the page gets the whole result, the theme and the language', async () => {
          await chat.begin()
          expect(JSON.stringify(await chat.sent())).not.toContain('debug-refresh')
          await press(card, 'Run')
          await press(card, 'Open page')
          await expect(frame.getByText('ontoolresult:').first()).toBeVisible()
          await expect(frame.locator('#host-context-info')).toContainText(/Theme\s*dark/)
          await denyReports(card)
          await inspect(page, 'remote-app')
          await page.emulateMedia({ colorScheme: 'light' })
          await expect(frame.locator('#host-context-info')).toContainText(/Theme\s*light/)
          await page.emulateMedia({ colorScheme: 'dark' })
          await expect(frame.locator('#host-context-info')).toContainText(/Theme\s*dark/)
        })

        await test.step('a call that it wants is a card, and its result goes to the page', async () => {
          await denyReports(card)
          await frame.getByRole('button', { name: 'Call debug-refresh' }).click()
          const wish = asks(/asks to run debug-refresh/)
          await expect(wish).toContainText('no arguments')
          await inChinese(page, 'remote-app-asks')
          await wish.getByRole('button', { name: 'Run', exact: true }).click()
          await expect(card.getByText('debug-refresh: done, its result went to the page')).toBeVisible()
        })

        await test.step('what it has for the model, and a message, go to the field by a press', async () => {
          await denyReports(card)
          await frame.getByRole('button', { name: 'Update (Text)' }).click()
          const context = asks(/has something for the model/)
          await expect(context.getByRole('blockquote')).not.toBeEmpty()
          const text = (await context.getByRole('blockquote').textContent()) ?? ''
          await inChinese(page, 'remote-app-context')
          await context.getByRole('button', { name: 'Put it in the message field' }).click()
          await expect(context).toHaveCount(0)
          await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveValue(text)
          await page.getByRole('textbox', { name: 'Message', exact: true }).fill('')
          await denyReports(card)
          await frame.getByRole('button', { name: 'Send Text' }).click()
          await asks(/suggests a message/)
            .getByRole('button', { name: 'Don’t' })
            .click()
          await denyReports(card)
          await frame.getByRole('button', { name: 'Open Link' }).click()
          await expect(asks(/wants you to open an address/).getByRole('link')).toHaveAttribute('rel', /noopener/)
          expect(await chat.sent()).toHaveLength(1)
        })

        await test.step('a page that needs a network says which, and stays closed', async () => {
          await card.getByRole('button', { name: 'Close page' }).click()
          await card.getByRole('button', { name: /^Send result/ }).click()
          await chat.told(2)
          await chat.ask('Show the map')
          const other = chat.card('map_show-map')
          await press(other, 'Run')
          await expect(other).toContainText('needs network access to https://*.openstreetmap.org')
          await expect(other.getByRole('button', { name: 'Open page' })).toHaveCount(0)
          await inChinese(page, 'remote-app-closed')
        })
      } finally {
        for (const { program } of [debug, map]) program.kill()
      }
    },
  )
})
