import { expect, test } from '@playwright/test'
import { inspect } from './support/inspect'
import { looks, appearancesOf } from './support/appearances'
import { evaluate, list, press, read, ScriptedChat, write } from './support/scripted-chat'

// The approval states as pictures, each without an accessibility violation, in light, dark and at a phone's width.

const report =
  "await fs.mkdir('/reports', { recursive: true }); await fs.writeFile('/reports/orders-per-month.csv', Array.from({ length: 40 }, (_, i) => `2024-${i},${i * 17}`).join('\\n')); 'made'"

for (const view of appearancesOf('light', 'phone', 'dark')) {
  test.describe(`approval, ${view}`, () => {
    test.use(looks[view])

    test(`approval is legible and accessible (${view})`, async ({ page }) => {
      const chat = await ScriptedChat.open(
        page,
        [
          `I look at what is there, and keep the numbers.\n\n${evaluate(report)}`,
          `Now I read it.\n\n${read('/reports/orders-per-month.csv')}\n${list('/')}`,
          [
            'The plan, in three steps.',
            write('/notes/plan.md', '# Plan\n- milk\n- bread'),
            '<tool_code>{"name":"write_file","arguments":{"path":"/notes/g.md","content":"say "hi" now"}}</tool_code>',
            read('/reports/missing.csv'),
          ].join('\n'),
          `One more.\n<tool_code>{"name":"list_directory","arguments":{"path":"/reports"}`,
        ],
        { tools: { toolRules: { read_file: { result: 'always' } } } },
      )
      await chat.begin()
      await press(chat.call('browser_js_eval'), 'Edit')
      await expect(page.getByRole('form', { name: 'Edit the call' })).toBeVisible()
      await inspect(page, `edit-form-${view}`)
      await page.getByRole('radio', { name: 'Code', exact: true }).click()
      await page.getByRole('textbox', { name: 'Code' }).fill(`${report}\n// checked`)
      await inspect(page, `edit-code-${view}`)
      await press(page.getByRole('form', { name: 'Edit the call' }), 'Save')
      await expect(chat.call('browser_js_eval')).toContainText('You changed code.')
      await inspect(page, `changed-${view}`)
      await chat.runThrough('browser_js_eval')

      await chat.run('read_file')
      const gate = chat.result('read_file')
      await expect(gate.getByRole('button', { name: 'Send result' })).toBeVisible()
      await inspect(page, `gate-${view}`)
      await gate.getByText('2024-3,51').dblclick()
      await press(gate, 'Redact selection')
      await gate.getByRole('radio', { name: 'Shorten', exact: true }).click()
      await gate.getByRole('textbox', { name: 'Note to the model' }).fill('The months are made up.')
      await inspect(page, `gate-changed-${view}`)
      await press(gate, 'Don’t send')
      await expect(gate).toContainText('result not sent')
      await inspect(page, `kept-${view}`)
      await press(gate, 'Send anyway')
      await chat.runThrough('list_directory')

      const bar = page.getByRole('group', { name: '3 calls are waiting for you' })
      await expect(bar).toBeVisible()
      await press(bar, 'Select')
      await inspect(page, `select-${view}`)
      await press(bar, 'Select')
      await press(chat.card('read_file', 'missing'), 'Run')
      await press(chat.card('read_file', 'missing'), 'Don’t send')
      await expect(page.getByRole('group', { name: '2 calls are waiting for you' })).toBeVisible()
      await inspect(page, `guess-${view}`)
      await press(page.getByRole('group', { name: '2 calls are waiting for you' }), 'Deny all')

      await expect(chat.broken).toContainText('Suggested repair')
      await inspect(page, `broken-${view}`)
      await press(chat.broken, 'Use this call')
      await expect(chat.call('list_directory')).toContainText('waiting for you')
      await inspect(page, `lifted-${view}`)

      // Opens every collapsed card at once: several results are side by side.
      const folded = chat.log.getByRole('button', { expanded: false, name: /done/ })
      for (let left = await folded.count(); left > 0; left -= 1) await folded.first().click()
      await inspect(page, `open-${view}`)
    })
  })
}
