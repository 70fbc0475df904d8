import { expect, test, type Locator, type Page } from '@playwright/test'
import { appUrl } from './support/addresses'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'
import { ScriptedChat, write } from './support/scripted-chat'

/** The menu of a message: of the last reply, or of a user message. */
async function fromMessage(message: Locator, item: string): Promise<void> {
  await message.hover()
  const more = message.getByRole('button', { name: 'Message actions', exact: true })
  await more.focus()
  await more.press('Enter')
  await message.page().getByRole('menuitem', { name: item, exact: true }).press('Enter')
}
const said = (page: Page) => page.getByRole('article', { name: 'You', exact: true })

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  test.describe(`in a window of ${width} by ${height}`, () => {
    test.use({ viewport: { width, height } })

    test('a first visit shows Run of the first card without scrolling', async ({ page }) => {
      const chat = new Chat(page)
      await chat.open()
      await page.getByRole('button', { name: 'Roll 1,000 dice and draw a chart' }).click()
      const card = chat.call('browser_js_eval')
      await expect(card.getByRole('button', { name: 'Run', exact: true })).toBeInViewport({ ratio: 0.99 })
      await chat.settled()
      await expect(card.getByRole('button', { name: 'Run', exact: true })).toBeInViewport({ ratio: 0.99 })
    })
  })
}

test('a deleted answer is removed with its calls, in every tab and for the model, and restored by an undo @nightly', async ({
  page,
}) => {
  const chat = await ScriptedChat.open(page, [`Flamingo.\n\n${write('/a.md', 'pelican')}`, 'Heron.'])
  await chat.begin()
  await chat.runThrough('write_file')
  const tab = await chat.secondTab()
  await expect(tab.log).toContainText('Heron.')

  await fromMessage(chat.replies().last(), 'Delete')
  const undo = page.getByRole('status').filter({ hasText: 'Message deleted.' })
  await expect(undo).toBeVisible()
  for (const one of [chat, tab]) {
    await expect(one.replies()).toHaveCount(0)
    await expect(one.log).not.toContainText('Flamingo')
    await expect(one.log).toContainText('Please begin')
  }
  await inspect(page, 'deleted')
  await undo.getByRole('button', { name: 'Undo' }).click()
  for (const one of [chat, tab]) {
    await expect(one.log).toContainText('Flamingo.')
    await expect(one.card('write_file')).toContainText('done')
    await expect(one.log).toContainText('Heron.')
  }

  await fromMessage(chat.replies().last(), 'Delete')
  await expect(chat.replies()).toHaveCount(0)
  await page.reload()
  await expect(said(page)).toHaveCount(1)
  await expect(chat.replies()).toHaveCount(0)
  // The test's model counts the replies it was sent: none, so it starts over.
  await chat.ask('And now?')
  await expect(chat.call('write_file')).toContainText('waiting for you')
  const sent = JSON.stringify((await chat.sent()).at(-1)?.messages)
  expect(sent).toContain('And now?')
  expect(sent).not.toMatch(/Flamingo|pelican|Heron/)

  // The user's message is deleted alone; the answer stays.
  await fromMessage(said(page).last(), 'Delete')
  await expect(said(page)).toHaveCount(1)
  await expect(chat.call('write_file')).toContainText('waiting for you')
})

test('replies in two formats side by side: each has its own card, and the chat continues with one', async ({
  page,
}) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.choose('JSON_Strict')
  await chat.ask('compute 6 * 7')
  await expect(chat.call('browser_js_eval')).toContainText('waiting for you')
  await fromMessage(chat.replies().last(), 'Compare models')
  const dialog = page.getByRole('dialog', { name: 'Compare replies' })
  const side = (number: number) => dialog.getByRole('region', { name: `Reply ${number}` })
  const card = (number: number) => side(number).getByRole('group', { name: /^Tool (call|result): browser_js_eval$/ })
  await expect(card(1)).toContainText('waiting for you')
  await dialog.getByRole('combobox', { name: 'Call format of the next reply' }).selectOption('XML_Tag')
  await dialog.getByRole('button', { name: 'Add reply' }).click()
  await expect(card(2)).toContainText('waiting for you')
  await expect(side(2)).toContainText('XML_Tag')
  await expect(dialog.locator('[aria-busy="true"]')).toHaveCount(0)
  // One filled button a screen: that of the branch which the chat shows.
  const colors = dialog
    .getByRole('button', { name: 'Run', exact: true })
    .evaluateAll((all) => all.map((button) => getComputedStyle(button).backgroundColor))
  expect(new Set(await colors).size).toBe(2)
  await inspect(page, 'compare')

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(side(2)).toBeHidden()
  await dialog.getByRole('tab', { name: 'Demo (a script) · XML_Tag' }).click()
  await expect(side(1)).toBeHidden()
  await inspect(page, 'compare-phone')
  const run = card(2).getByRole('button', { name: 'Run', exact: true })
  await expect(run).toBeEnabled()
  await run.press('Enter')
  await expect(side(2)).toContainText('42')
  await expect(card(2)).toContainText('done')
  await expect(dialog.locator('[aria-busy="true"]')).toHaveCount(0)
  await side(2).getByRole('button', { name: 'Continue with this reply' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(chat.picker).toContainText('XML_Tag')
  await expect(chat.result('browser_js_eval')).toContainText('done')
  // The other side is a version of the reply, with a card that still waits.
  await page.getByRole('button', { name: 'Previous branch' }).first().click()
  await expect(chat.call('browser_js_eval')).toContainText('waiting for you')
})

test(
  'versions of a reply are written at the same time, followed over a reload and in a second tab, and stopped',
  { tag: '@nightly' },
  async ({ page, context }) => {
    const chat = new Chat(page)
    await chat.open()
    await chat.send('slow reply 100')
    await expect(chat.replies().last()).toContainText(/\w{3,}/)
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect(chat.replies().last()).toContainText('stopped')
    await fromMessage(chat.replies().last(), 'Compare models')
    const dialog = page.getByRole('dialog', { name: 'Compare replies' })
    const side = (number: number) => dialog.getByRole('region', { name: `Reply ${number}` })
    const add = dialog.getByRole('button', { name: 'Add reply' })
    await add.click()
    await add.click()
    // Both are being written now.
    for (const number of [2, 3]) await expect(side(number).getByRole('article')).toContainText(/\w{3,}/)
    await expect(dialog.getByRole('button', { name: 'Stop this reply' })).toHaveCount(2)
    await inspect(page, 'compare-writing')
    await side(2).getByRole('button', { name: 'Stop this reply' }).click()
    await expect(side(2)).toContainText('stopped')
    await expect(dialog.getByRole('button', { name: 'Stop this reply' })).toHaveCount(1)

    await page.reload()
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await expect(side(3).getByRole('button', { name: 'Stop this reply' })).toBeVisible()
    const second = await context.newPage()
    await second.goto(page.url())
    await second.getByRole('button', { name: 'Stop', exact: true }).click()
    await second.close()
    await expect(side(3)).toContainText('stopped')
    await side(3).getByRole('button', { name: 'Continue with this reply' }).click()
    await expect(dialog).toHaveCount(0)
    await chat.ask('list files')
    await expect(chat.replies()).toHaveCount(2)
  },
)

test('the context window opens on the phone from the menu of the message field @nightly', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const chat = new Chat(page)
  await chat.open()
  await chat.ask('hello')
  await page.getByRole('button', { name: 'More for this message', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Context window' }).click()
  await expect(page.getByRole('dialog', { name: 'What the next message sends' })).toBeInViewport({ ratio: 0.99 })
})

test('a file attached to an unsent message survives a reload, and is sent with it', async ({ page }) => {
  const chat = new Chat(page)
  await chat.open()
  await chat.send('a slow reply 6')
  await expect(chat.replies().last()).toContainText(/\w{3,}/)
  await page
    .getByLabel('Files to attach')
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('flamingo') })
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('notes.txt')
  await chat.message.fill('hello, with a file')
  await page.keyboard.press('Enter')
  const queued = page.getByRole('article', { name: 'Queued message' })
  await expect(queued).toContainText('notes.txt')
  await page.reload()
  await expect(queued).toContainText('notes.txt')
  await expect(queued).toHaveCount(0)
  await expect(said(page).last()).toContainText('hello, with a file')
  await expect(said(page).last()).toContainText('notes.txt')
  await chat.settled()
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const view = await page.request.get(`${appUrl}/api/conversations/${id}`)
  expect(JSON.stringify(await view.json())).toContain('"head":"flamingo"')
})
