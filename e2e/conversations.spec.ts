import { expect, test } from '@playwright/test'
import { homeUrl } from './support/addresses'
import { Chat } from './support/chat'

test('conversations: own address, rename, search, delete, another owner sees nothing', async ({ page, browser }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.ask('help')
  const first = page.url()
  await page.getByRole('button', { name: 'New chat', exact: true }).click()
  await expect(page).toHaveURL(homeUrl)
  await chat.send('write /zebra.md: stripes')
  await expect(chat.call('write_file')).toBeVisible()
  const zebra = chat.conversations.getByRole('link', { name: /zebra/ })
  await expect(zebra).toBeVisible()
  await expect(zebra).toContainText('1')

  await page.getByRole('searchbox', { name: 'Search chats' }).fill('zebra')
  await expect(chat.conversations.getByRole('link', { name: /help/ })).toHaveCount(0)
  await expect(zebra.first()).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('')

  await zebra.hover()
  await chat.conversations.getByRole('button', { name: /^Rename write \/zebra/ }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Stripes')
  await page.keyboard.press('Enter')
  await expect(chat.conversations.getByRole('link', { name: /Stripes/ })).toBeVisible()

  await page.goto(first)
  await expect(chat.replies()).toHaveCount(1)
  const stranger = await browser.newContext()
  const elsewhere = await stranger.newPage()
  await elsewhere.goto(first)
  await expect(elsewhere.getByText(/This chat does not exist/).first()).toBeVisible()
  await expect(
    elsewhere.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: /help|Stripes/ }),
  ).toHaveCount(0)
  await stranger.close()

  await chat.conversations.getByRole('link', { name: /Stripes/ }).hover()
  await chat.conversations.getByRole('button', { name: 'Delete Stripes' }).click()
  await expect(chat.conversations.getByRole('link', { name: /Stripes/ })).toHaveCount(0)
  await page.reload()
  await expect(chat.conversations.getByRole('link', { name: /help/ })).toBeVisible()
  await expect(chat.conversations.getByRole('link', { name: /Stripes/ })).toHaveCount(0)
})

test('edit and regenerate make branches that survive a reload', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.ask('compute 1 + 1')
  await page.getByRole('article', { name: 'You' }).first().hover()
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Edited message' }).fill('compute 2 + 2')
  await page.keyboard.press('Enter')
  await expect(chat.call('browser_js_eval')).toContainText('2 + 2')
  await chat.settled()
  await expect(page.getByText('2 of 2')).toBeVisible()
  await page.getByRole('button', { name: 'Previous branch' }).click()
  await expect(chat.call('browser_js_eval')).toContainText('1 + 1')
  await page.reload()
  await expect(chat.call('browser_js_eval')).toContainText('1 + 1')
  await expect(page.getByText('1 of 2')).toBeVisible()
  await chat.replies().last().hover()
  await page.getByRole('button', { name: 'Regenerate' }).last().click()
  await chat.settled()
  await expect(page.getByText('2 of 2')).toBeVisible()
})

test('settings: a tool that is not offered is not described to the model; the strategy can change mid-conversation @nightly', async ({
  page,
}) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.send('write /a.md: one')
  await chat.runThrough('write_file')
  await expect(chat.result('write_file')).toContainText('done')
  await chat.choose('VCP')
  await page.getByRole('button', { name: 'Chat settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Chat settings' })
  await settings.getByRole('tab', { name: 'Call format' }).click()
  await expect(settings.getByRole('radio', { name: /VCP/ })).toBeChecked()
  await settings.getByRole('tab', { name: 'Tools' }).click()
  const offered = settings.getByText(/^\d+ of \d+ offered$/)
  const [before = 0, all = 0] = ((await offered.textContent()) ?? '').match(/\d+/g)?.map(Number) ?? []
  await settings.getByRole('switch', { name: 'Offer list_directory' }).click()
  await expect(offered).toHaveText(`${before - 1} of ${all} offered`)
  await page.keyboard.press('Escape')
  await chat.send('read /a.md')
  await chat.call('read_file').getByRole('button', { name: 'Read /a.md' }).click()
  await expect(chat.call('read_file')).toContainText('via VCP')
  await chat.runThrough('read_file')
  await expect(chat.result('read_file')).toContainText('done')
  await chat.ask('list files /')
  await expect(chat.call('list_directory')).toHaveCount(0)
  await expect(chat.replies().last()).toContainText(/not offered|list_directory/)
})

test('Send does not move while notes load below the field: a press that starts on it ends on it', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  const places = await page.evaluateHandle(() => {
    const seen = new Set<number>()
    const look = () => {
      const send = document.querySelector('main button[type="submit"]')
      if (send) seen.add(Math.round(send.getBoundingClientRect().x))
      requestAnimationFrame(look)
    }
    look()
    return seen
  })
  await chat.ask('first words')
  expect(await places.evaluate((seen) => [...seen])).toHaveLength(1)
})

test('the list of chats is hidden by its button, and comes back by the header’s', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  const back = page.getByRole('button', { name: 'Open the list of chats', exact: true })
  await expect(back).toBeHidden()
  await chat.conversations.getByRole('button', { name: 'Hide the list of chats', exact: true }).click()
  await expect(chat.conversations).toHaveCount(0)
  await expect(back).toBeFocused()
  await back.click()
  await expect(chat.conversations).toBeVisible()
  await expect(back).toBeHidden()
})
