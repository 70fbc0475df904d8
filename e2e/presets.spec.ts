import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { appUrl, homeUrl } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'

const settingsOf = (page: Page) => page.getByRole('dialog', { name: 'Chat settings' })

/** Opens the chat's settings at one of their tabs. */
async function openAt(page: Page, tab: string) {
  await page.getByRole('button', { name: 'Chat settings', exact: true }).click()
  await settingsOf(page).getByRole('tab', { name: tab }).click()
  return settingsOf(page)
}

test('presets: saved from a chat, used for a new one, exported, and a foreign one asks before it allows more', async ({
  page,
}) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.choose('VCP')
  const settings = await openAt(page, 'Prompt')
  await settings.getByRole('textbox', { name: 'System prompt' }).fill('Answer like a sailor.')
  await settings.getByRole('tab', { name: 'Presets' }).click()
  await settings.getByRole('textbox', { name: 'Name', exact: true }).fill('Sailor')
  await settings.getByRole('button', { name: 'Save preset' }).click()
  const rows = settings.getByRole('list', { name: 'Your presets' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('VCP')
  await expect(rows.first()).toContainText('asks before every call')
  await expect(page).toHaveURL(/#settings=presets$/)
  await inspect(page, 'settings-presets')

  // The address opens the same place again.
  await page.reload()
  await expect(settings.getByRole('list', { name: 'Your presets' })).toBeVisible()
  const more = settings.getByRole('button', { name: 'More for Sailor' })
  await more.click()
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export' }).click()
  const text = await readFile(await (await coming).path(), 'utf8')
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(rows).toHaveCount(0)
  await settings.getByRole('button', { name: 'Undo' }).click()
  await expect(rows).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(homeUrl)

  // A new chat starts with it, and really has its settings.
  await page.getByRole('button', { name: 'New chat', exact: true }).click()
  const starter = page.getByRole('region', { name: 'Start with a preset' })
  await starter.getByRole('button', { name: 'Sailor' }).click()
  await expect(starter).toContainText('This chat uses “Sailor”')
  await expect(chat.picker).toContainText('VCP')
  await chat.ask('hello')
  await openAt(page, 'Prompt')
  await expect(settings.getByRole('textbox', { name: 'System prompt' })).toHaveValue('Answer like a sailor.')
  await page.keyboard.press('Escape')

  // What a foreign file would allow is shown, and left out unless it is checked.
  const stranger = JSON.parse(text) as { presets: { name: string; setup: { model: string; tools: object } }[] }
  const [first] = stranger.presets
  if (!first) throw new Error('nothing was exported')
  first.name = 'Helpful <b>one</b>'
  first.setup.model = 'gone/model'
  first.setup.tools = { ...first.setup.tools, mode: 'auto', toolRules: { write_file: { execution: 'never' } } }
  const buffer = Buffer.from(JSON.stringify(stranger))
  const file = { name: 'presets.json', mimeType: 'application/json', buffer }
  await page.goto(`${appUrl}/settings#presets`)
  await page.getByRole('button', { name: 'Import…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import presets' })
  await dialog.getByLabel('Exported presets').setInputFiles(file)
  await expect(dialog).toContainText('write_file can run without your click')
  await expect(dialog).toContainText('is not available here')
  await inspect(page, 'presets-import')
  await dialog.getByRole('button', { name: 'Import 1 preset' }).click()
  const mine = page.getByRole('list', { name: 'Your presets' })
  const brought = mine.getByRole('listitem').filter({ hasText: 'Helpful <b>one</b>' })
  await expect(brought).toContainText('asks before every call')
  await brought.getByRole('button', { name: /^New chat with/ }).click()
  await expect(chat.message).toBeEnabled()
  await expect(chat.picker).toContainText('Demo')
})

test(
  'settings of all chats: new ones start as chosen, in the other tab too; density, keys and Chinese',
  { tag: '@nightly' },
  async ({ page, context }) => {
    const other = new Chat(await context.newPage())
    await other.open()
    const chat = new Chat(page)
    await chat.open()
    // The server renders the settings too; different text here would be a page error.
    const problems: string[] = []
    page.on('pageerror', ({ message }) => problems.push(message))
    await page.goto(`${appUrl}/settings`)
    await expect(page.getByRole('radiogroup', { name: 'Text size' })).toBeVisible()
    await expect(page.getByText(/your browser/i).first()).toBeVisible()
    expect(problems).toEqual([])
    await chat.open()
    await chat.fromMenu('Settings')
    await page.getByRole('tab', { name: 'New chats' }).click()
    await page
      .getByRole('radiogroup', { name: 'Call format' })
      .getByRole('radio', { name: /^XML_Tag/ })
      .check()
    await expect(page.getByRole('button', { name: 'Restore defaults' })).toBeVisible()
    await expect(other.picker).toContainText('XML_Tag')
    await inspect(page, 'settings-new-chats')

    await page.getByRole('tab', { name: 'New chats' }).press('Home')
    await expect(page.getByRole('tab', { name: 'General' })).toBeFocused()
    const distance = () => other.page.getByRole('button', { name: 'Send' }).evaluate((send) => send.clientHeight)
    const before = await distance()
    await page.getByRole('radio', { name: 'Compact' }).click()
    await page.getByRole('radio', { name: 'Ctrl/⌘+Enter' }).click()
    await expect(other.page.locator('html')).toHaveAttribute('data-density', 'compact')
    await expect(other.page.locator('html')).toHaveAttribute('data-send', 'mod-enter')
    expect(await distance()).toBeLessThan(before)
    await inspect(other.page, 'compact')
    await other.message.fill('one')
    await other.message.press('Enter')
    await expect(other.message).toHaveValue('one\n')
    await other.message.press('Control+Enter')
    await expect(other.replies()).toHaveCount(1)

    await page.getByRole('radio', { name: '中文' }).click()
    await expect(page.getByRole('heading', { level: 1, name: '设置' })).toBeVisible()
    await expect(other.page.locator('html')).toHaveAttribute('lang', 'zh-CN')
    await page.emulateMedia({ colorScheme: 'dark' })
    await inspect(page, 'settings-zh')
    await page.getByRole('tab', { name: '新对话' }).click()
    await page.getByRole('button', { name: '恢复默认设置' }).click()
    await page.getByRole('button', { name: '撤销' }).click()
    await expect(page.getByRole('button', { name: '恢复默认设置' })).toBeVisible()
  },
)
