import { expect, test, type Page } from '@playwright/test'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'

const queued = (page: Page) => page.getByRole('article', { name: 'Queued message' })

/** The user's messages, as the thread shows them. */
const said = (page: Page) => page.getByRole('article', { name: 'You', exact: true })

test('messages written during a reply wait in order, survive a reload, and are sent once, after the calls', async ({
  page,
  context,
}) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.send('a slow reply 6, then write a file')
  await expect(chat.replies().last()).toContainText(/\w{3,}/)
  await chat.message.fill('hello, first in the queue')
  await page.keyboard.press('Enter')
  await chat.message.fill('helo, second in the queue')
  await page.getByRole('button', { name: 'Send next' }).click()
  await expect(queued(page)).toHaveCount(2)
  await expect(queued(page).first()).toContainText('Sends next')
  await expect(queued(page).last()).toContainText('Sends after the message above')
  await expect(chat.message).toHaveValue('')
  await inspect(page, 'queue')

  // Up edits the last one; it keeps its position.
  await chat.message.press('ArrowUp')
  await page.getByRole('textbox', { name: 'Edited message' }).fill('hello, second in the queue')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.reload()
  await expect(queued(page)).toHaveCount(2)
  const other = new Chat(await context.newPage())
  await other.open(page.url())
  await expect(queued(other.page)).toHaveCount(2)

  // The reply ends with a call: nothing is sent before it is decided.
  await expect(chat.call('write_file')).toContainText('waiting for you')
  await expect(queued(page).first()).toContainText('Sends after your decision')
  await expect(queued(other.page).first()).toContainText('Sends after your decision')
  await chat.run('write_file')
  for (const one of [page, other.page]) {
    await expect(queued(one)).toHaveCount(0)
    await expect(said(one).filter({ hasText: 'in the queue' })).toHaveCount(2)
    await expect(said(one).filter({ hasText: 'in the queue' }).first()).toContainText('hello, first')
    await expect(said(one).filter({ hasText: 'in the queue' }).last()).toContainText('hello, second')
  }
  await chat.settled()

  // Sent now, it stops the reply; after a Stop it waits for the user.
  await chat.send('a slow reply 20')
  await chat.message.fill('hello, right now')
  await page.keyboard.press('Enter')
  await queued(page).getByRole('button', { name: 'Send now' }).click()
  await expect(chat.log).toContainText('You stopped this reply')
  await expect(said(page).last()).toContainText('hello, right now')
  await chat.settled()
  await chat.send('a slow reply 20')
  await chat.message.fill('never mind')
  await page.keyboard.press('Enter')
  await chat.message.press('Escape')
  await expect(queued(page)).toContainText('Waits because you stopped the reply')
  await queued(page).getByRole('button', { name: 'Remove' }).click()
  await expect(queued(page)).toHaveCount(0)
})
