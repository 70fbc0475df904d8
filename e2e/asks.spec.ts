import { expect, test } from '@playwright/test'
import { appUrl } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'
import { press, ScriptedChat, write } from './support/scripted-chat'

// A model asks the user in a form, which is the card of its call; and file changes by calls offer an undo.

test('a question is answered in its card, partly before a reload, and another tab sees the answer', async ({
  page,
  context,
}) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.send('Plan a weekend with me')
  const form = page.getByRole('group', { name: 'Where do you want to spend the weekend?' })
  await expect(form).toBeVisible()
  await chat.settled()
  await form.getByRole('radio', { name: 'Something else' }).check()
  await form.getByRole('textbox', { name: 'Your answer' }).fill('Stay at home')
  await form.getByRole('textbox', { name: 'Nights' }).fill('two')
  await chat.call('ask_user').getByRole('button', { name: 'Answer', exact: true }).click()
  await expect(form).toContainText('Enter a number')
  await expect(form.getByRole('textbox', { name: 'Nights' })).toBeFocused()
  await inspect(page, 'ask-user')

  await page.reload()
  await expect(form.getByRole('textbox', { name: 'Your answer' })).toHaveValue('Stay at home')
  await expect(form.getByRole('textbox', { name: 'Nights' })).toHaveValue('two')
  const second = new Chat(await context.newPage())
  await second.open(page.url())
  await expect(second.call('ask_user')).toContainText('Where do you want to spend the weekend?')

  await form.getByRole('radio', { name: 'no', exact: true }).check()
  await form.getByRole('textbox', { name: 'Nights' }).fill('2')
  await page.keyboard.press('Control+Enter')
  for (const one of [chat, second]) {
    await expect(one.result('ask_user')).toContainText('answered')
    await expect(one.call('ask_user')).toHaveCount(0)
  }
  await expect(chat.result('ask_user')).toContainText('Stay at home')

  // The answer is what is written; the workspace then shows it by itself, in both tabs.
  await expect(chat.call('write_file')).toContainText('where: Stay at home')
  await chat.runThrough('write_file')
  const counted = '1 file changed by calls of this chat'
  for (const one of [page, second.page]) await expect(one.getByText(counted)).toBeAttached()
  await page.getByRole('button', { name: 'Workspace', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Workspace' })
  await panel.getByRole('treeitem', { name: /^weekend\.md/ }).click()
  const strip = panel.getByRole('region', { name: 'Changes by calls' })
  await expect(strip).toContainText('created by write_file just now')
  await strip.getByRole('button', { name: 'View' }).click()
  await expect(strip).toContainText('nights: 2')
  await inspect(page, 'change-strip')
  await strip.getByRole('button', { name: 'Undo' }).click()
  await expect(panel.getByRole('treeitem', { name: /^weekend\.md/ })).toHaveCount(0)
  for (const one of [page, second.page]) await expect(one.getByText(counted)).toHaveCount(0)
})

test('undo reverts all changes of one reply in one step, after a preview, and keeps later ones', async ({ page }) => {
  const chat = await ScriptedChat.open(page, [
    `${write('/a.md', 'one\n')}\n${write('/b.md', 'two\n')}`,
    write('/b.md', 'later\n'),
    'All is written.',
  ])
  await chat.begin()
  await press(page.getByRole('log', { name: 'Messages' }), 'Run all')
  await chat.runThrough('write_file')
  const first = chat.replies().first()
  await expect(first).toContainText('This reply changed 2 files.')
  await first.getByRole('button', { name: 'Undo all of this reply' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo all of this reply?' })
  await expect(dialog.getByRole('list', { name: 'Files that change' })).toContainText('/a.md')
  await expect(dialog).toContainText('Not changed: /b.md, because write_file changed it again later.')
  await inspect(page, 'undo-reply')
  await dialog.getByRole('button', { name: 'Undo 1 file' }).click()
  await expect(first).toContainText('You undid the file changes of this reply.')
  await expect(first).toContainText('/b.md was not changed')
  await first.getByRole('button', { name: 'Redo all of this reply' }).click()
  await expect(first).toContainText('This reply changed 2 files.')
})

test.describe('in Chinese', () => {
  test.use({ locale: 'zh-CN', extraHTTPHeaders: { 'accept-language': 'zh-CN' } })

  test('a question is asked in Chinese, and can be left unanswered', { tag: '@nightly' }, async ({ page }) => {
    await page.goto(appUrl)
    const message = page.getByRole('textbox', { name: '消息' })
    await message.fill('和我一起计划周末')
    await message.press('Enter')
    const form = page.getByRole('group', { name: '周末想去哪里？' })
    await expect(form).toContainText('不要在这里填写密码')
    await expect(form.getByRole('radio', { name: '海边' })).toBeVisible()
    await inspect(page, 'ask-user-zh')
    await page.getByRole('button', { name: '不回答' }).click()
    await expect(page.getByRole('log', { name: '消息' })).toContainText('我尊重你的决定')
  })
})
