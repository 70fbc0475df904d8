import { expect, test } from '@playwright/test'
import { Chat } from './support/chat'

const chunks = '**/_next/static/chunks/*.js'

test('a message sent while offline stays in the page, and is sent when the network is back @nightly', async ({
  page,
}) => {
  const chat = new Chat(page)
  let away = false
  await page.route(chunks, (route) => (away ? route.abort('internetdisconnected') : route.continue()))
  // Nothing is preloaded: the worst moment to go offline.
  await page.addInitScript('requestIdleCallback = () => 0')
  await chat.open()
  away = true
  await chat.send('write /kept.md: my first words')
  // The outbox has it, and the page shows it as plain text while the thread can't be loaded.
  await expect(chat.message).toHaveValue('')
  await expect(page.getByText('write /kept.md: my first words')).toBeVisible()
  await expect(page.getByText('The messages could not be loaded')).toBeVisible()
  await expect(chat.message).toBeEnabled()
  await page.getByRole('button', { name: 'Chat settings', exact: true }).click()
  const settings = page.getByRole('alert').filter({ hasText: 'Settings could not be loaded' })
  await expect(settings).toBeVisible()
  await settings.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(settings).toHaveCount(0)
  await expect(page.getByText('Something went wrong')).toHaveCount(0)
  away = false
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(chat.call('write_file')).toBeVisible()
  await chat.runThrough('write_file')
  await expect(chat.result('write_file')).toContainText('done')

  // Another build answers: the page says so, and keeps the typed text.
  await chat.message.fill('typed before the update')
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-nod-build': 'the-next-one' } })
  })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  const updated = page.getByRole('status').filter({ hasText: 'Nod was updated' })
  await expect(updated).toBeVisible()
  await page.unroute('**/api/**')
  await updated.getByRole('button', { name: 'Reload', exact: true }).click()
  await expect(chat.message).toHaveValue('typed before the update')
  await expect(chat.result('write_file')).toContainText('done')
})
