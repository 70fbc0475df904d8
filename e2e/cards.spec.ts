import { expect, test } from '@playwright/test'
import { Chat } from './support/chat'
import { inspect } from './support/inspect'
import { looks, appearancesOf } from './support/appearances'
import { builtInTools } from '@/lib/shared/tools/built-in-registry'
import { evaluate, list, press, read, ScriptedChat, write, xmlCall } from './support/scripted-chat'

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
      await expect(done).toContainText('11 values · Show')
      await expect(chat.replies().last()).toContainText(/came up most often: \d+ times, as the chart shows\.$/)
      await inspect(page, `chart-${view}`)
      await press(done, 'Show')
      await expect(done.getByRole('group', { name: 'Result' })).toContainText('12')
      await page.reload()
      await expect(done).toBeVisible()
      await chat.ask('list files /')
      await expect(chat.call('list_directory')).toBeVisible()
      await expect(chat.log.getByRole('button', { name: 'See the model’s text' })).toHaveCount(0)
    })
  })
}

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

/** What can be pressed in a card and is visible. A question’s choices and a table’s head are content. */
const targets =
  'button:visible:not(table *), a[href]:visible, input:not([type=radio]):visible, select:visible, textarea:visible, summary:visible, [role=tab]:visible'

/** A call of each built-in tool that needs nothing of the operator, so that each one can run after those before it. */
const oneOfEach: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
  ['write_file', { path: '/data/orders.csv', content: 'city,sum\nOslo,1\nBergen,2\n' }],
  ['edit_file', { path: '/data/orders.csv', edits: [{ search: 'Oslo,1', replace: 'Oslo,3' }] }],
  ['read_file', { path: '/data/orders.csv' }],
  ['list_directory', { path: '/' }],
  ['search_files', { query: 'Oslo' }],
  ['browser_js_eval', { code: "console.log('rows: 2'); return { sum: 5, cities: ['Oslo', 'Bergen'] }" }],
  ['python_eval', { code: 'print(6 * 7)' }],
  ['sql_query', { query: 'select city, sum from orders' }],
  ['show', { path: '/data/orders.csv' }],
  ['get_time', {}],
  ['ask_user', { question: 'Which city?', choices: ['Oslo', 'Bergen'] }],
  ['edit_memory', { add: 'Lives in Oslo.' }],
  ['move_path', { from: '/data/orders.csv', to: '/data/sums.csv' }],
  ['delete_path', { path: '/data' }],
]

const title = 'a waiting card has at most 4 targets and a settled card at most 3, for each built-in tool'
test(title, { tag: '@nightly' }, async ({ page }) => {
  // The others: pages and search need a server that the operator names, and `find_tools` asks nobody.
  const others = ['find_tools', 'read_page', 'search_web']
  expect([...oneOfEach.map(([name]) => name), ...others].toSorted()).toEqual(
    builtInTools.map(({ spec }) => spec.name).toSorted(),
  )
  const calls = oneOfEach.map(([name, args]) => xmlCall(name, args))
  const chat = await ScriptedChat.open(page, [...calls, 'Done.'], {
    tools: { maxIterations: 20, toolToggles: { python_eval: true, edit_memory: true } },
  })
  await chat.begin()
  const counted: Record<string, readonly [waiting: number, settled: number]> = {}
  for (const [name] of oneOfEach) {
    const before = await chat.countReplies()
    const card = chat.call(name)
    await expect(card.getByRole('button', { name: /^(Run|Answer)$/ })).toBeEnabled()
    const waiting = await card.locator(targets).count()
    if (name === 'ask_user') await card.getByRole('radio', { name: 'Oslo' }).check()
    await card.getByRole('button', { name: /^(Run|Answer)$/ }).click()
    await page.mouse.move(0, 0)
    // Python is downloaded first.
    await expect(chat.replies()).toHaveCount(before + 1, { timeout: 90_000 })
    await chat.settled()
    counted[name] = [waiting, await chat.result(name).locator(targets).count()]
  }
  console.log(JSON.stringify(counted))
  expect(Object.entries(counted).filter(([, [waiting, settled]]) => waiting > 4 || settled > 3)).toEqual([])
})
