import { expect, test } from '@playwright/test'
import { appUrl } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'

test('model and call format: one popover, by keyboard and on a phone, in both languages @nightly', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.picker.focus()
  await page.keyboard.press('ArrowDown')
  const popover = page.getByRole('dialog', { name: 'Model and call format', exact: true })
  const search = popover.getByRole('combobox', { name: 'Search models' })
  await expect(search).toBeFocused()
  await expect(popover.getByRole('option', { name: /^Demo/ })).toHaveAttribute('aria-selected', 'true')
  await inspect(page, 'picker-light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: 'test-results/look/picker-dark.png' })
  await page.emulateMedia({ colorScheme: 'light' })

  await test.step('Esc changes nothing; first letters and Enter choose a format', async () => {
    await page.keyboard.press('Escape')
    await expect(popover).toHaveCount(0)
    await expect(chat.picker).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(search).toBeFocused()
    await popover.getByRole('listbox', { name: 'Call format' }).focus()
    await page.keyboard.press('x')
    await expect(popover.getByRole('figure')).toContainText('<tool_code>')
    await page.keyboard.press('Enter')
    await expect(chat.picker).toHaveText('Demo (a script) · XML_Tag')
    await expect(popover).toHaveCount(0)
  })

  await test.step('an added model is listed, and another is found by its name', async () => {
    await chat.openModelsOfBrowser()
    const models = page.getByRole('dialog', { name: 'Models', exact: true })
    await models.getByRole('button', { name: 'Add Any chat (copy and paste)' }).click()
    await expect(models.getByRole('region', { name: 'Models of this browser' })).toContainText('Any chat')
    await page.keyboard.press('Escape')
    await expect(chat.picker).toContainText('Any chat')
    await chat.picker.click()
    await search.fill('nothing-like-it')
    await expect(popover.getByText('No model is named “nothing-like-it”.')).toBeVisible()
    await search.fill('script')
    await page.keyboard.press('Enter')
    await expect(chat.picker).toContainText('Demo (a script)')
  })

  await page.context().addCookies([{ name: 'nod-language', value: 'zh-CN', url: appUrl }])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await page.getByRole('button', { name: /^模型和调用格式: / }).click()
  await expect(page.getByRole('listbox', { name: '调用格式' })).toContainText('大多数模型都能写好')
  await inspect(page, 'picker-phone-zh')
})

test(
  'the menu at the title: named by the model, undone, pinned, exported, deleted',
  { tag: '@nightly' },
  async ({ page }) => {
    const chat = new Chat(page)
    const title = page.getByRole('heading', { level: 1 })
    const menu = async (item: string) => {
      await page.getByRole('button', { name: 'More for this chat' }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await chat.open()
    await chat.ask('help me with a packing list, please')
    await expect(title).toHaveText('help me with a packing list, please')

    await page.getByRole('button', { name: 'More for this chat' }).click()
    await expect(page.getByRole('menuitem', { name: 'Generate a title' })).toBeVisible()
    await inspect(page, 'title-menu')
    await page.keyboard.press('Escape')
    await menu('Generate a title')
    await expect(title).toHaveText('Packing list for a weekend')
    const note = page.getByRole('status').filter({ hasText: 'The new title is' })
    await inspect(page, 'title-named')
    await note.getByRole('button', { name: 'Undo' }).click()
    await expect(title).toHaveText('help me with a packing list, please')
    await expect(note).toHaveCount(0)

    await menu('Rename')
    await page.getByRole('textbox', { name: 'Title' }).fill('A list')
    await page.keyboard.press('Enter')
    await expect(title).toHaveText('A list')
    await expect(page.getByRole('menu')).toHaveCount(0)

    await menu('Pin to the top')
    await expect(chat.conversations.getByRole('region', { name: 'Pinned' }).getByRole('link')).toHaveText(/A list/)
    await page.reload()
    await expect(title).toHaveText('A list')
    await page.getByRole('button', { name: 'More for this chat' }).click()
    await expect(page.getByRole('menuitem', { name: 'Unpin' })).toBeVisible()
    await page.keyboard.press('Escape')

    await menu('Share or export…')
    await page.getByRole('radio', { name: 'Everything' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export everything' }).click()
    expect((await download).suggestedFilename()).toBe('A list.nod.zip')
    await page.keyboard.press('Escape')
    await menu('Settings')
    await expect(page.getByRole('dialog', { name: 'Chat settings' })).toBeVisible()
    await page.keyboard.press('Escape')

    await menu('Delete')
    await expect(title).toHaveText('New chat')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(title).toHaveText('A list')
  },
)
