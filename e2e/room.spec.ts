import { expect, test } from '@playwright/test'
import { appUrl } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'
import { ScriptedChat } from './support/scripted-chat'

const long = (n: number) => `Answer number ${n}. ${'It says something about the harbour and its ships. '.repeat(20)}`

test('making room: what is sent, what a summary replaces, what stays, in every tab, and all of it undone', async ({
  page,
}) => {
  const chat = await ScriptedChat.open(page, [long(1), long(2), long(3), 'The fourth.', 'The fifth.'])
  await chat.begin()
  await chat.ask('Notify me of the lighthouse')
  await chat.ask('And of the ferry')

  // Below half of the window no meter is shown.
  await chat.message.fill('some more words that are not sent yet '.repeat(20))
  await expect(page.getByRole('button', { name: /^about [\d,]+ tokens/ })).toHaveCount(0)
  const details = await chat.openContext()
  await expect(details).toContainText('Tools and call format')
  await expect(details).toContainText('Your draft')
  await expect(details).toContainText('First token after')
  await inspect(page, 'room-meter')
  await details.getByRole('button', { name: 'Make room…' }).click()

  // The first message is pinned: it stays. The model writes a summary on request, and it is edited by hand.
  const dialog = page.getByRole('dialog', { name: 'Make room' })
  const leaves = dialog.getByRole('list', { name: 'Left out' })
  await dialog.getByRole('combobox', { name: 'Leave out everything before' }).selectOption({ index: 1 })
  await leaves.getByRole('button', { name: 'Always send to the model' }).first().click()
  await expect(
    dialog.getByText(/^Removes 3 messages and frees about [\d,]+ tokens\. 1 pinned message stays\.$/),
  ).toBeVisible()
  await dialog.getByRole('button', { name: /^Let .* write it$/ }).click()
  const summary = dialog.getByRole('textbox', { name: 'Summary' })
  await expect(summary).toHaveValue(/^You said: Summarise this chat so far/)
  await summary.fill('They spoke of a harbour with a lighthouse.')
  await inspect(page, 'room-dialog')
  await dialog.getByRole('button', { name: 'Leave them out' }).click()

  const line = page.getByRole('region', { name: 'Messages above are left out' })
  await expect(line).toContainText('The 3 messages above are no longer sent to the model, except 1 pinned message.')
  const other = await chat.secondTab()
  await expect(other.page.getByRole('region', { name: 'Messages above are left out' })).toBeVisible()
  await chat.message.fill('')
  await chat.ask('What do you remember?')
  const said = (await chat.sent()).at(-1)?.messages.map(({ content }) => content) ?? []
  expect(said.join('\n')).toContain('They spoke of a harbour with a lighthouse.')
  expect(said.join('\n')).toContain('Please begin')
  expect(said.join('\n')).not.toContain('Notify me of the lighthouse')
  expect((await chat.view()).messages).toHaveLength(8)
  await page.reload()
  await line.getByText('Summary sent instead').click()
  await expect(line).toContainText('They spoke of a harbour')
  await line.scrollIntoViewIfNeeded()
  await page.emulateMedia({ colorScheme: 'dark' })
  await inspect(page, 'room-line-dark')

  await line.getByRole('button', { name: 'Send them again' }).click()
  await expect(line).toHaveCount(0)
  await expect(other.page.getByRole('region', { name: 'Messages above are left out' })).toHaveCount(0)
  await chat.ask('And now?')
  expect(JSON.stringify((await chat.sent()).at(-1))).toContain('Notify me of the lighthouse')
})

test.describe('in Chinese, on a tablet', { tag: '@nightly' }, () => {
  test.use({ locale: 'zh-CN', extraHTTPHeaders: { 'accept-language': 'zh-CN' }, viewport: { width: 900, height: 800 } })

  test('the meter and the dialog', async ({ page }) => {
    const id = crypto.randomUUID()
    const data = { id, settings: { model: 'openai-compatible/replay' } }
    const made = await page.request.post(`${appUrl}/api/conversations`, { data })
    expect(made.ok()).toBe(true)
    await page.goto(`${appUrl}/c/${id}`)
    for (const words of ['你好，灯塔', '再说说渡船']) {
      await page.getByRole('textbox', { name: '消息' }).fill(words)
      await page.getByRole('button', { name: '发送', exact: true }).click()
      await expect(page.getByRole('article', { name: '助手' }).last()).toContainText(words)
    }
    const details = await new Chat(page).openContext()
    await expect(details).toContainText('工具与调用格式')
    await inspect(page, 'room-meter-zh')
    await details.getByRole('button', { name: '腾出空间…' }).click()
    const dialog = page.getByRole('dialog', { name: '腾出空间' })
    await dialog.getByRole('radio', { name: '无' }).click()
    await inspect(page, 'room-dialog-zh')
    await dialog.getByRole('button', { name: '略去它们' }).click()
    await expect(page.getByRole('region', { name: '以上内容已略去' })).toContainText('以上 2 条消息不再发送给模型。')
  })
})
