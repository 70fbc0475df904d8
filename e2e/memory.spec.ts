import { expect, test } from '@playwright/test'
import { appUrl } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'

test('a memory: written by the user, changed by an approved call, restored, unknown to temporary chats', async ({
  page,
}) => {
  const chat = new Chat(page)
  await page.goto(`${appUrl}/settings#memory`)
  const text = page.getByRole('textbox', { name: 'Text of the memory' })
  await text.fill('I sail.')
  await page.getByRole('button', { name: 'Save memory' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
  await page.getByRole('switch', { name: 'Use memory in new chats' }).click()
  await expect(page.getByRole('switch', { name: 'Use memory in new chats' })).toBeChecked()
  await inspect(page, 'memory')

  // Sent before the page knows the user's defaults of new chats.
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/api\/models$/, async (route) => {
    await isReleased
    await route.continue()
  })
  await chat.open()
  await chat.send('remember that the boat is red')
  await expect(chat.log).toContainText('remember that the boat is red')
  release()
  const call = chat.call('edit_memory')
  await expect(call).toContainText('I sail.')
  await expect(call).toContainText('the boat is red')
  await expect(call).toContainText('Change your memory')
  await inspect(page, 'memory-call')
  await chat.focusReady('edit_memory')
  await page.keyboard.press('Control+Enter')
  await chat.settled()

  // The next request has the new text, in the preview too.
  await page.getByRole('button', { name: 'Chat settings', exact: true }).click()
  const settings = page.getByRole('dialog', { name: 'Chat settings' })
  await settings.getByRole('tab', { name: 'Prompt' }).click()
  await settings.getByRole('button', { name: /^Memory/ }).click()
  await expect(settings.getByRole('region', { name: 'Memory', exact: true }).last()).toContainText('the boat is red')
  await page.keyboard.press('Escape')

  // A temporary chat does not see it, and its call changes nothing.
  await page.getByRole('button', { name: 'New chat', exact: true }).click()
  await page.getByRole('button', { name: 'Temporary chat', exact: true }).click()
  await chat.send('remember that the boat is blue')
  await expect(chat.replies()).toHaveCount(1)
  await chat.settled()

  await page.goto(`${appUrl}/settings#memory`)
  await expect(text).toHaveValue('I sail.\nthe boat is red\n')
  await page.getByText('Earlier versions (1)').click()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(text).toHaveValue('I sail.')
})
