import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { appUrl } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'
import { ScriptedChat, write } from './support/scripted-chat'

const content = 'The secret of the quokka\nstands here\n'

test('a link shows the messages, what was checked and nothing else, until it is revoked; a copy stays', async ({
  page,
  browser,
}) => {
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  const chat = await ScriptedChat.open(page, [write('/notes/a.md', content), 'Done, **as you wished**.'])
  await chat.begin()
  await chat.runThrough('write_file')

  await page.getByRole('button', { name: 'Share or export', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'Share or export' })
  const preview = drawer.getByRole('group', { name: 'Preview' })
  await expect(preview.getByRole('group', { name: 'Call to write_file' })).toContainText('done')
  await expect(preview).not.toContainText('quokka')
  await inspect(page, 'share-drawer')
  await drawer.getByRole('button', { name: 'Create link' }).click()
  const link = drawer.getByRole('textbox', { name: 'Link to the shared chat' })
  await expect(link).toHaveValue(/\/s\/[\w-]{32}$/)
  const address = await link.inputValue()

  const context = await browser.newContext({ baseURL: appUrl })
  const reader = await context.newPage()
  const answer = await reader.goto(address)
  const headers = (await answer?.allHeaders()) ?? {}
  expect(headers['x-robots-tag']).toContain('noindex')
  expect(headers['cache-control']).toContain('no-store')
  expect(headers['content-security-policy']).toContain("form-action 'none'")
  expect(headers['set-cookie']).toBeUndefined()
  expect(await answer?.text()).not.toContain('quokka')
  await expect(reader.getByText('as you wished')).toBeVisible()
  await expect(reader.getByRole('group', { name: 'Call to write_file' })).toBeVisible()
  await expect(reader.getByRole('button', { name: /^Run/ })).toHaveCount(0)
  expect(await context.cookies()).toEqual([])
  await inspect(reader, 'shared-chat')
  await context.addCookies([{ name: 'nod-language', value: 'zh-CN', url: appUrl }])
  await reader.setViewportSize({ width: 390, height: 800 })
  await reader.reload()
  await expect(reader.getByRole('button', { name: '复制为我的对话并继续' })).toBeEnabled()
  await inspect(reader, 'shared-chat-chinese-phone')
  await reader.getByRole('button', { name: '复制为我的对话并继续' }).click()
  await expect(reader).toHaveURL(/\/c\//)
  await expect(reader.getByText('as you wished')).toBeVisible()

  await drawer.getByRole('button', { name: /^Delete the link to/ }).click()
  await expect(drawer.getByText('No links.')).toBeVisible()
  expect((await reader.goto(address))?.status()).toBe(404)
  await expect(reader.getByRole('heading', { name: '此链接无效' })).toBeVisible()
  await context.close()

  await drawer.getByRole('radio', { name: 'Markdown' }).click()
  const download = page.waitForEvent('download')
  await drawer.getByRole('button', { name: 'Save as Markdown' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/\.md$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain('**Call to `write_file`** · done')
  expect(text).toContain(content.trim())
  await drawer.getByRole('radio', { name: 'Print' }).click()
  await drawer.getByRole('button', { name: 'Print', exact: true }).click()
  await expect(page.locator('[data-printed]')).toHaveCount(1)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('article', { name: /^Model/ }).last()).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Chats' })).toBeHidden()
  await page.screenshot({ path: 'test-results/look/print-sheet.png', fullPage: true })
})

const node = (id: string, parent: string | null, children: readonly string[], role: string, text: string) => ({
  [id]: {
    id,
    parent,
    children,
    message: { author: { role }, content: { content_type: 'text', parts: [text] }, recipient: 'all' },
  },
})

test(
  'another product’s export is imported as chosen, once, and broken chats are named',
  { tag: '@nightly' },
  async ({ page }) => {
    const chats = [
      {
        id: 'one',
        title: 'Wallaby facts',
        update_time: 1_700_000_000,
        current_node: 'b',
        mapping: { ...node('a', null, ['b'], 'user', 'Do they hop?'), ...node('b', 'a', [], 'assistant', 'They do.') },
      },
      {
        id: 'two',
        title: 'Not this one',
        update_time: 1_700_000_000,
        current_node: 'a',
        mapping: node('a', null, [], 'user', 'Leave me'),
      },
      { id: 'three', title: 'Empty one', mapping: {} },
    ]
    const file = {
      name: 'conversations.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(chats)),
    }
    const chat = new Chat(page)
    await chat.open()
    const begin = async () => {
      await chat.fromMenu('Import a chat')
      await page.getByLabel('Exported chat').setInputFiles(file)
    }
    await begin()
    const dialog = page.getByRole('dialog', { name: 'Import a chat' })
    await expect(dialog.getByText(/2 chats from ChatGPT/)).toBeVisible()
    await expect(dialog.getByText('Empty one: it has no messages.')).toBeVisible()
    await dialog.getByRole('checkbox', { name: /Not this one/ }).uncheck()
    await inspect(page, 'import-foreign')
    await dialog.getByRole('button', { name: 'Import 1 chat' }).click()
    await expect(dialog.getByText('1 chat was imported.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Open chat' }).click()
    await expect(chat.conversations.getByRole('link', { name: /Wallaby facts/ })).toBeVisible()
    await expect(page.getByRole('article', { name: 'Assistant' })).toContainText('They do.')

    await begin()
    await expect(dialog.getByRole('checkbox', { name: /Wallaby facts/ })).toBeDisabled()
    await expect(dialog.getByRole('button', { name: 'Import 1 chat' })).toBeEnabled()
  },
)
