import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, type Page } from '@playwright/test'
import { appUrl, basePath, restartPort } from './support/addresses'
import { Chat } from './support/chat'
import { inEveryAppearance } from './support/every-appearance'
import { looks, appearancesOf } from './support/appearances'
import { ScriptedChat, write } from './support/scripted-chat'
import { serverEnv } from './support/server-env'
import { startNod } from './support/start-nod'

// The screens that no other journey covers: each in both languages and both color schemes, wide and on touch, if all
// looks are requested (`NOD_LOOKS=all`, nightly); once on each change.

/** A page by its address, and an element that is visible once it has loaded. */
interface Screen {
  readonly name: string
  readonly path: string
  readonly ready: (page: Page) => Promise<unknown>
}

const shows = (words: string | RegExp) => (page: Page) => expect(page.getByText(words).first()).toBeVisible()
const hasTab = (name: string) => (page: Page) =>
  expect(page.getByRole('tab', { name, exact: true, selected: true })).toBeVisible()
const hasField = (name: string) => (page: Page) =>
  expect(page.getByRole('textbox', { name, exact: true })).toBeVisible()

const pages: readonly Screen[] = [
  { name: 'settings-general', path: '/settings', ready: hasTab('General') },
  { name: 'settings-new-chats', path: '/settings#new-chats', ready: shows('Call format') },
  { name: 'settings-presets', path: '/settings#presets', ready: hasTab('Presets') },
  { name: 'settings-data', path: '/settings#data', ready: hasTab('Your data') },
  { name: 'playground', path: '/playground', ready: hasField('Reply') },
  { name: 'lab', path: '/lab', ready: shows(/At most .* requests?:/) },
  { name: 'verify', path: '/verify', ready: shows('What an intact record shows') },
  { name: 'licences', path: '/licences', ready: shows('pyodide') },
  { name: 'offline', path: '/offline', ready: shows('This page needs the server') },
  { name: 'not-found', path: '/nowhere', ready: shows(/This page does not exist/) },
  { name: 'missing-chat', path: '/c/00000000-0000-4000-8000-000000000000', ready: shows(/This chat does not exist/) },
  {
    name: 'shared-missing',
    path: `/s/${'a'.repeat(32)}`,
    ready: (page) => expect(page.getByRole('heading')).toBeVisible(),
  },
]

const accountPages: readonly Screen[] = [
  { name: 'account', path: '/account', ready: shows('this browser') },
  { name: 'admin', path: '/admin', ready: (page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible() },
  { name: 'admin-accounts', path: '/admin/accounts', ready: shows('ada@corp.example') },
  { name: 'admin-invitations', path: '/admin/invitations', ready: shows('Create invitation') },
  {
    name: 'admin-audit',
    path: '/admin/audit',
    ready: (page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible(),
  },
]

/** With the operator's command on the server's machine. */
const makeAdmin = (address: string, env: Record<string, string>) =>
  promisify(execFile)('tsx', ['scripts/accounts.ts', 'role', address, 'admin'], { env: { ...process.env, ...env } })

for (const view of appearancesOf('light', 'phone')) {
  test.describe(view, { tag: '@nightly' }, () => {
    test.use(looks[view])
    const problems: string[] = []
    // Includes hydration errors.
    const listen = (page: Page) =>
      page.on('pageerror', ({ message }) => problems.push(`${new URL(page.url()).pathname}: ${message}`))
    test.beforeEach(({ page }) => {
      problems.length = 0
      listen(page)
    })
    test.afterEach(() => expect(problems).toEqual([]))
    const named = (name: string) => (view === 'phone' ? `${name}-phone` : name)

    test(`pages beside the chat (${view})`, async ({ page }) => {
      for (const { name, path, ready } of pages) {
        await page.goto(`${appUrl}${path}`)
        // Another section of the same page is not a navigation.
        if (path.includes('#')) await page.reload()
        await ready(page)
        await inEveryAppearance(page, named(name), /^in \S+ [\d.]+|JavaScript or TypeScript source/)
      }
      // On a server without a token, the page that asks for it links to the chat.
      await page.goto(`${appUrl}/access?refused=wrong`)
      await expect(new Chat(page).message).toBeEnabled()
    })

    test(`dialogs over the chat (${view})`, async ({ page }) => {
      const chat = new Chat(page)
      await chat.open()
      await inEveryAppearance(page, named('empty'))
      for (const tab of ['prompt', 'format', 'tools', 'approval', 'limits', 'presets', 'log']) {
        await page.goto(`${appUrl}/#settings=${tab}`)
        await page.reload()
        await expect(
          page.getByRole('dialog', { name: 'Chat settings' }).getByRole('tab', { selected: true }),
        ).toBeVisible()
        await inEveryAppearance(page, named(`chat-settings-${tab}`))
      }
      await chat.open()
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('dialog', { name: 'Command palette' }).getByRole('option').first()).toBeVisible()
      await inEveryAppearance(page, named('palette'))
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+/')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
      await inEveryAppearance(page, named('shortcuts'))
      await page.keyboard.press('Escape')
      await chat.openPicker()
      await inEveryAppearance(page, named('picker'))
      await page.keyboard.press('Escape')
      await chat.openModelsOfBrowser()
      await expect(page.getByRole('dialog', { name: 'Models' })).toBeVisible()
      await inEveryAppearance(page, named('models'))
      await page.keyboard.press('Escape')
      if (view === 'phone') await page.getByRole('button', { name: 'Open the list of chats' }).click()
      await chat.fromMenu('Import a chat')
      await expect(page.getByRole('dialog', { name: 'Import a chat' })).toBeVisible()
      await inEveryAppearance(page, named('import'))
    })

    test(`a chat with its calls, its room, what is sent, and a page beside it (${view})`, async ({ page }) => {
      const chat = new Chat(page)
      await chat.open()
      await page.getByRole('button', { name: /^Build a small page/ }).click()
      await expect(chat.call('write_file')).toHaveCount(3)
      await inEveryAppearance(page, named('batch'))
      await page.getByRole('button', { name: 'Run all' }).click()
      await chat.settled()
      await page.getByRole('button', { name: 'Run this page' }).click()
      await expect(
        page.frameLocator('iframe[title="/page/index.html"]').getByRole('button', { name: 'Count' }),
      ).toBeVisible()
      await inEveryAppearance(page, named('artifact'), /^A small page$/)
      await page
        .getByRole('complementary', { name: '/page/index.html, beside the chat' })
        .getByRole('button', { name: 'Close' })
        .click()
      if (view !== 'phone') {
        await expect(await chat.openContext()).toContainText('Tools and call format')
        await inEveryAppearance(page, named('room-meter'))
        await page.keyboard.press('Escape')
      }
      await page.getByRole('button', { name: 'Workspace', exact: true }).click()
      await expect(page.getByRole('treeitem').first()).toBeVisible()
      await inEveryAppearance(page, named('workspace'))
    })

    test(`sharing, and the page of a share link (${view})`, async ({ page, browser }) => {
      const chat = await ScriptedChat.open(page, [
        write('/notes/a.md', '# Plan\n\n- milk\n'),
        'Done, **as you wished**.',
      ])
      await chat.begin()
      await inEveryAppearance(page, named('waiting'))
      await chat.runThrough('write_file')
      await inEveryAppearance(page, named('done'))
      await page
        .getByRole('button', { name: view === 'phone' ? 'More for this chat' : 'Share or export', exact: true })
        .click()
      if (view === 'phone') await page.getByRole('menuitem', { name: 'Share or export' }).click()
      const drawer = page.getByRole('dialog', { name: 'Share or export' })
      await expect(drawer.getByRole('group', { name: 'Preview' })).toContainText('write_file')
      await inEveryAppearance(page, named('share'), /as you wished|Please begin/)
      await drawer.getByRole('button', { name: 'Create link' }).click()
      const link = drawer.getByRole('textbox', { name: 'Link to the shared chat' })
      await expect(link).toHaveValue(/\/s\//)
      const reader = await (await browser.newContext({ ...looks[view], baseURL: appUrl })).newPage()
      listen(reader)
      await reader.goto(await link.inputValue())
      await expect(reader.getByText('as you wished')).toBeVisible()
      await inEveryAppearance(reader, named('shared'), /as you wished|Please begin/)
      await reader.context().close()
    })

    test(`accounts and their administration (${view})`, async ({ page }) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'nod-screens-'))
      const origin = `http://localhost:${restartPort}`
      const env = { NOD_AUTH: 'password', NOD_PUBLIC_URL: origin }
      const server = await startNod({ port: restartPort, dataDir, env })
      const base = `${origin}${basePath}`
      try {
        for (const path of ['sign-up', 'sign-in', 'reset-password?token=none']) {
          await page.goto(`${base}/${path}`)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await inEveryAppearance(page, named(path.replace(/\?.*/, '')))
        }
        await page.goto(`${base}/sign-up`)
        await page.getByLabel('Email').fill('ada@corp.example')
        await page.getByLabel('Password').fill('correct horse battery')
        await page.getByRole('button', { name: 'Create account' }).click()
        await expect(new Chat(page).message).toBeEnabled()
        await makeAdmin('ada@corp.example', { ...serverEnv(dataDir), ...env })
        for (const { name, path, ready } of accountPages) {
          await page.goto(`${base}${path}`)
          await ready(page)
          await inEveryAppearance(page, named(name))
        }
      } finally {
        await server.end()
        rmSync(dataDir, { recursive: true, force: true })
      }
    })
  })
}
