import { expect, test, type Page } from '@playwright/test'
import { appUrl } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'

const said = (page: Page, words: string | RegExp) => page.getByRole('status').filter({ hasText: words })
const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
const chosen = (page: Page) => palette(page).getByRole('option', { selected: true })

/** Opens the palette by its key, types a query, and runs the first match. */
async function command(page: Page, words: string, first: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(words)
  await expect(chosen(page)).toHaveText(first)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toHaveCount(0)
}

test('by keyboard and screen reader alone: a chat, a call, the palette, another model, a file, the shortcuts', async ({
  page,
}) => {
  const chat = new Chat(page)
  await chat.open()
  await expect(chat.message).toBeFocused()
  // In the field, a question mark is text.
  await page.keyboard.type('?')
  await expect(chat.message).toHaveValue('?')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('Draft a packing list as /notes/list.md')
  await page.keyboard.press('Enter')
  await expect(
    said(page, /^Reply finished\. 1 call is waiting for you\. write_file asks: Write .* to \/notes\/list\.md/),
  ).toHaveCount(1)

  // It is announced before the card is visible.
  await expect(chat.call('write_file')).toBeVisible()
  await page.keyboard.press('Control+j')
  await expect(chat.call('write_file')).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(chat.result('write_file')).toBeVisible()
  await expect(said(page, /^(write_file is done\. )?Reply finished\.$/)).toHaveCount(1)
  await chat.settled()
  const first = page.url()

  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('group', { name: 'This chat' }).getByRole('option').first()).toBeVisible()
  await inspect(page, 'palette')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)

  await command(page, 'xml', 'XML_Tag')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('xml')
  await expect(chosen(page)).toHaveText('XML_Tagin use')
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('models')
  const models = palette(page).getByRole('group', { name: 'Models' }).getByRole('option')
  await expect(models.first()).toBeVisible()
  const other = await models.filter({ hasNotText: 'in use' }).first().locator('span').first().innerText()
  await page.keyboard.press('Escape')
  await command(page, other, new RegExp(`^${other.replaceAll(/[^\w ]/g, '.')}`))
  await page.keyboard.press('Control+k')
  await page.keyboard.type(other)
  await expect(chosen(page)).toContainText('in use')
  await page.keyboard.press('Escape')

  await command(page, 'list.md', /list\.md/)
  await expect(page.getByRole('complementary', { name: 'Workspace' })).toContainText('list.md')
  await page.keyboard.press('Control+Shift+E')
  await expect(page.getByRole('complementary', { name: 'Workspace' })).toHaveCount(0)

  // A new chat, and back by its name; the slow navigation is announced.
  await page.keyboard.press('Control+Shift+O')
  await expect(page).not.toHaveURL(first)
  let arrive = () => {}
  const slow = new Promise<void>((done) => {
    arrive = done
  })
  await page.route('**/api/conversations/*?last=*', async (route) => {
    await slow
    await route.continue()
  })
  await command(page, 'packing', /packing list/)
  await expect(said(page, 'Loading the chat…')).toBeVisible()
  arrive()
  await expect(page).toHaveURL(first)
  await expect(said(page, 'Loading the chat…')).toHaveCount(0)

  // From the top of the page: the field, the messages.
  await page.getByRole('link', { name: 'Skip to the message field' }).focus()
  await page.keyboard.press('Enter')
  await expect(chat.message).toBeFocused()
  await page.getByRole('link', { name: 'Skip to the message field' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(chat.log).toBeFocused()
  await page.keyboard.press('?')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcuts.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeFocused()
  await inspect(page, 'shortcuts')
  await shortcuts.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(shortcuts).toHaveCount(0)
  await page.keyboard.press('Control+/')
  await expect(shortcuts).toBeVisible()
})

test('命令面板: the palette in Chinese, by the menu on a phone, in the dark @nightly', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    locale: 'zh-CN',
    extraHTTPHeaders: { 'accept-language': 'zh-CN' },
    colorScheme: 'dark',
    viewport: { width: 390, height: 800 },
  })
  const page = await context.newPage()
  await page.goto(appUrl)
  await expect(page.getByRole('textbox', { name: '消息' })).toBeEnabled()
  await page.getByRole('button', { name: '打开对话列表' }).click()
  await page.getByRole('button', { name: '设置与工具' }).click()
  await page.getByRole('menuitem', { name: '命令' }).click()
  const dialog = page.getByRole('dialog', { name: '命令面板' })
  const field = dialog.getByRole('combobox')
  await field.fill('浅色')
  await expect(dialog.getByRole('option', { selected: true })).toHaveText('主题：浅色')
  await inspect(page, 'palette-phone-dark-zh')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await page.keyboard.press('Control+/')
  await expect(page.getByRole('dialog', { name: '键盘快捷键' })).toBeVisible()
  await context.close()
})
