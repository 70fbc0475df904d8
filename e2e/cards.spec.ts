import { expect, test } from '@playwright/test'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'
import { looks, appearancesOf } from './support/appearances'
import { evaluate, list, press, read, ScriptedChat, write } from './support/scripted-chat'

// A new user's first minute, and compact cards: a picture that stays, one line for a safe call, a denial with a later
// reason, a change that was visible before it ran.

for (const view of appearancesOf('phone', 'light')) {
  test.describe(`first run, ${view}`, () => {
    test.use(looks[view])

    test(`the first run ends in the picture (${view})`, { tag: '@nightly' }, async ({ page }) => {
      const chat = new Chat(page)
      await chat.open()
      await chat.send('Simulate a thousand dice rolls and show a chart')
      const card = chat.call('browser_js_eval')
      await expect(card).toBeVisible()
      await inspect(page, `first-card-${view}`)
      // On the first card ever: the model's text beside the card.
      await press(chat.log, 'See the model’s text')
      await expect(chat.log.getByRole('group', { name: 'The model’s text' })).toContainText('browser_js_eval')
      await expect(card.getByRole('button', { name: 'Run', exact: true })).toBeVisible()
      await inspect(page, `first-wrote-${view}`)
      await press(chat.log, 'Got it')

      await chat.runThrough('browser_js_eval')
      const done = chat.result('browser_js_eval')
      const picture = done.locator('[data-picture]')
      await expect(picture).toBeInViewport()
      await expect(chat.replies().last()).toContainText(/came up most often: \d+ times, as the chart shows\.$/)
      await inspect(page, `chart-${view}`)
      await press(done, 'More')
      await page.getByRole('menuitem', { name: 'Show 11 values' }).click()
      await expect(done.getByRole('group', { name: 'Result' })).toContainText('12')
      await page.reload()
      await expect(done).toBeVisible()
      await chat.ask('list files /')
      await expect(chat.call('list_directory')).toBeVisible()
      await expect(chat.log.getByRole('button', { name: 'See the model’s text' })).toHaveCount(0)
    })
  })
}

test('a settled change has at most three targets, however long it is, also when it is opened again', async ({
  page,
}) => {
  const lines = Array.from({ length: 60 }, (_, line) => `line ${line}\n`).join('')
  const chat = await ScriptedChat.open(page, [write('/long.md', lines), 'Done.'])
  await chat.begin()
  await chat.runThrough('write_file')
  const card = chat.result('write_file')
  const change = card.getByRole('group', { name: 'Change to /long.md' })
  const targets = card.locator('button:visible, a[href]:visible, summary:visible')
  await expect(change).toContainText('line 59')
  await expect(targets).toHaveText([/done/, 'Open', 'Undo'])
  const head = card.getByRole('button', { name: /done/ })
  await head.click()
  await expect(change).toHaveCount(0)
  await head.click()
  await expect(change).toContainText('line 59')
  await expect(targets).toHaveCount(3)
  await press(card, 'More')
  await page.getByRole('menuitem', { name: 'Open', exact: true }).click()
  await expect(page.getByRole('complementary', { name: 'Workspace' })).toContainText('long.md')
})

for (const view of appearancesOf('dark', 'phone', 'zoom')) {
  test.describe(`cards, ${view}`, () => {
    test.use(looks[view])

    test(`compact cards (${view})`, { tag: '@nightly' }, async ({ page }) => {
      const six = ['/a.csv', '/b.csv', '/notes/with-a-rather-long-name-for-a-file.md', '/d.csv', '/e.csv'].map(read)
      const chat = await ScriptedChat.open(page, [
        `I look first.\n\n${[...six, list('/')].join('\n')}`,
        `Now the plan.\n\n${write('/notes/plan.md', '# Plan\n\n- milk\n- bread\n')}`,
        `Shorter.\n\n${write('/notes/plan.md', '# Plan\n\n- milk\n')}`,
        evaluate('({ rows: 398, skipped: 2, currency: "EUR", total: 18420.5, complete: false })'),
        'That is all.',
      ])
      await chat.begin()
      const bar = page.getByRole('group', { name: '6 calls are waiting for you' })
      await expect(bar).toBeVisible()
      // All six and the button that runs them fit a screen.
      if (view === 'dark') {
        for (const card of await chat.cards().all()) await expect(card).toBeInViewport()
        await expect(bar.getByRole('button', { name: 'Run all' })).toBeInViewport()
      }
      await inspect(page, `lines-${view}`)
      await chat.card('read_file', '/a.csv').getByRole('button', { name: 'Read /a.csv' }).click()
      await press(chat.card('read_file', '/a.csv'), 'More')
      await page.getByRole('menuitem', { name: 'Don’t ask again…' }).click()
      await expect(page.getByRole('menu')).toContainText(
        'read_file in all folders of this chat (the 4 calls that wait now still wait)',
      )
      await inspect(page, `remember-${view}`)
      await page.keyboard.press('Escape')

      // Denied immediately; the reason is sent all the same.
      await press(bar, 'Deny all')
      const denied = chat.card('read_file', 'You denied this').first()
      await press(denied, 'Add a reason')
      await inspect(page, `reason-${view}`)
      await denied.getByRole('textbox', { name: 'Reason' }).fill('There are no files yet.')
      await page.keyboard.press('Enter')
      await expect(denied).toContainText('You denied this: “There are no files yet.”')
      expect(await chat.told(2)).toContain('There are no files yet.')

      await expect(chat.call('write_file')).toBeVisible()
      await chat.settled()
      await inspect(page, `write-${view}`)
      await chat.runThrough('write_file')
      await chat.runThrough('write_file')
      // The change collapses once pointer and focus are elsewhere, and its lines stay counted.
      await page.mouse.move(2, 2)
      const second = chat.result('write_file').last()
      await expect(second).toContainText('· −1')
      await chat.message.focus()
      await second.getByRole('button', { name: /done/, expanded: false }).click()
      await expect(second.getByRole('group', { name: 'Change to /notes/plan.md' })).toContainText('- bread')
      // At the end of the view, because a button cut off by the edge can't be clicked.
      await second.evaluate((card) => card.scrollIntoView({ block: 'end' }))
      await inspect(page, `changed-stays-${view}`)
      await chat.runThrough('browser_js_eval')
      const flat = chat.result('browser_js_eval')
      const head = flat.getByRole('button', { name: /done/, expanded: false })
      if (await head.isVisible()) await head.click()
      await expect(flat.getByRole('group', { name: 'Result' }).getByRole('term')).toHaveCount(5)
      await flat.scrollIntoViewIfNeeded()
      await inspect(page, `flat-${view}`)
    })
  })
}
