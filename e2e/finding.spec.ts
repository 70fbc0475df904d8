import { expect, test } from '@playwright/test'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'

test('finding: message text, the jump, pinned, tagged, archived, many deleted and restored @nightly', async ({
  page,
}) => {
  const chat = new Chat(page)
  const search = page.getByRole('searchbox', { name: 'Search chats' })
  await chat.open()
  await chat.ask('help with 量子纠缠 and the quokka')
  const first = page.url()
  // The text is in a branch that is not shown any more.
  await page.getByRole('article', { name: 'You' }).first().hover()
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Edited message' }).fill('help with something else')
  await page.keyboard.press('Enter')
  await expect(page.getByText('help with something else').first()).toBeVisible()
  await expect(chat.replies()).toHaveCount(1)
  for (const words of ['help me once', 'help me twice']) {
    await page.getByRole('button', { name: 'New chat', exact: true }).click()
    await chat.ask(words)
  }

  // The index is updated after writing: a moment later it is found, even by two characters.
  const found = chat.conversations.getByRole('region', { name: 'In messages' })
  await expect(async () => {
    await search.fill('')
    await search.fill('纠缠')
    await expect(found.getByRole('link')).toHaveCount(1, { timeout: 2_000 })
  }).toPass()
  await expect(found.locator('mark')).toHaveText('纠缠')
  await inspect(page, 'finding-found')
  await page.emulateMedia({ colorScheme: 'dark' })
  await inspect(page, 'finding-found-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await search.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(first)
  await expect(page.getByRole('article', { name: 'You' })).toContainText('quokka')
  await expect(page.locator('[data-found]')).toContainText('quokka')
  await page.screenshot({ path: 'test-results/look/finding-jumped.png' })
  await search.fill('')

  const more = (title: RegExp) => chat.conversations.getByRole('button', { name: title })
  await chat.conversations.getByRole('link', { name: /once/ }).hover()
  await more(/^More for .*once/).click()
  await page.getByRole('menuitem', { name: 'Pin to the top' }).click()
  await expect(chat.conversations.getByRole('region', { name: 'Pinned' }).getByRole('link')).toHaveText(/once/)

  await chat.fromMenu('Organize chats')
  const dialog = page.getByRole('dialog', { name: 'Organize chats' })
  await dialog.getByRole('checkbox', { name: /once/ }).click()
  await dialog
    .getByRole('checkbox')
    .last()
    .click({ modifiers: ['Shift'] })
  await expect(dialog.getByText('3 chats selected')).toBeVisible()
  await dialog.getByRole('button', { name: 'Tags…' }).click()
  const tags = page.getByRole('dialog', { name: /^Tags of/ })
  await tags.getByRole('textbox', { name: 'New tag' }).fill('旅行 plans')
  await page.keyboard.press('Enter')
  await expect(tags.getByRole('checkbox', { name: '旅行 plans' })).toBeChecked()
  await inspect(page, 'finding-tags')
  await tags.getByRole('button', { name: 'Close' }).click()
  await inspect(page, 'finding-organise')
  await page.emulateMedia({ colorScheme: 'dark' })
  // The list of chats, where it was opened, is hidden at this width.
  await page.setViewportSize({ width: 390, height: 800 })
  await expect(dialog.getByText('3 chats selected')).toBeVisible()
  await inspect(page, 'finding-organise-phone')
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.emulateMedia({ colorScheme: 'light' })
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog.getByText('No chats here.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  // The reloaded page may not be listening at the first move, so this is repeated.
  await expect(async () => {
    await page.mouse.move(5, 5)
    await page.mouse.move(50, 5)
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await inspect(page, 'finding-undo')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(chat.conversations.getByRole('link', { name: /help/ })).toHaveCount(3)
})
